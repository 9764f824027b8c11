// What the menus of the grid offer: what the server describes and two sides give, nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { colourMenu, comparedColours, showMenu } from "../../../../frontend/views/grid/grid_tools.js";
import { compared, ready } from "../../small_answer.js";
import { smallAtlas, withAtlas } from "../../small_atlas.js";

const metric = { name: "made_up", label: "made up", meaning: "m", range: [0, 1], kind: "number", unit: "" };
const stateOf = (more = {}) => ({
  ...withAtlas(smallAtlas()),
  ...{ model: "both", analysis: null, color_by: "map", values: "raw", show: "all" },
  metrics_catalogue: { metrics: [metric], shapes: [] },
  ...more,
});
const values = (parts) => parts.flatMap(({ options }) => options.map(({ value }) => value));

test("menus hold what the server describes and nothing else", () => {
  assert.deepEqual(values(colourMenu(stateOf())), ["map", "role", "made_up", "corpus:entropy", "corpus:gap"]);
  assert.deepEqual(values(showMenu(stateOf())), [
    "all",
    ...["spec:verb-object", "spec:pronoun resolution, coreference", "spec:cause"],
    ...["role:obj:dependent", "role:obj:head", "role:previous"],
  ]);
  const without = stateOf({ answers: new Map(), metrics_catalogue: { metrics: [], shapes: [] } });
  assert.deepEqual(values(colourMenu(without)), ["map"]);
  assert.deepEqual(values(showMenu(without)), ["all"]);
});

test("the group that the legend chose is named, with how many heads have one of its roles", () => {
  const [first] = showMenu(stateOf({ show: "group:local" }));
  assert.deepEqual(first.options.map(({ value, text }) => [value, text]), [
    ["all", "All heads"],
    ["group:local", "Local context (2)"],
  ]);
});

test("a question that no head answers says so", () => {
  const questions = showMenu(stateOf()).find(({ label }) => label === "Questions").options.map(({ text }) => text);
  assert.equal(questions[0], "Which heads link a verb and its object?");
  assert.equal(questions[1], "Which heads link a pronoun to its name? (no head passed the test)");
});

test("heads above a baseline are offered only where there is something to compare", () => {
  const opportunities = { made_up: { n: 4, baseline: 0.2, ceiling: 1 } };
  const analysis = { model: "other", n_layers: 1, n_heads: 1, measures: new Map(), opportunities };
  const offered = (color_by) => values(showMenu(stateOf({ answers: new Map(), analysis, color_by })));
  assert.deepEqual(offered("made_up"), ["all", "above"]);
  assert.deepEqual(offered("map"), ["all"]);
});

test("cells can be coloured by change, or by similarity to another model on the side whose heads were matched", () => {
  assert.deepEqual(comparedColours(ready().state), []);
  const store = compared(3);
  assert.deepEqual(comparedColours(store.state), [{ value: "change", text: "Change between A and B" }]);
  store.actions.setView({ grid_side: "b" });
  assert.equal(comparedColours(store.state).length, 1);
  store.actions.compareWith({ model: "single" });
  assert.deepEqual(comparedColours(store.state), []);
  store.actions.setView({ grid_side: "a" });
  assert.deepEqual(comparedColours(store.state), [{ value: "change", text: "Similarity to the other model" }]);
});
