// The record of a model's heads is asked for where the server lists one, and stays until a newer one is here.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atlas, atlasOfModel } from "../../../frontend/heads/atlas.js";
import { models, ready, tell } from "../small_answer.js";

const asked = ({ state }) => atlas.questions(state);
const BARE = { ...models[1], no_atlas: "Build one." };

test("the model on screen is asked for, and the other one when two are compared", () => {
  const store = ready();
  assert.deepEqual(asked(store), [{ model: "both", edition: 0 }]);
  store.actions.compareWith({ text: "other words" });
  assert.deepEqual(asked(store), [{ model: "both", edition: 0 }], "one model on both sides is asked for once");
  store.actions.compareWith({ model: "single" });
  assert.deepEqual(asked(store).map(({ model }) => model), ["both", "single"]);
  assert.equal(atlas.path(asked(store)[1]), "/models/single/atlas");
});

test("a model of which the server says that it has no record is not asked for, and why is known at once", () => {
  const store = ready();
  const state = { ...store.state, models: [models[0], BARE] };
  assert.deepEqual(asked({ state: { ...state, sides: { ...state.sides, a: { ...state.sides.a, model: "single" } } } }), []);
  const known = atlasOfModel(state, "single");
  assert.deepEqual([known.answer, known.problem], [null, { code: "no_atlas", message: "Build one.", details: { model: "single" } }]);
  assert.equal(atlasOfModel(state, "single"), known, "the same object each time");
  assert.equal(atlasOfModel(state, "both"), null, "nothing is known yet");
});

test("a record is asked for anew after each section that was measured, and the older one stays until then", () => {
  const store = ready();
  tell(store, atlas, "first");
  const measured = { ...store.state, build: { ...store.state.build, edition: 1 } };
  assert.deepEqual(atlas.questions(measured), [{ model: "both", edition: 1 }]);
  assert.equal(atlasOfModel(measured, "both").answer, "first");
  tell(store, atlas, "second", { model: "both", edition: 1 });
  assert.equal(atlasOfModel({ ...store.state, build: measured.build }, "both").answer, "second");
});

test("the record of one model is not taken for that of another", () => {
  const store = ready();
  tell(store, atlas, "record");
  assert.equal(atlasOfModel(store.state, "both").answer, "record");
  assert.equal(atlasOfModel(store.state, "single"), null);
});
