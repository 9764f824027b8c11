// The one state and who hears of its changes; what the actions do is tested beside each of their files.

import assert from "node:assert/strict";
import { test } from "node:test";

import { initialState } from "../../../frontend/state/state.js";
import { createStore } from "../../../frontend/actions/store.js";
import { compared, ready } from "../small_answer.js";

test("listeners hear which parts changed, and nothing when nothing did", () => {
  const store = ready();
  const heard = [];
  store.subscribe((_, changed) => heard.push([...changed]));
  store.actions.hover({ side: "a", queries: [1], keys: [] });
  store.actions.hover({ side: "a", queries: [1], keys: [] });
  store.actions.chooseFilter("all");
  assert.deepEqual(heard, [["hover"]]);
});

test("a change makes a new state and leaves the one before as it was", () => {
  const store = ready();
  const before = store.state;
  const copy = structuredClone(before);
  store.actions.togglePin({ layer: 0, head: 0 });
  store.actions.look({ scale: "log", mass: 0 });
  assert.notEqual(store.state, before);
  assert.deepEqual(before, copy);
  assert.deepEqual([store.state.scale, store.state.mass, store.state.pins.length], ["log", 0, 1]);
});

test("a listener that acts itself is heard by all others too", () => {
  const store = createStore();
  const heard = [];
  store.subscribe((state, changed) => {
    if (changed.has("tab") && state.tab === "ask") store.actions.chooseTab("heads");
  });
  store.subscribe((_, changed) => heard.push([...changed].join()));
  store.actions.chooseTab("ask");
  assert.equal(store.state.tab, "heads");
  assert.deepEqual(heard, ["tab", "tab"]);
});

test("both sides have the actions of a run, each its own answer", () => {
  const { state, actions } = compared(3);
  assert.deepEqual([state.analysis.id, state.other.analysis.id], ["a1", "b1"]);
  for (const name of Object.keys(actions.b)) assert.equal(typeof actions[name], "function", name);
});

test("a store may begin with a state it is given", () => {
  assert.equal(createStore({ ...initialState(), tab: "heads" }).state.tab, "heads");
});
