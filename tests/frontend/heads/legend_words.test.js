// What the legend says of the tiles of long texts and of renormalised rows.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { poolingWords } from "../../../frontend/heads/legend_words.js";
import { edges } from "../../../frontend/maps/edges.js";
import { exactRows } from "../../../frontend/maps/exact_rows.js";
import { onSide } from "../../../frontend/state/sides.js";
import { answer, compared, comparisonOf, overview, ready, start, tell } from "../small_answer.js";

const LONG = 200;
const pooled = (more = {}) => overview(0, LONG, { rows: 100, cols: 100, pooled: true, ...more });
const ranking = { queries: [3], keys: [1], uniform: 0.1, elsewhere: 1, others: 0, heads: [] };

/** A long text whose overview is pooled. */
function longText({ causal = false } = {}) {
  const store = ready();
  const stack = { stack: "encoder", n_layers: 2, n_heads: 3, queries: [0, LONG], keys: [0, LONG], causal };
  answer(store, start(LONG, { stacks: [stack] }));
  store.actions.sides.a.receive(pooled({ causal }));
  return store;
}

const said = ({ state }, side = "a") => poolingWords(onSide(state, side));
const choose = (store, queries, keys, side = "a") => store.actions.setView({ lock: { side, queries, keys } });

test("a short text is shown as it is, but for rows that are renormalised", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.sides.a.receive(overview(0, 3));
  assert.equal(said(store), "");
  store.actions.setView({ hide: "special", renormalise: true });
  assert.equal(said(store), "; rows renormalised");
  choose(store, [2], [1]);
  assert.equal(said(store), "", "a link is not");
});

test("of a long text blocks are the largest weight, and exact rows are waited for", () => {
  const store = longText();
  assert.match(said(store), /each cell shows the largest of 2 × 2 weights$/);
  choose(store, [3], []);
  assert.match(said(store), /for now each stripe shows the largest of 2 weights$/);
  tell(store, exactRows, { layers: 2, heads: 3, n_keys: LONG, weights: new Float32Array(6 * LONG) });
  assert.match(said(store), /each stripe shows the largest weight of its tokens$/);
});

test("a link is waited for, or it is said why it does not come", () => {
  const store = longText();
  choose(store, [3], [1]);
  assert.equal(said(store), "; hatched until the exact weights are here");
  tell(store, edges, ranking);
  assert.equal(said(store), "");
  tell(store, edges, null, undefined, { code: "x", message: "No memory.", details: null });
  assert.equal(said(store), "; hatched: No memory.");
  const causal = longText({ causal: true });
  choose(causal, [1], [3]);
  assert.equal(said(causal), "; hatched: no head can have this link");
});

test("a link of B that has no counterpart in A is not waited for", () => {
  const store = compared(LONG);
  for (const side of ["a", "b"]) store.actions.sides[side].receive(pooled());
  tell(store, comparison, comparisonOf(LONG));
  choose(store, [LONG], [1], "b");
  assert.equal(said(store, "b"), "; hatched: A and B are not aligned here");
  choose(store, [3], [1], "b");
  assert.equal(said(store, "b"), "; hatched until the exact weights are here");
});
