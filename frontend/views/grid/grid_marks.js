// What lies over the cells of the grid: names of layers and heads, badges, pins with their numbers, the cursor.

import { shownSide } from "../../heads/grid_side.js";
import { cellIn } from "../../heads/arrangement.js";
import { sizeCanvas } from "../../page/dom.js";
import { whatKey } from "../../state/pins.js";
import { drawBadges, drawCellNames, drawVeil } from "./grid_badges.js";
import { cellBox } from "../../drawing/grid_geometry.js";

/** @typedef {import("../../drawing/grid_geometry.js").Geometry} Geometry */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Geometry} geometry
 * @param {State} state seen from the grid's place
 * @param {Place} place
 * @param {Palette} palette
 */
export function drawMarks(canvas, geometry, state, place, palette) {
  const context = sizeCanvas(canvas, geometry.width, geometry.height);
  if (geometry.order) drawRanks(context, geometry, palette);
  else drawNames(context, geometry, state, palette);
  const isDifference = place.side === "a" && shownSide(state).side === "difference";
  if (isDifference) drawEdges(context, geometry, palette);
  drawBadges(context, geometry, state, palette);
  drawCellNames(context, geometry, palette);
  drawVeil(context, geometry, state, palette);
  const ring = (
    /** @type {{x: number, y: number, size: number}} */ box,
    /** @type {string} */ colour,
    /** @type {number} */ width,
  ) => {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.beginPath();
    context.roundRect(box.x - 1.5, box.y - 1.5, box.size + 3, box.size + 3, 3);
    context.stroke();
  };
  if (state.cursor) ring(cellBox(geometry, state.cursor), palette.ink, 1.5);
  context.font = `700 10px ${palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  state.pins.forEach((pin, at) => {
    const head = isDifference ? headOfDifference(pin) : headOn(pin, place);
    if (head === null || head.layer >= geometry.layers || head.head >= geometry.heads) return;
    const box = cellBox(geometry, head);
    ring(box, palette.accent, 2.5);
    const number = String(at + 1);
    const width = Math.max(14, context.measureText(number).width + 7);
    context.fillStyle = palette.accent;
    context.beginPath();
    context.roundRect(box.x - 4, box.y - 4, width, 14, 4);
    context.fill();
    context.fillStyle = palette.on_accent;
    context.fillText(number, box.x - 4 + width / 2, box.y + 3.5);
  });
}

/**
 * Where most of a map is near zero only its edge tells where it ends.
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {Palette} palette
 */
export function drawEdges(context, geometry, palette) {
  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  for (let at = 0; at < geometry.layers * geometry.heads; at += 1) {
    const { x, y, size } = cellBox(geometry, { layer: Math.floor(at / geometry.heads), head: at % geometry.heads });
    context.strokeRect(x - 0.5, y - 0.5, size + 1, size + 1);
  }
}

/**
 * @param {Pin} pin
 * @param {Place} place
 */
function headOn(pin, { side, stack }) {
  return pin.kind === "head" && pin.side === side && pin.stack === stack ? pin : null;
}

/** @param {Pin} pin the head whose two maps it takes from each other; null: of two heads, or none */
function headOfDifference(pin) {
  if (pin.kind !== "difference" || pin.one.kind !== "head") return null;
  return whatKey({ ...pin.one, side: "b" }) === whatKey(pin.other) ? pin.one : null;
}

const ROOM_FOR_A_NAME = 29; // CSS pixels "H10" takes, with a little air

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Geometry} geometry
 * @param {State} state
 * @param {Palette} palette
 */
function drawNames(context, geometry, { cursor, run, analysis }, palette) {
  context.textBaseline = "middle";
  const write = (
    /** @type {string} */ text,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {boolean} */ strong,
  ) => {
    context.font = `${strong ? 700 : 400} 11px ${palette.font}`;
    context.fillStyle = strong ? palette.ink : palette.muted;
    context.fillText(text, x, y);
  };
  context.textAlign = "center";
  // On narrow cells neighbouring names would touch: numbers alone say as much under one "H".
  const isNarrow = geometry.cell + geometry.gap < ROOM_FOR_A_NAME;
  for (let head = 0; head < geometry.heads; head += 1) {
    const { x, size } = cellBox(geometry, { layer: 0, head });
    write(isNarrow && head > 0 ? String(head) : `H${head}`, x + size / 2, 10, cursor?.head === head);
  }
  context.textAlign = "right";
  for (let layer = 0; layer < geometry.layers; layer += 1) {
    const { y, size } = cellBox(geometry, { layer, head: 0 });
    const isHere = run.phase === "done" || (analysis?.layers.has(layer) ?? false);
    context.globalAlpha = isHere ? 1 : 0.5;
    write(`L${layer}`, geometry.left - 4, y + size / 2, cursor?.layer === layer);
  }
  context.globalAlpha = 1;
}

/**
 * In place of the layers' names: how manieth head each row begins with.
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {Palette} palette
 */
export function drawRanks(context, geometry, palette) {
  context.font = `400 11px ${palette.font}`;
  context.fillStyle = palette.muted;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (let row = 0; row < geometry.layers; row += 1) {
    const { y, size } = cellBox(geometry, cellIn(geometry.order, { row, column: 0 }, geometry.heads));
    context.fillText(`${row * geometry.heads + 1}.`, geometry.left - 2, y + size / 2);
  }
  context.textAlign = "left";
  context.fillText("in order →", geometry.left + 4, 10);
}
