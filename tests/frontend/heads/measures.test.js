// Numbers of heads: null stays null, zero stays zero, and the order of the grid follows what is coloured.

import assert from "node:assert/strict";
import { test } from "node:test";

import { absence, chosenQuantity, hasAllLayers, hasWeighted, numberText, partOf, shortNames, shortNumber, valueText } from "../../../frontend/heads/measures.js";
import { orderOf, orderedBy } from "../../../frontend/heads/ordering.js";
import { comparison } from "../../../frontend/compare/comparison.js";
import { onSide } from "../../../frontend/state/sides.js";
import { compared, comparisonOf, tell } from "../small_answer.js";
import { smallAtlas, withAtlas } from "../small_atlas.js";

const metric = (name, range, kind = "number") => ({ name, label: name, unit: "share", meaning: "", range, kind });
const metrics_catalogue = {
  metrics: [metric("previous", [0, 1]), metric("distance", [0, null]), metric("shape", [0, 1], "class")],
  shapes: ["vertical", "diagonal", "both", "block"],
};
const layerOf = (previous, weighted = null) => ({
  raw: { previous, distance: [1, 2, 37], shape: ["block", "vertical", null] },
  weighted: weighted && { previous: weighted },
  labels: [[], [], []],
});
const analysisOf = (...layers) => ({
  model: "both",
  value_weights: true,
  n_layers: 2,
  n_heads: 3,
  measures: new Map(layers.entries()),
  opportunities: { previous: { n: 4, baseline: 0.2, ceiling: 1 }, distance: { n: 0, baseline: null, ceiling: null } },
});
const stateOf = (more = {}) => ({
  ...withAtlas(null),
  metrics_catalogue,
  model: "both",
  analysis: analysisOf(layerOf([0, 0.5, null], [0.3, 0.2, 0.1]), layerOf([0.9, 0.1, 0.5], [0, 0, 0])),
  color_by: "previous",
  values: "raw",
  sort: "value",
  show: "all",
  ...more,
});

test("a metric of the sentence keeps zeros, nulls and its value-weighted values apart", () => {
  const quantity = chosenQuantity(stateOf());
  assert.deepEqual(quantity.values, [0, 0.5, null, 0.9, 0.1, 0.5]);
  assert.deepEqual([quantity.low, quantity.high, quantity.n, quantity.baseline], [0, 1, 4, 0.2]);
  assert.equal(quantity.where, "on this sentence");
  assert.equal(quantity.against, "uniform attention");
  const weighted = chosenQuantity(stateOf({ values: "weighted" }));
  assert.deepEqual(weighted.values, [0.3, 0.2, 0.1, 0, 0, 0]);
  assert.match(weighted.where, /value-weighted/);
  assert.deepEqual(chosenQuantity(stateOf({ values: "both" })).values, quantity.values, "both: the cells show the raw ones");
});

test("whether there are value-weighted maps is known from the start of an answer, before its layers", () => {
  assert.equal(hasWeighted(stateOf({ analysis: analysisOf() })), true);
  assert.equal(hasWeighted(stateOf({ analysis: analysisOf(layerOf([0, 0, 0])) })), true, "a raw answer has no weighted metrics");
  assert.equal(hasWeighted(stateOf({ analysis: { ...analysisOf(), value_weights: false } })), false);
  assert.equal(hasWeighted(stateOf({ analysis: null })), null);
});

test("a value-weighted view of a raw answer shows no raw number and keeps the model's order", () => {
  const analysis = analysisOf(layerOf([0, 0.5, null]), layerOf([0.9, 0.1, 0.5]));
  const state = stateOf({ analysis, values: "weighted" });
  const quantity = chosenQuantity(state);
  assert.deepEqual(quantity.values, new Array(6).fill(null));
  assert.equal(valueText(quantity, quantity.values[0]), "…");
  assert.equal(orderOf(state), null);
  assert.deepEqual([hasAllLayers(state), hasAllLayers({ ...state, values: "both" })], [false, true]);
  const classes = chosenQuantity({ ...state, color_by: "shape" });
  assert.equal(valueText(classes, classes.values[0]), "…");
});

test("layers on their way have no values yet, and the grid keeps its order until all are here", () => {
  const state = stateOf({ analysis: analysisOf(layerOf([0, 0.5, null])) });
  assert.deepEqual(chosenQuantity(state).values, [0, 0.5, null, null, null, null]);
  assert.equal(valueText(chosenQuantity(state), null), "…");
  assert.equal(valueText(chosenQuantity({ ...state, color_by: "distance" }), null), "no case in this sentence", "known before any layer");
  assert.equal(orderOf(state), null);
  assert.deepEqual(orderOf(stateOf()).places, [3, 1, 5, 4, 0, 2]);
  assert.equal(orderOf(stateOf({ sort: "model" })), null);
});

