// The signs on the cells: in the corner where they hide least, and only on cells that show something.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cellBox, gridGeometry } from "../../../frontend/drawing/grid_geometry.js";
import { drawSigns } from "../../../frontend/drawing/grid_signs.js";
import { strongestFirst } from "../../../frontend/heads/arrangement.js";
import { atlas } from "../../../frontend/heads/atlas.js";
import { signsOf } from "../../../frontend/heads/cells.js";
import { onSide } from "../../../frontend/state/sides.js";
import { answer, overview, ready, start, tell } from "../small_answer.js";
import { smallAtlas } from "../small_atlas.js";

const ROOM = { layers: 2, heads: 3, width: 1200, height: 900, ratio: 1 };
const MODEL_ORDER = gridGeometry(ROOM);
const IN_ORDER = gridGeometry(ROOM, strongestFirst([1, 2, 3, 4, 5, 6]));
const palette = { font: "face", surface: "surface", ink: "ink", on_tone: "on_tone", tones: ["one", "two", "three"] };

/** A canvas that keeps what is written on it. */
function canvas() {
  const texts = [];
  const boxes = [];
  const nothing = () => {};
  const measureText = (text) => ({ width: 6 * text.length });
  const fillText = (text, x, y) => texts.push({ text, x, y });
  const fillRect = (x, y, width, height) => boxes.push({ x, y, width, height });
  return { texts, boxes, fillText, measureText, beginPath: nothing, roundRect: nothing, fill: nothing, fillRect };
}

/** What lies on the cells of a model whose roles are known, with its maps when it has any. */
function signs({ causal, ...look }) {
  const store = ready();
  tell(store, atlas, smallAtlas());
  if (causal !== undefined) answer(store, start(3));
  store.actions.setView(look);
  for (const layer of [0, 1]) store.actions.sides.a.receive(overview(layer, 3, { causal }));
  return signsOf(onSide(store.state, "a"));
}

/** How far down the letter of L1 H2 stands, of the height of its cell. */
function letterAt(geometry, shown) {
  const context = canvas();
  drawSigns(context, geometry, shown, palette);
  const { x, y, size } = cellBox(geometry, { layer: 1, head: 2 });
  const isIn = (written) => /^[A-Z]$/.test(written.text) && written.x > x && written.x < x + size && written.y > y && written.y < y + size;
  return (context.texts.find(isIn).y - y) / size;
}

test("letters leave the diagonal of maps free", () => {
  assert.ok(letterAt(MODEL_ORDER, signs({ causal: false })) < 0.3);
});

test("below numbers, of heads or of a link, letters stand at the lower edge", () => {
  assert.ok(letterAt(MODEL_ORDER, signs({ causal: true, color_by: "corpus:entropy" })) > 0.7);
  assert.ok(letterAt(MODEL_ORDER, signs({ causal: true, lock: { side: "a", queries: [2], keys: [1] } })) > 0.7);
});

test("out of the model's order the lower edge is the names', written as names and not as numbers", () => {
  assert.ok(letterAt(IN_ORDER, signs({ causal: false, color_by: "corpus:entropy" })) < 0.3);
  const context = canvas();
  drawSigns(context, IN_ORDER, { ...signs({ causal: false }), badges: [] }, palette);
  assert.deepEqual(context.texts.map(({ text }) => text), ["L0H0", "L0H1", "L0H2", "L1H0", "L1H1", "L1H2"]);
});

test("cells without maps have no letters", () => {
  const context = canvas();
  drawSigns(context, MODEL_ORDER, signs({}), palette);
  assert.deepEqual(context.texts, []);
});

test("the heads in which the token in focus attends most are underlined, below their cells and as wide", () => {
  for (const geometry of [MODEL_ORDER, IN_ORDER]) {
    const context = canvas();
    const { x, y, size } = cellBox(geometry, { layer: 1, head: 2 });
    drawSigns(context, geometry, { ...signs({}), strongest: [{ layer: 1, head: 2 }] }, palette);
    const lines = context.boxes.filter(({ height }) => height < 5); // names out of the model's order have a taller ground
    assert.deepEqual(lines.map((line) => [line.x, line.width, line.y > y + size]), [[x, size, true]]);
    assert.ok(lines[0].y + lines[0].height <= y + size + geometry.gap, "in the gap between cells");
  }
});
