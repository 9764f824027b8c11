// Which lines a drawing shows: those of the chosen tokens, else the strongest.

import { focusedLinks, strongestLinks } from "./links.js";

/** Which links the filter shows. @param {Drawing} drawing @returns {(row: number, col: number) => boolean} */
export function allowedBy({ visible }) {
  return (row, col) => visible === null || (visible.rows[row] === 1 && visible.cols[col] === 1);
}

/** @param {Drawing} drawing @param {number} mass in percent */
export function strongestOf(drawing, mass) {
  return strongestLinks(drawing.sheet, allowedBy(drawing), mass / 100);
}

/** @param {Drawing} drawing @param {import("./readout.js").Spot} spot */
export function focusedOf(drawing, spot) {
  return focusedLinks(drawing.sheet, spot, allowedBy(drawing));
}

/** The lines of a drawing: those of the chosen tokens, else the strongest. @param {Drawing} drawing @param {number} mass in percent */
export function linesOf(drawing, mass) {
  return drawing.focus ? focusedOf(drawing, drawing.focus) : strongestOf(drawing, mass).links;
}
