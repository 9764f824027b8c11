// What every canvas of the page is drawn with: the theme's colours and scale, and the filter's blanks.
// It must not know any one view.

import { packed, scaleOf } from "../color.js";
import { isIn } from "../selectors.js";
import { readPalette } from "../theme.js";

/** @typedef {import("../api.js").Filter} Filter */
/** @typedef {import("../api.js").Token} Token */
/**
 * @typedef {object} Paper one object per theme: another object means all is to be painted anew
 * @property {import("../theme.js").Palette} palette
 * @property {import("../color.js").Scale} scale
 * @property {number} outside packed colour of what a filter hides
 */

/**
 * @param {import("../color.js").Theme} theme
 * @returns {Paper}
 */
export function makePaper(theme) {
  const palette = readPalette();
  return { palette, scale: scaleOf(theme), outside: packed(channels(palette.outside)) };
}

/**
 * @param {string} colour as browsers write it, such as rgb(231, 232, 236)
 * @returns {import("../color.js").Triple}
 */
function channels(colour) {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  return [red, green, blue];
}

/**
 * Which rows and columns of a map a filter shows; a pooled row counts by its first token.
 * @param {Filter | null} filter
 * @param {Token[]} tokens
 * @param {number} rows
 * @param {number} block
 * @param {Paper} paper
 * @returns {import("../maps.js").Visible | null}
 */
export function visibleTokens(filter, tokens, rows, block, { outside }) {
  if (filter === null) return null;
  const flags = (/** @type {number | null | undefined} */ wanted) =>
    Uint8Array.from({ length: rows }, (_, row) => Number(isIn(tokens[row * block].segment, wanted)));
  return { rows: flags(filter.query_segment), cols: flags(filter.key_segment), outside };
}
