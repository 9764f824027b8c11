// A made-up answer about a corpus: one layer of three heads, a link and two metrics.

const none = { mean: null, low: null, high: null, n: 0, texts: 0 };
const heads = (rows) => rows.map((row, head) => ({ layer: 0, head, ...row }));

export const answer = {
  model: "both",
  values: "raw",
  given: 4,
  texts: 3,
  n_tokens: 1234,
  skipped: [{ reason: "empty", meaning: "no text in the line", n: 1, lines: [2] }],
  metrics: {
    previous: {
      ...{ label: "Previous token", meaning: "Looks back.", n: 20, texts: 3, baseline: 0.1 },
      heads: heads([
        { mean: 0.2, low: 0.1, high: 0.3, n: 20, texts: 3 },
        { mean: 0.9, low: 0.8, high: 1, n: 20, texts: 3 },
        none,
      ]),
    },
    similarity: {
      ...{ label: "Similarity", meaning: "Looks alike.", n: 0, texts: 0, baseline: null },
      heads: heads([none, none, none]),
    },
  },
  link: {
    ...{ texts: 2, uniform: 0.08, by_position_texts: 1 },
    skipped: [{ reason: "no_to", meaning: "not in the text", n: 1, lines: [4] }],
    heads: [
      { layer: 0, head: 2, mean: 0.4, low: 0.3, high: 0.45, by_position: 0.1 },
      { layer: 0, head: 0, mean: 0.2, low: 0, high: 0.5, by_position: 0.2 },
      { layer: 0, head: 1, mean: 0.2, low: 0, high: 0.3, by_position: 0.2 },
    ],
  },
  timing: { total_ms: 1260 },
};
