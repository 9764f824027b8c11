// The grid's actions: measures arrive layer by layer, and arrow keys follow what is seen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, compared, newStore, overview, ready, start, threeStacks } from "../small_answer.js";

const metric = { name: "previous", label: "previous", unit: "", meaning: "", range: [0, 1], kind: "number" };
const config = { default_model: "m", examples: [], filters: [], limits: {} };

function begun() {
  const store = newStore();
  store.actions.describe([{ id: "m" }], config, { metrics: [metric], shapes: [] });
  const opportunities = { previous: { n: 2, baseline: 0.5, ceiling: 1 } };
  const stack = { stack: "encoder", n_layers: 2, n_heads: 2, queries: [0, 2], keys: [0, 2], causal: false };
  store.actions.sides.a.begin(start(2, { id: "a", model: "m", opportunities, stacks: [stack] }));
  return store;
}
const measures = (layer, previous) => ({ layer, raw: { previous }, weighted: null, labels: [[], []] });

test("measures of a layer go to the analysis they belong to and are announced", () => {
  const store = begun();
  const side = store.actions.sides.a;
  const before = store.state.sides.a;
  side.receiveMeasures(measures(1, [0, null]));
  const { analysis, measured } = store.state.sides.a;
  assert.deepEqual(analysis.measures.get(1).raw.previous, [0, null]);
  assert.equal(analysis.opportunities.previous.n, 2);
  assert.deepEqual([analysis, measured], [before.analysis, before.measured + 1]);
  side.fail({ code: "x", message: "", details: null });
  side.receiveMeasures(measures(0, [0, 0]));
  assert.equal(store.state.sides.a.analysis, null);
});

test("arrow keys walk over the heads as they are ordered", () => {
  const store = begun();
  const { actions } = store;
  actions.sides.a.receiveMeasures(measures(0, [0.1, 0.4]));
  actions.sides.a.receiveMeasures(measures(1, [0.3, 0.2]));
  actions.chooseColor("previous");
  actions.setView({ sort: "value" });
  const walked = [[0, 1], [0, 1], [1, 0], [0, -1], [5, 5]].map((step) => {
    actions.moveCursor(...step);
    return `${store.state.cursor.layer}.${store.state.cursor.head}`;
  });
  assert.deepEqual(walked, ["0.1", "1.0", "0.0", "1.1", "0.0"]);
  actions.setView({ sort: "model" });
  actions.moveCursor(0, 1);
  assert.deepEqual(store.state.cursor, { side: "a", stack: 0, layer: 0, head: 1 });
});

test("the cursor starts at the first head and stops at the edges", () => {
  const store = ready();
  answer(store, start(2));
  const at = (rows, columns) => {
    store.actions.moveCursor(rows, columns);
    return `${store.state.cursor.layer}.${store.state.cursor.head}`;
  };
  assert.equal(at(0, 1), "0.0");
  for (let step = 0; step < 8; step += 1) at(1, 1);
  assert.equal(at(1, 1), "1.2");
  assert.equal(at(-9, -9), "0.0");
});

test("the cursor does not walk over what was asked before", () => {
  const store = ready();
  answer(store, start(2));
  store.actions.editText("another");
  store.actions.moveCursor(0, 1);
  assert.equal(store.state.cursor, null);
});

test("there is no cursor before there are heads", () => {
  const store = newStore();
  store.actions.moveCursor(0, 1);
  store.actions.moveCursor(0, 1, { side: "b", stack: 0 });
  assert.equal(store.state.cursor, null);
});

test("each grid has its own edges, and a cursor that comes from another one starts anew", () => {
  const store = ready();
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  store.actions.sides.a.receive(overview(0, 3));
  for (let step = 0; step < 9; step += 1) store.actions.moveCursor(1, 1);
  assert.deepEqual(store.state.cursor, { side: "a", stack: 0, layer: 1, head: 2 });
  store.actions.moveCursor(0, 1, { side: "a", stack: 2 });
  assert.deepEqual(store.state.cursor, { side: "a", stack: 2, layer: 0, head: 0 });
  for (let step = 0; step < 9; step += 1) store.actions.moveCursor(1, 1, { side: "a", stack: 2 });
  assert.deepEqual(store.state.cursor, { side: "a", stack: 2, layer: 0, head: 1 });
});

test("the cursor of side b walks over the heads of side b", () => {
  const store = compared(3);
  const one = { stack: "encoder", n_layers: 1, n_heads: 1, queries: [0, 2], keys: [0, 2], causal: false };
  store.actions.sides.b.begin(start(2, { stacks: [one] }));
  const b = { side: "b", stack: 0 };
  for (let step = 0; step < 3; step += 1) store.actions.moveCursor(1, 1, b);
  assert.deepEqual(store.state.cursor, { ...b, layer: 0, head: 0 });
});

test("each choice changes what it names", () => {
  const held = newStore();
  held.actions.chooseColor("role");
  held.actions.setWeighted(true);
  held.actions.setView({ sort: "value" });
  held.actions.setView({ show: "group:syntax" });
  const { color_by, values, sort, show } = held.state;
  assert.deepEqual([color_by, values, sort, show], ["role", "weighted", "value", "group:syntax"]);
  held.actions.setWeighted(false);
  assert.equal(held.state.values, "raw");
});

test("a colour without a baseline lets all heads stand out again", () => {
  const held = newStore();
  held.actions.setView({ show: "above" });
  held.actions.chooseColor("map");
  assert.equal(held.state.show, "all");
  held.actions.setView({ show: "group:syntax" });
  held.actions.chooseColor("role");
  assert.equal(held.state.show, "group:syntax");
});