test("a scale without a bound ends at a round number above all values", () => {
  const quantity = chosenQuantity(stateOf({ color_by: "distance" }));
  assert.deepEqual([quantity.low, quantity.high], [0, 50]);
  assert.equal(partOf(quantity, 25), 0.5);
  assert.equal(partOf(quantity, 99), 1);
});

test("classes are told by name and stand together", () => {
  const state = stateOf({ color_by: "shape" });
  const quantity = chosenQuantity(state);
  assert.deepEqual(quantity.values, [3, 0, null, 3, 0, null]);
  assert.equal(valueText(quantity, 3), "block");
  assert.deepEqual(orderOf(state).places, [1, 4, 0, 3, 2, 5]);
  assert.deepEqual(shortNames(metrics_catalogue.shapes), ["ve", "di", "bo", "bl"]);
  assert.deepEqual(shortNames(["block", "blob"]), ["bloc", "blob"]);
});

test("a measure of the corpus is coloured by the record, and roles order by strength", () => {
  const atlas = withAtlas(smallAtlas());
  const state = stateOf({ ...atlas, color_by: "corpus:gap" });
  assert.deepEqual(chosenQuantity(state).values, [0.5, 0.52, null, 0.6, 0.7, 0.4]);
  assert.equal(chosenQuantity(state).against, "baseline", "of a corpus it need not be uniform attention");
  assert.deepEqual(orderOf(state).places, [4, 3, 1, 0, 5, 2]);
  assert.equal(chosenQuantity(stateOf({ color_by: "corpus:gap" })), null, "without a record there is nothing");
  const byRole = stateOf({ ...atlas, color_by: "role" });
  assert.deepEqual(orderOf(byRole).places, [4, 5, 1, 0, 2, 3], "syntax first, then local context, then unassigned");
  assert.equal(orderedBy(byRole), "role");
  assert.deepEqual(orderOf(stateOf({ ...atlas, color_by: "map", show: "role:previous" })).places.slice(0, 2), [5, 1]);
  assert.equal(orderOf(stateOf({ ...atlas, color_by: "map" })), null, "maps have no strength");
  assert.equal(orderedBy(stateOf({ ...atlas, color_by: "map" })), null);
});

test("the change between two sides colours and orders the cells, and does neither without a comparison", () => {
  const store = compared();
  store.actions.setView({ color_by: "change", sort: "value" });
  assert.equal(chosenQuantity(onSide(store.state, "a")), null);
  const heads = [0.25, 0, 0.75, 0.5, 1, 0.125].map((change, at) => ({ layer: Math.floor(at / 3), head: at % 3, change }));
  tell(store, comparison, comparisonOf(3, { heads }));
  const state = onSide(store.state, "a");
  assert.deepEqual(chosenQuantity(state).values, [0.25, 0, 0.75, 0.5, 1, 0.125]);
  assert.deepEqual(orderOf(state).places, [4, 2, 3, 0, 5, 1], "no layer of measures is needed for it");
});

test("a quantity is the same object until something it is made of changes, whatever else is asked for in between", () => {
  const state = stateOf({ measured: 1 });
  const quantity = chosenQuantity(state);
  chosenQuantity({ ...state, color_by: "distance" });
  chosenQuantity({ ...state, values: "weighted" });
  assert.equal(chosenQuantity({ ...state, hover: {} }), quantity);
  assert.notEqual(chosenQuantity({ ...state, measured: 2 }), quantity, "measures grow in place");
});

test("what is missing has no case or is undefined, never a number", () => {
  assert.equal(absence(0), "no case in this sentence");
  assert.equal(absence(0, "corpus"), "no case in the corpus");
  assert.equal(absence(3), "undefined");
  assert.equal(valueText(chosenQuantity(stateOf()), null), "undefined");
  assert.equal(valueText(chosenQuantity(stateOf()), 0), "0.000");
});

test("where heads are not measured at all, that is said instead of a number", () => {
  const quantity = chosenQuantity(stateOf({ analysis: { ...analysisOf(), opportunities: null } }));
  assert.deepEqual([quantity.n, quantity.baseline], [null, null]);
  assert.equal(valueText(quantity, quantity.values[0]), "not measured for cross-attention");
});

test("numbers are short in cells and exact enough in words", () => {
  assert.deepEqual([0, 0.934, 0.999, 1, -0.25, 3.14, 12.6].map(shortNumber), [".00", ".93", "1.0", "1.0", "−.25", "3.1", "13"]);
  assert.deepEqual([0, 0.9344, -1, 12.34, 345.6].map(numberText), ["0.000", "0.934", "−1.000", "12.3", "346"]);
});
