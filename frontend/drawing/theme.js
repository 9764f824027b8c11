// What every canvas of the page is drawn with: the theme's colours and scale, and the filter's blanks.

import { divergingOf, packed, scaleOf } from "../maps/color.js";
import { readPalette } from "../page/theme_switch.js";
import { isIn } from "../state/selectors.js";

/** @typedef {import("../requests/api.js").Filter} Filter */
/**
 * @typedef {object} Theme one object per theme: another object means all is to be painted anew
 * @property {Palette} palette
 * @property {import("../maps/color.js").Scale} scale
 * @property {import("../maps/color.js").Scale} diverging for what may be below zero
 * @property {number} outside packed colour of what a filter hides
 */

/**
 * @param {import("../maps/color.js").ThemeName} theme
 * @returns {Theme}
 */
export function createTheme(theme) {
  const palette = readPalette();
  return { palette, scale: scaleOf(theme), diverging: divergingOf(theme), outside: packed(channels(palette.outside)) };
}

/**
 * @param {string} colour as browsers write it, such as rgb(231, 232, 236)
 * @returns {import("../maps/color.js").Triple}
 */
function channels(colour) {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  return [red, green, blue];
}

/** What a filter leaves of the sheet it was last asked for. @type {WeakMap<Sheet, {from: unknown[], visible: Visible}>} */
const visibleOf = new WeakMap();

/**
 * Which rows and columns of a sheet a filter shows; those of several tokens count by their first.
 * @param {Filter | null} filter
 * @param {Token[]} tokens of the analysis
 * @param {Sheet} sheet
 * @param {Theme} theme
 * @returns {Visible | null} the same object while nothing changes
 */
export function visibleLines(filter, tokens, sheet, theme) {
  if (filter === null) return null;
  const known = visibleOf.get(sheet);
  const from = [filter, tokens, theme.outside];
  if (known?.from.every((item, at) => item === from[at])) return known.visible;
  const flags = (/** @type {number[][]} */ groups, /** @type {number | null | undefined} */ wanted) =>
    Uint8Array.from(groups, ([first]) => Number(isIn(tokens[first].segment, wanted)));
  const rows = flags(sheet.queries.groups, filter.query_segment);
  const visible = { rows, cols: flags(sheet.keys.groups, filter.key_segment), outside: theme.outside };
  visibleOf.set(sheet, { from, visible });
  return visible;
}
