// The state: actions change what they name, a changed question never keeps an old answer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyView } from "../../frontend/permalink.js";
import { activeFilter, allowedBy, headMap, isStale, question, shownFocus, weightAt } from "../../frontend/selectors.js";
import { createStore } from "../../frontend/store.js";
import { weightOfCode } from "../../frontend/wire.js";

const model = (id, pairs) => ({ id, name: id, n_layers: 2, n_heads: 3, pairs, available: true, loaded: true });
const config = {
  default_model: "both",
  examples: [{ title: "One", text: "first example", text_pair: null, hint: "" }],
  limits: { max_tokens: 9 },
  filters: [
    { id: "all", label: "All" },
    { id: "ab", label: "A→B", query_segment: 0, key_segment: 1 },
  ],
};
const token = (index, segment = 0) => ({
  index,
  id: index,
  text: `t${index}`,
  piece: `t${index}`,
  kind: "word_start",
  word: index,
  start: 0,
  end: 1,
  segment,
});
const start = (n, segmentOf = () => 0) => ({
  id: "a1",
  model: "both",
  n_layers: 2,
  n_heads: 3,
  n_tokens: n,
  tokens: Array.from({ length: n }, (_, at) => token(at, segmentOf(at))),
});
const overview = (layer, n) => ({
  kind: 1,
  layer,
  first_head: 0,
  heads: 3,
  rows: n,
  cols: n,
  n_queries: n,
  n_keys: n,
  values: Uint8Array.from({ length: 3 * n * n }, (_, at) => at % 256),
});

/** The answer to the question now in the boxes starts. */
function answer(store, message) {
  store.actions.pend();
  store.actions.begin(message);
}

function ready() {
  const store = createStore();
  store.actions.describe([model("both", true), model("single", false)], config);
  return store;
}

test("the first visit shows the default model and the first example with nothing pinned", () => {
  const { state } = ready();
  assert.deepEqual(question(state), { model: "both", text: "first example" });
  assert.deepEqual(state.pins, []);
});

test("what a link says is not overwritten by the defaults, an empty text included", () => {
  const store = createStore();
  store.actions.restore({ ...emptyView(), model: "single", text: "" });
  store.actions.describe([model("single", false)], config);
  assert.equal(store.state.text, "");
  assert.equal(store.state.model, "single");
  assert.equal(question(store.state), null);
});

test("a second sentence is asked only of a model that takes one, and only when it says something", () => {
  const store = ready();
  store.actions.editPair("  ");
  assert.equal(question(store.state).text_pair, undefined);
  store.actions.editPair("second");
  assert.equal(question(store.state).text_pair, "second");
  store.actions.chooseModel("single");
  assert.equal(question(store.state).text_pair, undefined);
  assert.equal(store.state.text_pair, "second", "it comes back with the next model that takes pairs");
});

test("typing makes the maps on screen stale until the new run starts", () => {
  const store = ready();
  answer(store, start(3));
  assert.equal(isStale(store.state), false);
  store.actions.toggleLock({ query: 1, key: 2 });
  store.actions.editText("changed");
  assert.equal(isStale(store.state), true);
  assert.equal(store.state.lock, null, "token numbers of another text mean nothing");
  answer(store, start(4));
  assert.equal(isStale(store.state), false);
  assert.equal(store.state.analysis.layers.size, 0);
});

test("an answer that starts while somebody types on is the answer to what was asked, not to what is typed", () => {
  const store = ready();
  store.actions.pend();
  store.actions.editText("typed on");
  store.actions.begin(start(3));
  assert.equal(isStale(store.state), true);
  store.actions.editText("first example");
  assert.equal(isStale(store.state), false);
});

test("a failure takes the old maps away", () => {
  const store = ready();
  store.actions.begin(start(3));
  store.actions.fail({ code: "text_too_long", message: "too long", details: {} });
  assert.equal(store.state.analysis, null);
  assert.equal(store.state.run.problem.message, "too long");
});

test("exact values of an analysis that is gone are ignored", () => {
  const store = ready();
  store.actions.begin(start(2));
  const old = store.state.analysis;
  store.actions.begin(start(2));
  store.actions.receiveExact(old, { layer: 0, head: 0 }, new Float32Array(4));
  assert.equal(store.state.analysis.exact.size, 0);
  assert.equal(old.exact.size, 0);
});

test("a head shows its overview until its exact values are here", () => {
  const store = ready();
  store.actions.begin(start(2));
  assert.equal(headMap(store.state.analysis, 1, 2), null);
  store.actions.receive(overview(1, 2));
  const rough = headMap(store.state.analysis, 1, 2);
  assert.equal(rough.weights, null);
  assert.equal(weightAt(rough, 1, 0), weightOfCode(10));
  const exact = Float32Array.from([1, 0, 0.3, 0.7]);
  store.actions.receiveExact(store.state.analysis, { layer: 1, head: 2 }, exact);
  assert.equal(weightAt(headMap(store.state.analysis, 1, 2), 1, 0), exact[2]);
});

test("in a pooled overview each token reads the cell of its block", () => {
  const frame = { ...overview(0, 2), n_queries: 3, n_keys: 3 };
  const map = headMap({ n_tokens: 3, layers: new Map([[0, frame]]), exact: new Map() }, 0, 0);
  assert.equal(map.block, 2);
  assert.equal(weightAt(map, 2, 1), weightOfCode(2));
  assert.equal(weightAt(map, 1, 2), weightOfCode(1));
});

