// The grid's actions: measures arrive layer by layer, and arrow keys follow what is seen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createStore } from "../../frontend/store.js";

const metric = { name: "previous", label: "previous", unit: "", meaning: "", range: [0, 1], kind: "number" };
const config = { default_model: "m", examples: [], filters: [], limits: {} };

function begun() {
  const store = createStore();
  store.actions.describe([{ id: "m" }], config, { metrics: [metric], shapes: [] });
  const opportunities = { previous: { n: 2, baseline: 0.5, ceiling: 1 } };
  store.actions.begin({ id: "a", model: "m", n_layers: 2, n_heads: 2, n_tokens: 2, tokens: [], opportunities });
  return store;
}
const measures = (layer, previous) => ({ layer, raw: { previous }, weighted: null, labels: [[], []] });

test("measures of a layer go to the analysis they belong to and are announced", () => {
  const store = begun();
  const heard = [];
  store.subscribe((_, changed) => heard.push(...changed));
  store.actions.receiveMeasures(measures(1, [0, null]));
  assert.deepEqual(store.state.analysis.measures.get(1).raw.previous, [0, null]);
  assert.equal(store.state.analysis.opportunities.previous.n, 2);
  assert.deepEqual(heard, ["measured"]);
  store.actions.fail({ code: "x", message: "", details: null });
  store.actions.receiveMeasures(measures(0, [0, 0]));
  assert.equal(store.state.analysis, null);
});

test("arrow keys walk over the heads as they are ordered", () => {
  const store = begun();
  const { actions } = store;
  actions.receiveMeasures(measures(0, [0.1, 0.4]));
  actions.receiveMeasures(measures(1, [0.3, 0.2]));
  actions.chooseColor("previous");
  actions.chooseSort("value");
  const walked = [[0, 1], [0, 1], [1, 0], [0, -1], [5, 5]].map((step) => {
    actions.moveCursor(...step);
    return `${store.state.cursor.layer}.${store.state.cursor.head}`;
  });
  assert.deepEqual(walked, ["0.1", "1.0", "0.0", "1.1", "0.0"]);
  actions.chooseSort("model");
  actions.moveCursor(0, 1);
  assert.deepEqual(store.state.cursor, { layer: 0, head: 1 });
});

test("each choice changes what it names", () => {
  const held = createStore();
  held.actions.chooseColor("role");
  held.actions.setWeighted(true);
  held.actions.chooseSort("value");
  held.actions.chooseShow("group:syntax");
  const { color_by, weighted, sort, show } = held.state;
  assert.deepEqual([color_by, weighted, sort, show], ["role", true, "value", "group:syntax"]);
});

test("a colour without a baseline lets all heads stand out again", () => {
  const held = createStore();
  held.actions.chooseShow("above");
  held.actions.chooseColor("map");
  assert.equal(held.state.show, "all");
  held.actions.chooseShow("group:syntax");
  held.actions.chooseColor("role");
  assert.equal(held.state.show, "group:syntax");
});
