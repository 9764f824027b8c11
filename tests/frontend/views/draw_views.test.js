// A view is drawn when what it reads has changed, and only then.

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawWhenChanged, pageView } from "../../../frontend/views/draw_views.js";

/** A view of some parts of a state that writes down when it is drawn. */
function drawn(reads) {
  const states = [];
  return { states, draw: drawWhenChanged({ reads, render: (state) => states.push(state) }) };
}

test("it is drawn at first, then when an item it reads is another one", () => {
  const theme = {};
  const { states, draw } = drawn(({ scale, pins }) => [scale, pins]);
  const pins = [];
  for (const state of [{ scale: "a", pins }, { scale: "a", pins, hover: 1 }, { scale: "b", pins }, { scale: "b", pins: [] }]) draw(state, theme);
  assert.deepEqual(states.map(({ scale, pins: list }) => [scale, list === pins]), [["a", true], ["b", true], ["b", false]]);
});

test("another theme draws it anew, and so does another number of items", () => {
  const { states, draw } = drawn(({ items }) => items);
  const [light, dark] = [{}, {}];
  draw({ items: [1] }, light);
  draw({ items: [1] }, dark);
  draw({ items: [1, undefined] }, dark);
  draw({ items: [1, undefined] }, dark);
  assert.equal(states.length, 3);
});

test("while it reads nothing, what is on screen stays; then it is compared with what was drawn last", () => {
  const theme = {};
  const { states, draw } = drawn(({ isWaiting, value }) => (isWaiting ? null : [value]));
  for (const [isWaiting, value] of [[false, 1], [true, 2], [false, 1], [true, 3], [false, 3]]) draw({ isWaiting, value }, theme);
  assert.deepEqual(states.map(({ value }) => value), [1, 3]);
});

test("a view made of what it reads is given just that, and nothing while it reads nothing", () => {
  const drawn = [];
  const draw = drawWhenChanged(pageView(({ pins, scale }) => pins && [pins.length, scale], (n, scale) => drawn.push([n, scale])));
  const theme = {};
  for (const state of [{ pins: [1], scale: "a" }, { pins: null, scale: "b" }, { pins: [2], scale: "a" }, { pins: [], scale: "a" }]) draw(state, theme);
  assert.deepEqual(drawn, [[1, "a"], [0, "a"]]);
});
