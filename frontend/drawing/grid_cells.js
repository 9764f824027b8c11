// Cells filled with one colour each: the value of a metric, the class of a head, or its role.

import { cellBoxes } from "./grid_geometry.js";

/** @typedef {import("./grid_geometry.js").Geometry} Geometry */
/** @typedef {import("../heads/cells.js").Fill} Fill */

const ROOM_FOR_TEXT = 20; // CSS pixels a cell needs before anything is written in it

/**
 * Fill all cells of a cleared grid.
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {(layer: number, head: number) => Fill} fillOf
 * @param {Pick<Theme, "palette">} theme
 * @param {boolean} hasSigns whether the lower edge of cells is needed for names and badges
 */
export function paintCells(context, geometry, fillOf, { palette }, hasSigns) {
  const fontSize = Math.max(9, Math.min(13, Math.floor(geometry.cell * 0.34)));
  // In order, badges are above the number and names below it; in the model's order badges are below.
  const over = Math.min(geometry.cell * 0.4, 2 + Math.max(fontSize / 2, geometry.cell - 26));
  const middle = !hasSigns ? geometry.cell * 0.52 : geometry.order ? geometry.cell / 2 + 0.5 : over;
  context.font = `600 ${fontSize}px ${palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { layer, head, x, y, size } of cellBoxes(geometry)) {
    const fill = fillOf(layer, head);
    context.fillStyle = fill?.colour ?? palette.outside;
    context.fillRect(x, y, size, size);
    if (fill === null) hatch(context, x, y, size, palette.muted);
    else if (size >= ROOM_FOR_TEXT) {
      context.fillStyle = inkOn(fill.colour);
      context.fillText(fill.text, x + size / 2, y + middle, size - 2);
    }
  }
}

/** Slanted lines across a cell. @param {Surface} context @param {number} x @param {number} y @param {number} size @param {string} colour */
function hatch(context, x, y, size, colour) {
  context.save();
  context.globalAlpha = 0.35;
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let at = 6; at < 2 * size; at += 6) {
    const far = Math.min(at, size);
    context.moveTo(x + far, y + at - far);
    context.lineTo(x + at - far, y + far);
  }
  context.stroke();
  context.restore();
}

/** Black or white, whichever is easier to read on a colour. @param {string} colour as the scale and browsers write it */
export function inkOn(colour) {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((channel) => {
    const part = Number(channel) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.179 ? "#0b0e14" : "#ffffff";
}

/** The ground of cells whose maps are not painted yet. @param {Surface} context @param {Geometry} geometry @param {string} colour */
export function clearCells(context, geometry, colour) {
  context.fillStyle = colour;
  for (const { x, y, size } of cellBoxes(geometry)) context.fillRect(x, y, size, size);
}
