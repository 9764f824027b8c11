// Which lines a drawing shows: those of the chosen tokens, else the strongest.

import { focusedLinks, strongestLinks } from "./links.js";

/** @typedef {import("./readout.js").Spot} Spot */

/** Which links the filter shows. @param {Drawing} drawing @returns {(row: number, col: number) => boolean} */
export function allowedBy({ visible }) {
  return (row, col) => visible === null || (visible.rows[row] === 1 && visible.cols[col] === 1);
}

/** @param {Drawing} drawing */
function patternOf({ sheet: { weights, queries, keys } }) {
  return { weights, n_queries: queries.labels.length, n_keys: keys.labels.length };
}

/** @param {Drawing} drawing @param {number} mass in percent */
export function strongestOf(drawing, mass) {
  return strongestLinks(patternOf(drawing), allowedBy(drawing), mass / 100);
}

/** @param {Drawing} drawing @param {Spot} spot */
export function focusedOf(drawing, spot) {
  return focusedLinks(patternOf(drawing), spot, allowedBy(drawing));
}

/** The lines of a drawing: those of the chosen tokens, else the strongest. @param {Drawing} drawing @param {number} mass in percent */
export function linesOf(drawing, mass) {
  return drawing.focus ? focusedOf(drawing, drawing.focus) : strongestOf(drawing, mass).links;
}
