// The status of a comparison, what it means, and its heads as rows.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison, isSameQuestion } from "../../../../frontend/compare/comparison.js";
import { comparedRows, comparisonStatus, numberMeaning, rowsEnd } from "../../../../frontend/tabs/compare/compared_heads.js";
import { whatKey } from "../../../../frontend/state/pins.js";
import { answer, compared, comparisonOf, ready, start, tell } from "../../small_answer.js";

const head = (layer, change, more = {}) => ({
  ...{ layer, head: 1, other_layer: layer, other_head: 1, change, similarity: 1 - change },
  ...{ share_one: 1, share_other: 1, typical: null, links: [], ...more },
});
const MATCH = head(0, 0.9, { other_layer: 11, other_head: 6, similarity: 0.84, share_one: 0.09, typical: 0.25 });

test("a comparison is off, then of the same, then waited for, then here", () => {
  const store = ready();
  assert.equal(comparisonStatus(store.state).stage, "off");
  store.actions.compareWith({});
  assert.ok(isSameQuestion(store.state));
  assert.equal(comparisonStatus(store.state).stage, "same");
  store.actions.compareWith({ text: "other words" });
  assert.deepEqual(comparisonStatus(store.state), { stage: "waiting", words: "Waiting for A…" });
  answer(store, start(3));
  assert.deepEqual(comparisonStatus(store.state), { stage: "waiting", words: "Waiting for B…" });
  store.actions.sides.b.pend();
  store.actions.sides.b.progress({ message: "Loading single", done: 0, total: 0 });
  assert.equal(comparisonStatus(store.state).words, "B: Loading single");
  answer(store, start(4, { id: "b1" }), "b");
  assert.deepEqual(comparisonStatus(store.state), { stage: "waiting", words: "Comparing all heads…" });
  tell(store, comparison, comparisonOf(3));
  assert.equal(comparisonStatus(store.state).stage, "here");
});

test("a letter typed in B makes what was compared wait again, although the old answer is still here", () => {
  const store = compared(3);
  tell(store, comparison, comparisonOf(3));
  store.actions.compareWith({ text: "other word" });
  assert.deepEqual(comparisonStatus(store.state), { stage: "waiting", words: "Waiting for B…" });
  assert.notEqual(store.state.sides.b.analysis, null);
});

test("a side without an answer, and a refusal of the server, are told", () => {
  const store = compared(3);
  store.actions.sides.b.fail({ code: "model_unavailable", message: "Not here.", details: null });
  assert.deepEqual(comparisonStatus(store.state), { stage: "lacking", words: "B has no answer, so there is nothing to compare." });
  const refused = compared(3);
  tell(refused, comparison, null, undefined, { code: "x", message: "Too much.", details: null });
  assert.deepEqual(comparisonStatus(refused.state), { stage: "failed", words: "A and B could not be compared: Too much." });
});

test("rows keep the server's order and pin both heads and their difference", () => {
  const rows = comparedRows(comparisonOf(3, { heads: [head(5, 0.187), head(3, 0.14)] }));
  assert.deepEqual(rows.map(({ name, value }) => [name, value]), [["L5 H1", 0.187], ["L3 H1", 0.14]]);
  const { one, other, difference } = rows[0];
  assert.deepEqual([one, other, difference].map(whatKey), ["5.1", "b:5.1", "diff(5.1;b:5.1)"]);
});

test("of two models the number is the similarity, with the usual one beside it and a word on small shares", () => {
  const [row] = comparedRows(comparisonOf(3, { heads: [MATCH], same_model: false }));
  assert.deepEqual([row.name, row.value, row.part, row.usual], ["L0 H1 ~ L11 H6", 0.84, 0.84, 0.25]);
  assert.deepEqual(row.names, ["L0 H1", "L11 H6"]);
  assert.equal(row.note, "Words both models can see get 9\u00a0% of the attention in A, 100\u00a0% in B");
  assert.equal(comparedRows(comparisonOf(3, { heads: [head(0, 0.1)] }))[0].note, "");
});

test("no bar is longer than its track, and the longest fills a good part of it", () => {
  for (const change of [0, 0.004, 0.03, 0.187, 0.51, 1]) {
    const told = comparisonOf(3, { heads: [head(0, change), head(1, change / 2)] });
    const parts = comparedRows(told).map(({ part }) => part);
    assert.ok(Math.max(...parts) <= 1);
    assert.ok(change < 0.005 || Math.max(...parts) > 0.35, `${change} of ${rowsEnd(told)}`);
  }
});

test("the words tell change from similarity, what the order is, and how a link is written", () => {
  const [change, similarity] = [true, false].map((same_model) => numberMeaning({ same_model }));
  assert.match(change, /^Change .* between A and B.* most changed head comes first/);
  assert.match(similarity, /the most similar pair first; pairs compared on less than half .* come last\. Similarity is .* of the attention to words both models see/);
  for (const words of [change, similarity]) assert.match(words, /from token → to token, weight in A → weight in B/);
});
