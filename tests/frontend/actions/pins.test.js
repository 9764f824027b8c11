// The row of panels: each thing once, in the order people put it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { oneHead, whatKey } from "../../../frontend/state/pins.js";
import { generator } from "../random.js";
import { randomWhat } from "../random_pins.js";
import { newStore } from "../small_answer.js";

const row = ({ state }) => state.pins.map(whatKey).join(" ");
const head = (layer, number, place = {}) => oneHead({ layer, head: number, ...place });

test("pinning toggles and keeps the order, the first head too", () => {
  const store = newStore();
  const { actions } = store;
  actions.togglePin({ layer: 1, head: 2 });
  actions.togglePin({ layer: 0, head: 0 });
  actions.setMode("lines", head(0, 0));
  assert.deepEqual(store.state.pins, [
    { ...head(1, 2), mode: "heatmap" },
    { ...head(0, 0), mode: "lines" },
  ]);
  actions.togglePin({ layer: 1, head: 2 });
  actions.setMode("heatmap");
  assert.deepEqual(store.state.pins, [{ ...head(0, 0), mode: "heatmap" }]);
});

test("the same head of the other side or of another attention is another panel", () => {
  const store = newStore();
  for (const place of [{}, { side: "b" }, { stack: 2 }]) store.actions.togglePin({ layer: 0, head: 0, ...place });
  assert.equal(row(store), "0.0 b:0.0 x0.0");
  store.actions.togglePin({ layer: 0, head: 0, side: "b" });
  assert.equal(row(store), "0.0 x0.0");
});

test("anything can be pinned, once, and is taken away by itself", () => {
  const random = generator(41);
  for (let round = 0; round < 200; round += 1) {
    const store = newStore();
    const whats = [...new Map(Array.from({ length: 5 }, () => randomWhat(random)).map((what) => [whatKey(what), what])).values()];
    for (const what of [...whats, ...whats]) store.actions.pin(what);
    assert.equal(row(store), whats.map(whatKey).join(" "));
    const gone = random.pick(whats);
    store.actions.unpin(gone);
    assert.equal(row(store), whats.filter((what) => what !== gone).map(whatKey).join(" "));
    store.actions.unpinAll();
    assert.equal(row(store), "");
  }
});

test("pinning what stands there already keeps its place and how it is drawn", () => {
  const store = newStore();
  for (const number of [0, 1]) store.actions.pin(head(0, number));
  store.actions.setMode("table", head(0, 0));
  const { pins } = store.state;
  store.actions.pin(head(0, 0));
  assert.equal(store.state.pins, pins);
});

test("a panel moves by as many places as it is told, stops at the ends, and the others keep their order", () => {
  const store = newStore();
  const { actions } = store;
  for (const number of [0, 1, 2, 3]) actions.pin(head(0, number));
  const moved = (number, by) => {
    actions.movePin(head(0, number), by);
    return row(store);
  };
  assert.equal(moved(0, 1), "0.1 0.0 0.2 0.3");
  assert.equal(moved(0, -1), "0.0 0.1 0.2 0.3");
  assert.equal(moved(1, 2), "0.0 0.2 0.3 0.1");
  assert.equal(moved(3, -9), "0.3 0.0 0.2 0.1");
  assert.equal(moved(0, 9), "0.3 0.2 0.1 0.0");
});

test("there and back again is where it was, whatever the row and the way", () => {
  const random = generator(42);
  for (let round = 0; round < 200; round += 1) {
    const store = newStore();
    const n = 1 + random.below(6);
    for (let number = 0; number < n; number += 1) store.actions.pin(head(0, number));
    const [from, to] = [random.below(n), random.below(n)];
    const before = row(store);
    store.actions.movePin(head(0, from), to - from);
    assert.equal(store.state.pins[to].head, from);
    store.actions.movePin(head(0, from), from - to);
    assert.equal(row(store), before);
  }
});

test("a move that changes nothing is not announced", () => {
  const store = newStore();
  for (const number of [0, 1]) store.actions.pin(head(0, number));
  const before = store.state;
  store.actions.movePin(head(0, 0), -1);
  store.actions.movePin(head(0, 1), 3);
  store.actions.movePin(head(5, 5), 1);
  store.actions.movePin(head(0, 0), 0);
  assert.equal(store.state, before);
});

test("Enter pins the head under the cursor where it is, and nothing without a cursor", () => {
  const store = newStore();
  store.actions.pinCursor();
  assert.equal(row(store), "");
  store.actions.pointAt({ side: "b", stack: 1, layer: 0, head: 0 });
  store.actions.pinCursor();
  assert.equal(row(store), "b:d0.0");
  store.actions.pinCursor();
  assert.equal(row(store), "");
});

test("a cell of the difference of both sides pins that difference, and takes it away again", () => {
  const store = newStore();
  store.actions.compareWith({ text: "other" });
  store.actions.setView({ grid_side: "difference" });
  store.actions.togglePinOf({ side: "a", stack: 0, layer: 3, head: 1 });
  assert.equal(row(store), "diff(3.1;b:3.1)");
  store.actions.togglePinOf({ side: "a", stack: 0, layer: 3, head: 1 });
  assert.equal(row(store), "");
});

test("the query-key detail opens on a head and closes", () => {
  const store = newStore();
  const place = { side: "a", stack: 0, layer: 0, head: 0 };
  store.actions.openDetail(place);
  assert.equal(store.state.detail, place);
  store.actions.openDetail(null);
  assert.equal(store.state.detail, null);
});
