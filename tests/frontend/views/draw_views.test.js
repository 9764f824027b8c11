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

test("another number of items draws it anew, no items at all draw it once", () => {
  const { states, draw } = drawn(({ items }) => items);
  for (const items of [[], [], [1], [1, undefined], [1, undefined]]) draw({ items }, {});
  assert.equal(states.length, 3);
});

test("another theme, or size, draws anew what reads it; a button elsewhere stays under the finger", () => {
  const [themed, plain] = [[], []];
  const draws = [
    drawWhenChanged({ reads: ({ pins }, theme) => [theme, pins], render: (_state, theme) => themed.push(theme.name) }),
    drawWhenChanged(pageView(({ pins }) => [pins], (pins) => plain.push(pins))),
  ];
  const [light, dark] = [{ name: "light" }, { name: "dark" }];
  for (const theme of [light, dark, dark]) for (const draw of draws) draw({ pins: 2 }, theme);
  assert.deepEqual(themed, ["light", "dark"]);
  assert.deepEqual(plain, [2]);
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
