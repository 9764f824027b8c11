// Whose maps the grid shows: what was chosen where that is possible, else A, and why.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { awaitsComparison, headsSide, pinsInGrid, shownSide, whyNoDifference } from "../../../frontend/heads/grid_side.js";
import { answer, compared, comparisonOf, ready, start, tell } from "../small_answer.js";

const told = (store, changes = {}) => tell(store, comparison, comparisonOf(3, changes));

test("without a second side the grid shows A, whatever a link says", () => {
  for (const grid_side of ["a", "b", "difference"]) {
    const { state } = ready();
    assert.deepEqual(shownSide({ ...state, grid_side }), { side: "a", why: "" });
  }
});

test("with two answers of one model each side and their difference are shown as chosen", () => {
  const store = compared(3);
  told(store);
  for (const grid_side of ["a", "b", "difference"]) {
    const state = { ...store.state, grid_side };
    assert.deepEqual(shownSide(state), { side: grid_side, why: "" });
    assert.equal(headsSide(state), grid_side === "b" ? "b" : "a");
    assert.equal(awaitsComparison(state, "a"), false);
  }
});

test("the grid marks the pins of what it shows: heads of its side, or differences of one head with itself", () => {
  const store = compared(3);
  told(store);
  const one = (layer, head, side = "a") => ({ kind: "head", side, stack: 0, layer, head, mode: "heatmap" });
  const minus = (first, second) => ({ kind: "difference", one: first, other: second, mode: "heatmap" });
  const pins = [one(0, 1), one(1, 0, "b"), minus(one(0, 2), one(0, 2, "b")), minus(one(0, 1), one(1, 1, "b")), minus(one(0, 0), one(0, 1))];
  const marked = (grid_side, side) => pinsInGrid({ ...store.state, pins, grid_side }, { side, stack: 0 });
  assert.deepEqual(marked("a", "a"), [{ layer: 0, head: 1, at: 0 }]);
  assert.deepEqual(marked("b", "b"), [{ layer: 1, head: 0, at: 1 }]);
  assert.deepEqual(marked("difference", "a"), [{ layer: 0, head: 2, at: 2 }]);
});

test("heads of two models are not subtracted, and the reason is told", () => {
  const store = compared(3);
  store.actions.compareWith({ model: "single" });
  store.actions.setView({ grid_side: "difference" });
  const { side, why } = shownSide(store.state);
  assert.equal(side, "a");
  assert.match(why, /two models.*The grid shows A\./);
  assert.equal(awaitsComparison(store.state, "a"), false, "what cannot come is not waited for");
});

test("the difference falls back to A when B failed or nothing could be compared", () => {
  const failed = compared(3);
  failed.actions.setView({ grid_side: "difference" });
  failed.actions.sides.b.fail({ code: "text_too_long", message: "Too long.", details: null });
  assert.match(shownSide(failed.state).why, /B has no answer/);
  assert.equal(shownSide(failed.state).side, "a");

  const refused = compared(3);
  tell(refused, comparison, null, undefined, { code: "x", message: "Nothing aligned.", details: null });
  assert.match(whyNoDifference(refused.state), /Nothing aligned\./);
});

test("while both sides are on their way the difference is waited for, and so is the change of each head", () => {
  const store = compared(3);
  store.actions.setView({ grid_side: "difference" });
  assert.equal(shownSide(store.state).side, "difference");
  assert.notEqual(shownSide(store.state).why, "");
  assert.deepEqual(["a", "b"].map((side) => awaitsComparison(store.state, side)), [true, false]);
  store.actions.setView({ grid_side: "a", color_by: "change" });
  assert.deepEqual(["a", "b"].map((side) => awaitsComparison(store.state, side)), [true, true]);
  store.actions.compareWith({ model: "single" });
  assert.equal(awaitsComparison(store.state, "b"), false, "the heads of another model have no match of their own");
  assert.equal(awaitsComparison(store.state, "a"), true, "side b has no answer of that model yet");
  answer(store, start(4, { id: "b2", model: "single" }), "b");
  told(store);
  assert.equal(awaitsComparison(store.state, "a"), false);
});

test("colours by a number are of A: only maps are subtracted", () => {
  const store = ready();
  const metric = { name: "entropy", label: "entropy", unit: "", range: [0, 1], meaning: "", formula: "", kind: "number", called: null };
  store.actions.describe(store.state.models, store.state.config, { metrics: [metric], shapes: [] });
  store.actions.compareWith({ text: "other words" });
  answer(store, start(3));
  answer(store, start(3, { id: "b1" }), "b");
  told(store);
  store.actions.setView({ grid_side: "difference", color_by: "entropy" });
  assert.deepEqual(shownSide(store.state), { side: "a", why: "Only maps are subtracted: these colours are of A." });
  store.actions.setView({ color_by: "change" });
  assert.deepEqual(shownSide(store.state), { side: "a", why: "" });
});

test("while a text is typed and taken back, what was known of both sides is not told of other tokens", () => {
  const store = compared(3);
  told(store);
  store.actions.setView({ grid_side: "difference" });
  store.actions.editText("typed");
  answer(store, start(7));
  store.actions.editText("first example");
  assert.equal(awaitsComparison(store.state, "a"), true, "the maps of A are still of what was typed");
  answer(store, start(3));
  assert.equal(awaitsComparison(store.state, "a"), false);
});
