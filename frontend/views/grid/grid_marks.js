// What is drawn over the cells of the grid on screen: names, letters of roles, pins with their numbers, the cursor.

import { drawHeadings, drawSigns } from "../../drawing/grid_signs.js";
import { cellBox } from "../../drawing/grid_geometry.js";
import { signsOf } from "../../heads/cells.js";
import { sizeCanvas } from "../../page/dom.js";
import { whatKey } from "../../state/pins.js";

/** @typedef {import("../../drawing/grid_geometry.js").Geometry} Geometry */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Geometry} geometry
 * @param {SideView} state
 * @param {Place} place of the grid
 * @param {Palette} palette
 */
export function drawMarks(canvas, geometry, state, place, palette) {
  const context = sizeCanvas(canvas, geometry.width, geometry.height);
  const { cursor, run, analysis } = state;
  drawHeadings(context, geometry, palette, cursor, (layer) => run.phase === "done" || (analysis?.layers.has(layer) ?? false));
  const signs = signsOf(state);
  drawSigns(context, geometry, signs, palette);
  const ring = (/** @type {Cell} */ cell, /** @type {string} */ colour, /** @type {number} */ width) => {
    const { x, y, size } = cellBox(geometry, cell);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.beginPath();
    context.roundRect(x - 1.5, y - 1.5, size + 3, size + 3, 3);
    context.stroke();
    return { x, y };
  };
  if (cursor) ring(cursor, palette.ink, 1.5);
  context.font = `700 10px ${palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  state.pins.forEach((pin, at) => {
    const isHere = pin.kind === "head" && pin.side === place.side && pin.stack === place.stack;
    const head = signs.hasEdges ? headOfDifference(pin) : isHere ? pin : null;
    if (head === null || head.layer >= geometry.layers || head.head >= geometry.heads) return;
    const { x, y } = ring(head, palette.accent, 2.5);
    const number = String(at + 1);
    const width = Math.max(14, context.measureText(number).width + 7);
    context.fillStyle = palette.accent;
    context.beginPath();
    context.roundRect(x - 4, y - 4, width, 14, 4);
    context.fill();
    context.fillStyle = palette.on_accent;
    context.fillText(number, x - 4 + width / 2, y + 3.5);
  });
}

/** The head whose maps on both sides a pin subtracts; null: it is of two heads, or no difference. @param {Pin} pin */
function headOfDifference(pin) {
  if (pin.kind !== "difference" || pin.one.kind !== "head") return null;
  return whatKey({ ...pin.one, side: "b" }) === whatKey(pin.other) ? pin.one : null;
}
