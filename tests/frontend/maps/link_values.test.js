// What tiles show of a chosen link: the weights that heads are ranked by, before they are here those of unpooled overviews.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { edges, otherEdges } from "../../../frontend/maps/edges.js";
import { linkTop, linkValues, lockedLink } from "../../../frontend/maps/link_values.js";
import { onSide } from "../../../frontend/state/sides.js";
import { answer, compared, comparisonOf, overview, ready, start, tell, threeStacks } from "../small_answer.js";

const frameOf = (state, side = "a", stack = 0) => state.sides[side].analysis.stacks[stack].layers.get(0);
const edge = (head, weight, weighted = null, stack = "encoder") => ({ stack, layer: 0, head, weight, by_position: null, by_others: null, weighted });
const ranking = (queries, keys, ...heads) => ({ queries, keys, uniform: 0.1, elsewhere: 1, others: 0, heads });

/** A link that is chosen in an answered text whose first layer has these weights in head 0. */
function chosen(queries, keys, weights, { causal = false, ...more } = {}) {
  const store = ready();
  const n = Math.round(Math.sqrt(weights.length));
  const stack = { stack: "encoder", n_layers: 2, n_heads: 3, queries: [0, n], keys: [0, n], causal };
  answer(store, start(n, { stacks: [stack] }));
  const values = Uint8Array.from({ length: 3 * weights.length }, (_, at) => Math.round(255 * Math.sqrt(weights[at % weights.length])));
  store.actions.sides.a.receive({ ...overview(0, n), causal, ...more, values });
  store.actions.setView({ lock: { side: "a", queries, keys } });
  return store;
}

const valueIn = ({ state }, head = 0, isDifference = false) => linkValues(onSide(state, "a"), lockedLink(state, "a"), isDifference)(frameOf(state), head);
const near = (value, expected) => assert.ok(Math.abs(value - expected) < 0.01, `${value}, not ${expected}`);

test("of single tokens it is the sum over the keys, the mean over the queries that see one of them", () => {
  const weights = [1, 0, 0, 0.4, 0.6, 0, 0.2, 0.3, 0.5];
  near(valueIn(chosen([1], [0], weights)), 0.4);
  near(valueIn(chosen([1, 2], [0, 1], weights)), 0.75);
  near(valueIn(chosen([0, 2], [1], weights)), 0.15);
  near(valueIn(chosen([0, 2], [1], weights, { causal: true })), 0.3);
  assert.equal(valueIn(chosen([0], [1, 2], weights, { causal: true })), null, "no head can have this link");
});

test("a pooled block is no weight of a link: the server's answer is waited for", () => {
  const store = chosen([1], [0], [1, 0.2, 0.4, 0.6], { pooled: true, n_queries: 4, n_keys: 4 });
  assert.equal(valueIn(store), null);
  tell(store, edges, ranking([1], [0], edge(0, 0.03), edge(1, 0.07)));
  assert.deepEqual([valueIn(store), valueIn(store, 1), valueIn(store, 2)], [0.03, 0.07, null]);
  assert.equal(linkTop(onSide(store.state, "a"), lockedLink(store.state, "a"), false), 1, "a link to a sink was asked for");
});

test("the answer replaces the overview, value-weighted where these maps are shown", () => {
  const store = chosen([1], [0], [1, 0, 0.4, 0.6]);
  tell(store, edges, ranking([1], [0], edge(0, 0.41, 0.11)));
  assert.equal(valueIn(store), 0.41);
  store.actions.setView({ values: "weighted" });
  assert.equal(valueIn(store), 0.11);
});

test("of an encoder-decoder the attentions without the link have no value", () => {
  const store = ready();
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  for (const [stack, rows, cols] of [["encoder", 3, 3], ["decoder", 2, 2], ["cross", 2, 3]]) {
    const values = new Uint8Array(2 * rows * cols).fill(128);
    store.actions.sides.a.receive({ ...overview(0, 1), stack, heads: 2, rows, cols, n_queries: rows, n_keys: cols, values });
  }
  store.actions.setView({ lock: { side: "a", queries: [4], keys: [1] } });
  const link = lockedLink(store.state, "a");
  const found = [0, 1, 2].map((stack) => linkValues(onSide(store.state, "a", stack), link, false)(frameOf(store.state, "a", stack), 0));
  assert.deepEqual(found.slice(0, 2), [null, null]);
  near(found[2], 0.25);
});

test("of two sides it is A − B once both are known", () => {
  const store = compared(3);
  const { a, b } = store.actions.sides;
  a.receive({ ...overview(0, 3), pooled: true });
  b.receive({ ...overview(0, 4), pooled: true });
  tell(store, comparison, comparisonOf(3));
  store.actions.setView({ lock: { side: "a", queries: [2], keys: [1] } });
  assert.equal(lockedLink(store.state, "b"), lockedLink(store.state, "b"), "the same object, or side b would be drawn at each move");
  tell(store, edges, ranking([2], [1], edge(0, 0.5)));
  assert.equal(valueIn(store, 0, true), null);
  tell(store, otherEdges, ranking([2], [1], edge(0, 0.2)));
  near(valueIn(store, 0, true), 0.3);
  assert.equal(linkTop(onSide(store.state, "a"), lockedLink(store.state, "a"), true), 0.3);
});