test("pinning toggles, keeps the order and drops heads that the next model lacks", () => {
  const store = ready();
  const { actions } = store;
  actions.togglePin({ layer: 1, head: 2 });
  actions.togglePin({ layer: 0, head: 0 });
  actions.togglePin({ layer: 7, head: 0 });
  actions.setMode("lines", { layer: 0, head: 0 });
  actions.begin(start(2));
  assert.deepEqual(store.state.pins, [
    { layer: 1, head: 2, mode: "heatmap" },
    { layer: 0, head: 0, mode: "lines" },
  ]);
  actions.togglePin({ layer: 1, head: 2 });
  actions.setMode("heatmap");
  assert.deepEqual(store.state.pins, [{ layer: 0, head: 0, mode: "heatmap" }]);
});

test("a locked focus holds against hovering; clicking it again or Escape releases it", () => {
  const store = ready();
  const { actions } = store;
  actions.begin(start(3));
  actions.toggleLock({ query: 0, key: null });
  actions.hover({ query: 2, key: 1 });
  assert.deepEqual(shownFocus(store.state), { query: 0, key: null });
  actions.toggleLock({ query: 0, key: null });
  assert.equal(store.state.lock, null);
  actions.toggleLock({ query: 1, key: 1 });
  assert.equal(actions.release(), true);
  assert.equal(shownFocus(store.state), null);
  actions.pointAt({ layer: 0, head: 0 });
  assert.equal(actions.release(), true);
  assert.equal(store.state.cursor, null);
  assert.equal(actions.release(), false);
});

test("a locked focus from a link survives the start, unless it points past the last token", () => {
  const store = ready();
  const ask = { queries: [0], keys: [2], side: "queries" };
  store.actions.restore({ ...emptyView(), model: "both", text: "a", lock: { query: 0, key: 2 }, ask });
  store.actions.begin(start(3));
  assert.deepEqual(store.state.lock, { query: 0, key: 2 });
  assert.deepEqual(store.state.ask, ask);
  store.actions.begin(start(2));
  assert.equal(store.state.lock, null);
  assert.deepEqual(store.state.ask, emptyView().ask);
});

test("a link to tokens or heads that the text on screen lacks shows no focus and is forgotten", () => {
  const store = ready();
  const view = { ...emptyView(), model: "both", text: "another" };
  const beyond = [
    { query: 9, key: 9 },
    { query: 3, key: null },
    { query: null, key: 3 },
    { query: 0, key: 3 },
  ];
  for (const lock of beyond) {
    answer(store, start(3));
    const pins = [{ layer: 0, head: 99, mode: "heatmap" }];
    store.actions.receive(overview(0, 3));
    store.actions.restore({ ...view, text: `not ${store.state.text}`, lock, pins });
    assert.equal(isStale(store.state), true);
    assert.equal(shownFocus(store.state), null, "the old maps are still on screen");
    assert.equal(headMap(store.state.analysis, 0, 99), null);
    assert.deepEqual(store.state.lock, lock, "the answer may have these tokens");
    answer(store, start(3));
    assert.equal(store.state.lock, null);
    store.actions.restore({ ...view, text: store.state.text, lock, pins });
    assert.equal(store.state.lock, null, "no new answer will come for the same text");
    assert.deepEqual(store.state.pins, []);
  }
});

test("no focus is shown before there are tokens", () => {
  const store = ready();
  store.actions.toggleLock({ query: 0, key: 0 });
  assert.equal(shownFocus(store.state), null);
});

test("the cursor starts at the first head and stops at the edges", () => {
  const store = ready();
  store.actions.begin(start(2));
  store.actions.moveCursor(0, 1);
  assert.deepEqual(store.state.cursor, { layer: 0, head: 0 });
  for (let step = 0; step < 9; step += 1) store.actions.moveCursor(1, 1);
  assert.deepEqual(store.state.cursor, { layer: 1, head: 2 });
  store.actions.moveCursor(-9, -9);
  assert.deepEqual(store.state.cursor, { layer: 0, head: 0 });
});

test("a filter works on pairs only and lets through exactly its links", () => {
  const store = ready();
  store.actions.chooseFilter("ab");
  store.actions.begin(start(4));
  assert.equal(activeFilter(store.state), null);
  store.actions.begin(start(4, (at) => Number(at >= 2)));
  const allowed = allowedBy(activeFilter(store.state), store.state.analysis.tokens);
  const shown = [];
  for (let query = 0; query < 4; query += 1)
    for (let key = 0; key < 4; key += 1) if (allowed(query, key)) shown.push([query, key]);
  assert.deepEqual(shown, [
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
  ]);
});

test("listeners hear which parts changed, and nothing when nothing did", () => {
  const store = ready();
  const heard = [];
  store.subscribe((_, changed) => heard.push([...changed]));
  store.actions.hover({ query: 1, key: null });
  store.actions.hover({ query: 1, key: null });
  store.actions.chooseFilter("all");
  assert.deepEqual(heard, [["hover"]]);
});

test("arrow keys move the focus over the tokens, a locked one too, and stop at the ends", () => {
  const store = ready();
  const { actions } = store;
  actions.begin(start(3));
  actions.moveFocus(1, 0);
  assert.deepEqual(store.state.hover, { query: 0, key: null });
  actions.moveFocus(0, -1);
  assert.deepEqual(store.state.hover, { query: 0, key: 2 });
  actions.lockFocus();
  actions.moveFocus(1, 1);
  assert.deepEqual(store.state.lock, { query: 1, key: 2 });
  actions.lockFocus();
  assert.equal(store.state.lock, null);
});
