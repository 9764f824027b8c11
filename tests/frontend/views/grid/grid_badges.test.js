// The signs on the cells: in the corner where they hide least, and only on cells that show something.

import assert from "node:assert/strict";
import { test } from "node:test";

import { strongestFirst } from "../../../../frontend/heads/arrangement.js";
import { drawBadges, drawCellNames } from "../../../../frontend/views/grid/grid_badges.js";
import { cellBox, gridGeometry } from "../../../../frontend/drawing/grid_geometry.js";
import { answer, overview, ready, start } from "../../small_answer.js";
import { smallAtlas } from "../../small_atlas.js";

const ROOM = { layers: 2, heads: 3, width: 1200, height: 900, ratio: 1 };
const MODEL_ORDER = gridGeometry(ROOM);
const IN_ORDER = gridGeometry(ROOM, strongestFirst([1, 2, 3, 4, 5, 6]));
const palette = { font: "face", surface: "surface", ink: "ink", on_tone: "on_tone", tones: ["one", "two", "three"] };

/** A canvas that keeps what is written on it. */
function canvas() {
  const texts = [];
  const nothing = () => {};
  const measureText = (text) => ({ width: 6 * text.length });
  const fillText = (text, x, y) => texts.push({ text, x, y });
  return { texts, fillText, measureText, beginPath: nothing, roundRect: nothing, fill: nothing, fillRect: nothing };
}

/** A model whose roles are known, with its maps when it has any. */
function state({ causal, ...more }) {
  const store = ready();
  store.actions.receiveAtlas({ model: "both", record: smallAtlas(), problem: null });
  if (causal === undefined) return store.state;
  answer(store, start(3));
  for (const layer of [0, 1]) store.actions.receive(overview(layer, 3, { causal }));
  return { ...store.state, ...more };
}

/** How far down the letter of L1 H2 stands, of the height of its cell. */
function letterAt(geometry, seen) {
  const context = canvas();
  drawBadges(context, geometry, seen, palette);
  const { x, y, size } = cellBox(geometry, { layer: 1, head: 2 });
  const isIn = (written) => written.x > x && written.x < x + size && written.y > y && written.y < y + size;
  return (context.texts.find(isIn).y - y) / size;
}

test("letters leave the end of the diagonal free where a model looks back only", () => {
  assert.ok(letterAt(MODEL_ORDER, state({ causal: true })) < 0.3);
  assert.ok(letterAt(MODEL_ORDER, state({ causal: false })) > 0.7);
});

test("below numbers letters stand at the lower edge, whatever the model", () => {
  const entropy = state({ causal: true, color_by: "corpus:entropy" });
  assert.ok(letterAt(MODEL_ORDER, entropy) > 0.7);
});

test("out of the model's order the lower edge is the names', written as names and not as numbers", () => {
  assert.ok(letterAt(IN_ORDER, state({ causal: false, color_by: "corpus:entropy" })) < 0.3);
  const context = canvas();
  drawCellNames(context, IN_ORDER, palette);
  assert.deepEqual(context.texts.map(({ text }) => text), ["L0H0", "L0H1", "L0H2", "L1H0", "L1H1", "L1H2"]);
});

test("cells without maps have no letters", () => {
  const context = canvas();
  drawBadges(context, MODEL_ORDER, state({}), palette);
  assert.deepEqual(context.texts, []);
});
