// What every canvas of the page is drawn with: the theme's colours and scales.

import { divergingOf, packed, scaleOf } from "../maps/color.js";
import { readPalette } from "../page/theme_switch.js";

/**
 * @typedef {object} Theme one object per theme: another object means everything is painted again
 * @property {Palette} palette
 * @property {import("../maps/color.js").ColorTable} scale
 * @property {import("../maps/color.js").ColorTable} diverging for what may be below zero
 * @property {number} outside packed colour of what a filter hides
 */

/** @param {import("../maps/color.js").ThemeName} theme @returns {Theme} */
export function createTheme(theme) {
  const palette = readPalette();
  return { palette, scale: scaleOf(theme), diverging: divergingOf(theme), outside: packed(channels(palette.outside)) };
}

/** @param {string} colour as browsers write it, such as rgb(231, 232, 236) @returns {import("../maps/color.js").Triple} */
function channels(colour) {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  return [red, green, blue];
}
