// Which lines a drawing shows: those of the chosen tokens, else the strongest.

import { MOST_LINKS, focusedLinks, overlaidLinks, strongestLinks } from "./links.js";

/** Which links the filter shows. @param {Drawing} drawing @returns {(row: number, col: number) => boolean} */
export function allowedBy({ visible }) {
  return (row, col) => visible === null || (visible.rows[row] === 1 && visible.cols[col] === 1);
}

/**
 * The strongest links; where sinks are dimmed, those to sinks are chosen apart from the others, which they would displace.
 * @param {Drawing} drawing
 * @param {number} mass in percent
 */
export function strongestOf(drawing, mass) {
  const { sheet, dimmed } = drawing;
  const isAllowed = allowedBy(drawing);
  const linksIn = (/** @type {Sheet} */ one) => {
    if (!dimmed) return strongestLinks(one, isAllowed, mass / 100);
    const others = strongestLinks(one, (row, col) => dimmed.cols[col] === 0 && isAllowed(row, col), mass / 100);
    const toSinks = strongestLinks(one, (row, col) => dimmed.cols[col] === 1 && isAllowed(row, col), mass / 100);
    const room = MOST_LINKS - others.links.length;
    const below = room > 0 ? toSinks.links.slice(-room) : [];
    return { links: [...below, ...others.links], dropped: others.dropped + toSinks.dropped + toSinks.links.length - below.length };
  };
  return sheet.overlaid ? overlaidLinks(sheet.overlaid.map((head) => linksIn(head.sheet))) : linksIn(sheet);
}

/** @param {Drawing} drawing @param {import("./readout.js").Spot} spot */
export function focusedOf(drawing, spot) {
  const { sheet } = drawing;
  const linksIn = (/** @type {Sheet} */ one) => focusedLinks(one, spot, allowedBy(drawing));
  if (!sheet.overlaid) return linksIn(sheet);
  return overlaidLinks(sheet.overlaid.map((head) => ({ links: linksIn(head.sheet), dropped: 0 }))).links;
}

/** The lines of a drawing: those of the chosen tokens, else the strongest. @param {Drawing} drawing @param {number} mass in percent */
export function linesOf(drawing, mass) {
  return drawing.focus ? focusedOf(drawing, drawing.focus) : strongestOf(drawing, mass).links;
}
