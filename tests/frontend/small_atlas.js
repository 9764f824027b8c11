// A made-up record of a model of two layers of three heads, in the shape the server gives.

const holder = (layer, head, value, baseline) => ({
  layer,
  head,
  value,
  n: 100,
  low: value - 0.05,
  high: value + 0.05,
  baseline,
  lift: value - baseline,
  split: "the test set",
  evidence: `${value} of 100 on the test set.`,
});

export const smallAtlas = () => ({
  model: { id: "both", name: "Both", n_layers: 2, n_heads: 3 },
  revision_matches: true,
  measures: {
    entropy: measure("entropy", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
    gap: measure("pronoun to name", [0.5, 0.52, null, 0.6, 0.7, 0.4]),
  },
  relations: [],
  groups: [
    { id: "syntax", label: "Syntax", letter: "S", meaning: "links words" },
    { id: "coreference", label: "Coreference", letter: "C", meaning: "links names" },
    { id: "local", label: "Local context", letter: "L", meaning: "looks at a neighbour" },
  ],
  roles: [
    { id: "previous", group: "local", label: "previous token", claim: "p", heads: [holder(1, 2, 0.9, 0.1), holder(0, 1, 0.6, 0.1)] },
    { id: "obj:dependent", group: "syntax", label: "objects", claim: "o", heads: [holder(1, 1, 0.6, 0.4), holder(1, 2, 0.5, 0.4)] },
    { id: "obj:head", group: "syntax", label: "verbs", claim: "v", heads: [holder(1, 2, 0.8, 0.4)] },
  ],
  specialisations: [
    {
      name: "verb-object",
      question: "Which heads link a verb and its object?",
      rows: ["obj:dependent", "obj:head"],
      best: { layer: 1, head: 2, evidence: "0.8 of 100 on the test set." },
      holds: true,
    },
    {
      name: "pronoun resolution, coreference",
      question: "Which heads link a pronoun to its name?",
      rows: [],
      best: { layer: 1, head: 1, evidence: "70 % of 100 on GAP, the nearest candidate 65 %." },
      holds: false,
    },
    { name: "cause", question: "Which heads link a clause?", rows: [], best: null, holds: false },
  ],
  examples: {},
  examples_source: "A treebank.",
  similar: {},
});

function measure(label, values) {
  return { label, meaning: label, unit: "share", n: 50, baseline: null, values, low: null, high: null };
}
