import assert from "node:assert/strict";
import { test } from "node:test";

import { measuredWords, rankedBy, rankedRows, rankedWords, rankings, rowWords, scaleOf, skippedWords } from "../../../frontend/corpus/ranking.js";
import { answer } from "../small_corpus.js";

const places = (rows) => rows.map(({ head }) => head);

test("heads are ranked by the link or a metric, equals in the model's order, those without a case last", () => {
  assert.deepEqual(places(rankedRows(answer, "link", true)), [2, 0, 1]);
  assert.deepEqual(places(rankedRows(answer, "link", false)), [0, 1, 2]);
  assert.deepEqual(places(rankedRows(answer, "previous", true)), [1, 0, 2]);
  assert.deepEqual(places(rankedRows(answer, "previous", false)), [0, 1, 2]);
  assert.deepEqual(rankedRows(answer, "unknown", true), []);
});

test("each row has its cases and the baseline of its kind", () => {
  assert.deepEqual(rankedRows(answer, "link", true)[0], { ...answer.link.heads[0], n: 2, baseline: 0.1 });
  assert.equal(rankedRows(answer, "previous", true)[0].baseline, 0.1);
});

test("the menu has the link first, where there is one, and says what has no case", () => {
  assert.deepEqual(rankings(answer).map(({ text }) => text), ["The link", "Previous token", "Similarity (no case)"]);
  assert.deepEqual(rankings({ ...answer, link: null }).map(({ value }) => value), ["previous", "similarity"]);
});

test("without a choice, or where the answer lacks it, the link counts, else the metric that looks back or the first", () => {
  const without = { ...answer, link: null };
  const { similarity } = answer.metrics;
  assert.deepEqual([answer, without, { ...without, metrics: { similarity } }].map((given) => rankedBy(given, null)), ["link", "previous", "similarity"]);
  assert.deepEqual([answer, without].map((given) => rankedBy(given, "similarity")), ["similarity", "similarity"]);
  assert.deepEqual([answer, without].map((given) => rankedBy(given, "gone")), ["link", "previous"]);
});

test("a scale ends at a round number that nothing is beyond", () => {
  const scale = (...values) => scaleOf(values.map((mean) => ({ layer: 0, head: 0, mean, low: null, high: null, n: 1, baseline: null })));
  assert.deepEqual(scale(0.34), { start: 0, end: 0.5 });
  assert.deepEqual(scale(1), { start: 0, end: 1 });
  assert.deepEqual(scale(7.3, 2), { start: 0, end: 10 });
  assert.deepEqual(scale(-0.15, 0.3), { start: -0.2, end: 0.5 });
  assert.deepEqual(scale(-0.15), { start: -0.2, end: 0 });
  assert.deepEqual(scale(null), { start: 0, end: 1 });
  assert.deepEqual(scaleOf(rankedRows(answer, "link", true)), { start: 0, end: 0.5 });
});

test("words say what was measured, on how much, and against what", () => {
  const asked = { text: "", link: "words", from_word: " it", to_word: "cat" };
  const link = rankedWords(answer, asked, "link");
  assert.match(link, /^Mean attention from “it” to “cat” in 2 texts; uniform attention would give 0.080\./);
  assert.match(link, /elsewhere in these texts.*95 % interval/);
  assert.match(rankedWords(answer, { ...asked, link: "marked" }, "link"), /what is marked “from”/);
  const metric = rankedWords({ ...answer, values: "weighted" }, asked, "previous");
  assert.equal(
    metric,
    "Looks back. Mean over 20 cases in 3 texts, value-weighted. Uniform attention (the tick) would give 0.100. The whisker is the 95 % interval of the mean, for other texts like these.",
  );
  assert.equal(rankedWords(answer, asked, "similarity"), "Looks alike. These texts have no case of it.");
  const one = { ...answer, link: { ...answer.link, texts: 1, by_position_texts: 0 } };
  assert.match(rankedWords(one, asked, "link"), /in 1 text; .*0\.080\. One text has no interval\.$/);
});

test("what was left out is counted with its lines", () => {
  assert.equal(measuredWords(answer, "Both"), "Both: 3 of 4 lines, 1,234 tokens, 1.3\u00a0s.");
  assert.equal(measuredWords({ ...answer, given: 3 }, "Both"), "Both: 3 texts, 1,234 tokens, 1.3\u00a0s.");
  assert.equal(skippedWords(answer.skipped[0], "left out"), "1 line left out: no text in the line (line 2)");
  const many = { reason: "empty", meaning: "no text", n: 9, lines: [1, 2, 3, 4, 5, 6, 7, 8, 9] };
  assert.equal(skippedWords(many, "left out"), "9 lines left out: no text (lines 1, 2, 3, 4, 5, 6, 7, 8, …)");
});

test("a bar has words", () => {
  assert.equal(rowWords(rankedRows(answer, "link", true)[0]), "0.400, 0.300 to 0.450, tick at 0.100");
  assert.equal(rowWords(rankedRows(answer, "previous", true)[2]), "no case");
});
