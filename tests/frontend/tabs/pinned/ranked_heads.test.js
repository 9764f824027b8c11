// The same link on side B: when it is asked, in which tokens, and which head belongs to which.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../../frontend/compare/comparison.js";
import { otherEdges } from "../../../../frontend/maps/edges.js";
import { rankedHeads, wordsOfB } from "../../../../frontend/tabs/pinned/ranked_heads.js";
import { answer, compared, comparisonOf, start, tell } from "../../small_answer.js";

const edge = (head, weight, layer = 0) => ({ stack: "encoder", layer, head, weight, by_position: null, by_others: null, weighted: null });
const ranking = (...heads) => ({ queries: [2], keys: [0], uniform: 0.1, elsewhere: 3, others: 0, heads });
const unit = (one, other) => ({ one, other, text: "", other_text: "", same: true });

/** Two compared sides, the first of four tokens, on which a link is chosen. */
function asked(queries = [2], keys = [0], changes = {}) {
  const store = compared(3);
  answer(store, start(4));
  store.actions.setView({ lock: { side: "a", queries, keys } });
  tell(store, comparison, comparisonOf(3, changes));
  return store;
}

test("B is asked for the aligned tokens, by one object, while B is answered", () => {
  const store = asked();
  const [question] = otherEdges.questions(store.state);
  assert.deepEqual(question, { model: "both", text: "other words", queries: [2], keys: [0] });
  store.actions.hover({ side: "a", queries: [1], keys: [] });
  assert.equal(otherEdges.questions(store.state)[0], question);
  assert.equal(otherEdges.when(store.state), true);
  store.actions.sides.b.pend();
  assert.equal(otherEdges.when(store.state), false);
});

test("nothing is asked where a token has no counterpart, or one only together with others", () => {
  const units = [unit([0], [1]), unit([1], []), unit([2, 3], [0])];
  const of = (queries, keys) => otherEdges.questions(asked(queries, keys, { units }).state)[0];
  assert.deepEqual([of([2, 3], [0]).queries, of([2, 3], [0]).keys], [[0], [1]]);
  for (const [queries, keys] of [[[2], [0]], [[0], [1]], [[0, 1], [2, 3]]]) {
    assert.equal(of(queries, keys), undefined);
    assert.match(wordsOfB(asked(queries, keys, { units }).state), /^B has no counterpart/);
  }
});

test("without a comparison there is nothing to ask or to say", () => {
  const store = asked();
  store.actions.compareWith(null);
  assert.deepEqual(otherEdges.questions(store.state), []);
  assert.equal(wordsOfB(store.state), "");
});

test("a head of the same model is compared with itself, whatever B's order", () => {
  const store = asked();
  assert.deepEqual(rankedHeads(store.state, ranking(edge(0, 0.5)))[0].other, null, "B is on its way");
  tell(store, otherEdges, ranking(edge(1, 0.9), edge(0, 0.2)));
  const found = rankedHeads(store.state, ranking(edge(0, 0.5), edge(1, 0.4), edge(2, 0.3)));
  assert.deepEqual(found.map(({ other }) => other?.weight ?? null), [0.2, 0.9, null]);
  assert.match(wordsOfB(store.state), /same head/);
});

test("a head of another model is compared with its match", () => {
  const heads = [{ layer: 0, head: 0, other_layer: 1, other_head: 2, links: [] }];
  const store = asked([2], [0], { heads, same_model: false });
  tell(store, otherEdges, ranking(edge(0, 0.9), edge(2, 0.3, 1)));
  const found = rankedHeads(store.state, ranking(edge(0, 0.5), edge(1, 0.4)));
  assert.deepEqual(found.map(({ other }) => other?.weight ?? null), [0.3, null]);
  assert.match(wordsOfB(store.state), /most similar head of B/);
});

test("a refusal of the server for B is told", () => {
  const store = asked();
  tell(store, otherEdges, null, undefined, { code: "not_visible", message: "It looks only back.", details: null });
  assert.equal(wordsOfB(store.state), "Only A is ranked. B: It looks only back.");
});
