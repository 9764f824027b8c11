// A view is all that a person has chosen, and nothing that the server said.

import assert from "node:assert/strict";
import { test } from "node:test";

import { answer, ready, start, viewWith, views } from "../small_answer.js";

test("the view of a state is what was chosen, whatever answers and pointers there are besides", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.hover({ side: "a", queries: [0], keys: [] });
  store.actions.togglePin({ layer: 0, head: 0 });
  const pins = [{ kind: "head", side: "a", stack: 0, layer: 0, head: 0, mode: "heatmap" }];
  assert.deepEqual(views.pick(store.state), viewWith({ model: "both", text: "first example", pins }));
});

test("what is zero, empty or false is chosen too", () => {
  const chosen = viewWith({ text: "", text_pair: "", mass: 0, renormalise: false, continuation: [0] });
  assert.deepEqual(views.pick({ ...chosen, cursor: null, typing: true }), chosen);
});

test("the parts of a view stay the same while only answers and pointers change", () => {
  const store = ready();
  store.actions.compareWith({ text: "other" });
  const before = Object.values(views.parts(store.state));
  answer(store, start(3));
  store.actions.hover({ side: "a", queries: [0], keys: [] });
  const after = Object.values(views.parts(store.state));
  assert.ok(after.every((part, at) => part === before[at]));
  store.actions.compareWith({ text: "another" });
  assert.equal(Object.values(views.parts(store.state)).filter((part, at) => part !== before[at]).length, 1);
});
