// The one state and who hears of its changes; what the actions do is tested beside each of their files.

import assert from "node:assert/strict";
import { test } from "node:test";

import { compared, newStore, ready } from "../small_answer.js";

test("listeners hear of each change with the state before it, and nothing when nothing changed", () => {
  const store = ready();
  const heard = [];
  store.subscribe((state, before) => heard.push([before.hover, state.hover]));
  const hover = { side: "a", queries: [1], keys: [] };
  store.actions.hover(hover);
  store.actions.hover({ side: "a", queries: [1], keys: [] });
  store.actions.setView({ filter: "all" });
  assert.deepEqual(heard, [[null, hover]]);
});

test("whoever watches some parts of the state hears of those alone", () => {
  const store = ready();
  const heard = [];
  store.watch(({ scale, mass }) => [scale, mass], ({ scale, mass }) => heard.push([scale, mass]));
  store.actions.hover({ side: "a", queries: [1], keys: [] });
  store.actions.setView({ scale: "log" });
  store.actions.setView({ scale: "log", mass: 50 });
  store.actions.setView({ mass: 0 });
  assert.deepEqual(heard, [["log", 50], ["log", 0]]);
});

test("a change makes a new state and leaves the one before as it was", () => {
  const store = ready();
  const before = store.state;
  const copy = structuredClone({ ...before, answers: null });
  store.actions.togglePin({ layer: 0, head: 0 });
  store.actions.setView({ scale: "log", mass: 0 });
  assert.notEqual(store.state, before);
  assert.deepEqual({ ...before, answers: null }, copy);
  assert.deepEqual([store.state.scale, store.state.mass, store.state.pins.length], ["log", 0, 1]);
});

test("a listener that acts itself is heard by all others too", () => {
  const store = newStore();
  const heard = [];
  store.subscribe(({ tab }) => tab === "ask" && store.actions.chooseTab("heads"));
  store.subscribe(({ tab }) => heard.push(tab));
  store.actions.chooseTab("ask");
  assert.equal(store.state.tab, "heads");
  assert.equal(heard.length, 2);
});

test("both sides have the actions of a run, each its own answer", () => {
  const { state, actions } = compared(3);
  assert.deepEqual([state.sides.a.analysis.id, state.sides.b.analysis.id], ["a1", "b1"]);
  assert.deepEqual(Object.keys(actions.sides.a), Object.keys(actions.sides.b));
});
