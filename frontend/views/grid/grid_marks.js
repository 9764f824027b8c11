// What is drawn over the cells of the grid on screen: names, letters of roles, pins with their numbers, the cursor.

import { drawHeadings, drawSigns } from "../../drawing/grid_signs.js";
import { cellBox } from "../../drawing/grid_geometry.js";
import { signsOf } from "../../heads/cells.js";
import { pinsInGrid } from "../../heads/grid_side.js";
import { sizeCanvas } from "../../page/dom.js";

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
  drawSigns(context, geometry, signsOf(state), palette);
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
  for (const { layer, head, at } of pinsInGrid(state, place)) {
    if (layer >= geometry.layers || head >= geometry.heads) continue;
    const { x, y } = ring({ layer, head }, palette.accent, 2.5);
    const number = String(at + 1);
    const width = Math.max(14, context.measureText(number).width + 7);
    context.fillStyle = palette.accent;
    context.beginPath();
    context.roundRect(x - 4, y - 4, width, 14, 4);
    context.fill();
    context.fillStyle = palette.on_accent;
    context.fillText(number, x - 4 + width / 2, y + 3.5);
  }
}
