// What an answer brings into focus by itself, and what is chosen on a first visit.

import assert from "node:assert/strict";
import { test } from "node:test";

import { edges } from "../../../frontend/maps/edges.js";
import { showExample, showStrongest } from "../../../frontend/views/first_visit.js";
import { answer, config, models, newStore, overview, ready, start, tell } from "../small_answer.js";

/** A store whose example links t1 to t0, most strongly in L1 H2. */
function opened(isFirst, hint = "Which head links “t1” to “t0”?") {
  const store = newStore();
  store.actions.describe(models, { ...config, examples: [{ ...config.examples[0], hint }] }, { metrics: [], shapes: [] });
  showExample(store, isFirst);
  return store;
}

/** The whole answer with its maps. */
function answered(store) {
  const run = store.actions.sides.a;
  run.pend();
  run.begin(start(3));
  for (const layer of [0, 1]) run.receive(mapsOf(layer));
  assert.equal(store.state.seen, null, "not before the answer is complete");
  run.finish({ total_ms: 1 });
}

function mapsOf(layer) {
  const made = overview(layer, 3);
  made.values.fill(10);
  if (layer === 1) made.values[2 * 9 + 3] = 200;
  return made;
}

test("a first visit has the example's word chosen and the head that makes its link in focus", () => {
  const store = opened(true);
  answered(store);
  assert.deepEqual(store.state.lock, { side: "a", queries: [1], keys: [] });
  assert.deepEqual(store.state.seen, { kind: "head", side: "a", stack: 0, layer: 1, head: 2 });
  store.actions.release();
  answer(store, start(3));
  assert.equal(store.state.lock, null, "once is enough");
});

test("who opens a link finds chosen what the link says, and a head in focus", () => {
  const store = opened(false);
  answered(store);
  assert.deepEqual([store.state.lock, store.state.seen?.head], [null, 2]);
});

test("what was chosen or pinned meanwhile stays as it is, and so does a head that was seen", () => {
  const store = opened(true);
  store.actions.togglePin({ layer: 0, head: 1 });
  answered(store);
  assert.equal(store.state.lock, null);
  store.actions.pointAt({ layer: 0, head: 0 });
  answer(store, start(3));
  assert.deepEqual([store.state.seen?.layer, store.state.seen?.head], [0, 0]);
});

test("an example about no link chooses nothing", () => {
  const store = opened(true, "Look at the sinks.");
  answered(store);
  assert.equal(store.state.lock, null);
  assert.deepEqual([store.state.seen?.layer, store.state.seen?.head], [0, 0]);
});

test("the first token that is clicked takes the place of the example's, the next one is where attention goes to", () => {
  const lockAfter = (...clicks) => {
    const store = opened(true);
    answered(store);
    for (const token of clicks) store.actions.chooseToken("a", token);
    return store.state.lock && [store.state.lock.queries, store.state.lock.keys];
  };
  assert.deepEqual(lockAfter(2), [[2], []]);
  assert.deepEqual(lockAfter(1), [[1], []], "the example's own token stays");
  assert.deepEqual(lockAfter(1, 0), [[1], [0]]);
  assert.deepEqual(lockAfter(2, 2), null);
});

test("a chosen link brings the head that makes it most into focus, once", () => {
  const store = ready();
  answer(store, start(5));
  showStrongest(store);
  const edge = (head, weight, weighted) => ({ stack: "encoder", layer: 1, head, weight, by_position: null, by_others: null, weighted });
  const ranking = (keys) => ({ queries: [3], keys, uniform: 0.2, elsewhere: 3, others: 0, heads: [edge(1, 0.5, 0.1), edge(2, 0.4, 0.7)] });
  for (const token of [3, 1]) store.actions.chooseToken("a", token);
  assert.equal(store.state.seen, null, "not before it is known");
  tell(store, edges, ranking([1]));
  assert.deepEqual([store.state.seen.layer, store.state.seen.head], [1, 1]);
  store.actions.pointAt({ layer: 0, head: 0 });
  store.actions.pointAt(null);
  assert.equal(store.state.seen.layer, 0, "who points at another head sees that one");
  store.actions.setView({ values: "weighted", lock: null });
  for (const token of [3, 0]) store.actions.chooseToken("a", token);
  tell(store, edges, ranking([0]));
  assert.deepEqual([store.state.seen.layer, store.state.seen.head], [1, 2], "in the maps on screen");
});

test("a ranking leaves the head in focus that was pointed at since, and one that is asked for again", () => {
  const store = ready();
  answer(store, start(5));
  showStrongest(store);
  store.actions.pointAt({ layer: 0, head: 2 });
  const ranking = { queries: [3], keys: [1], uniform: 0.2, elsewhere: 3, others: 0, heads: [{ stack: "encoder", layer: 1, head: 1, weight: 0.5, by_position: null, by_others: null, weighted: null }] };
  for (const token of [3, 1]) store.actions.chooseToken("a", token);
  store.actions.pointAt({ layer: 0, head: 0 });
  tell(store, edges, ranking);
  assert.equal(store.state.seen.layer, 0, "pointed at before the ranking came");
  const { a } = store.actions.sides;
  a.pend();
  a.begin(start(5));
  a.finish({ total_ms: 1 });
  tell(store, edges, ranking);
  assert.equal(store.state.seen.layer, 0, "the same text once more");
});
