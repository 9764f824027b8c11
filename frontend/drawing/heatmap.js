// One sheet as a heatmap with token axes: queries down the left, keys along the top.

import { drawingContext, layPicture, sizeCanvas } from "../page/dom.js";
import { longestWidth } from "../page/labels.js";
import { drawLabels, eraseLabels, markLabels } from "./axis_labels.js";
import { tilePainter } from "./small_map.js";

/**
 * @typedef {object} Drawing
 * @property {Sheet} sheet
 * @property {{rows: number[], cols: number[]} | null} focus in the sheet's rows and columns
 * @property {boolean} locked
 * @property {number} width CSS pixels there are
 * @property {Palette} palette
 * @property {Uint32Array} table
 * @property {string[]} css
 * @property {Visible | null} visible
 * @property {"vertical" | "horizontal"} layout of the lines
 * @property {{pitch: number, longest: number}} [fixed] for figures: pixels between two tokens and of the longest
 *   label, in place of what fits the width
 */
/**
 * @typedef {object} Geometry
 * @property {number} left
 * @property {number} top
 * @property {number} cell
 * @property {number} rows
 * @property {number} cols
 * @property {number} width of the whole picture, more than there is where cells would become too small
 * @property {number} height
 */
/** @typedef {{geometry: Geometry, picture: HTMLCanvasElement}} Ground */

const FONT_SIZE = 11;
const LABEL_PITCH = 12;
const LONGEST_LABEL = 78;
const LARGEST_CELL = 40;
/** Of the cells, and of the place they are scrolled in, as in panels.css. */
const TALLEST = 720;
/** So many columns are squeezed into any width; more are given their least size, and are scrolled. */
export const MOST_SQUEEZED = 80;
const LEAST_CELL = 6;
const WIDEST = 1536;
/** Beyond the last cell, when its label is higher than the cell. */
const MARGIN = 6;

/** @param {Palette} palette */
const fontOf = ({ font }) => `${FONT_SIZE}px ${font}`;

/** @param {Surface} context @param {Drawing} drawing @returns {Geometry} */
export function heatmapGeometry(context, { sheet: { queries, keys }, width, palette, fixed }) {
  context.font = fontOf(palette);
  const [rows, cols] = [queries.labels.length, keys.labels.length];
  const band = (/** @type {string[]} */ labels) =>
    Math.ceil(Math.min(fixed?.longest ?? LONGEST_LABEL, longestWidth(context, labels))) + 10;
  const [left, top] = [band(queries.labels), band(keys.labels)];
  const isAmple = width - left - 1 >= cols * LABEL_PITCH;
  const across = (width - left - (isAmple ? 1 : MARGIN)) / cols;
  const fitting = Math.min(LARGEST_CELL, across, Math.max(LABEL_PITCH, TALLEST / rows));
  const least = cols > MOST_SQUEEZED ? Math.min(LEAST_CELL, WIDEST / cols) : 1 / 8;
  const cell = fixed?.pitch ?? Math.max(least, fitting);
  const margin = cell < LABEL_PITCH ? MARGIN : 1;
  const needed = Math.ceil(left + cell * cols + margin);
  const height = Math.ceil(top + cell * rows + margin);
  return { left, top, cell, rows, cols, width: fixed ? needed : Math.max(width, needed), height };
}

/** Whether a map is scrolled in its place. @param {Geometry} geometry @param {number} room CSS pixels across */
export function isLarger({ width, height }, room) {
  return width > room || height > TALLEST;
}

/** All but the cells: axes and focus. @param {Surface} context @param {Drawing} drawing @param {Geometry} geometry */
export function paintAround(context, drawing, geometry) {
  paintAxes(context, drawing, geometry);
  paintFocus(context, drawing, geometry);
}

/** The edge, and labels that chosen ones do not displace. @param {Surface} context @param {Drawing} drawing @param {Geometry} geometry */
function paintAxes(context, drawing, geometry) {
  const { palette } = drawing;
  const { left, top, cell, rows, cols } = geometry;
  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  context.strokeRect(left - 0.5, top - 0.5, cell * cols + 1, cell * rows + 1);
  context.font = fontOf(palette);
  for (const axis of axesOf(drawing, geometry)) drawLabels(context, axis);
}

/** @param {Drawing} drawing @param {Geometry} geometry @returns {import("./axis_labels.js").AxisLabels[]} queries, then keys */
export function axesOf({ sheet, focus, palette, visible, fixed }, { left, top, cell }) {
  const common = { pitch: cell, needed: LABEL_PITCH, room: fixed?.longest ?? LONGEST_LABEL, colour: palette.muted };
  return [
    {
      ...common,
      labels: sheet.queries.labels,
      chosen: focus?.rows ?? [],
      align: "right",
      turn: 0,
      place: (at) => [left - 5, top + (at + 0.5) * cell],
      alpha: (at) => (visible === null || visible.rows[at] === 1 ? 1 : 0.35),
    },
    {
      ...common,
      labels: sheet.keys.labels,
      chosen: focus?.cols ?? [],
      align: "left",
      turn: -Math.PI / 2,
      place: (at) => [left + (at + 0.5) * cell, top - 5],
      alpha: (at) => (visible === null || visible.cols[at] === 1 ? 1 : 0.35),
    },
  ];
}

/** A picture of all but the focus, for canvases whose focus moves. @param {Drawing} drawing @returns {Ground} */
export function groundOf(drawing) {
  const picture = document.createElement("canvas");
  const geometry = heatmapGeometry(drawingContext(picture), drawing);
  const context = sizeCanvas(picture, geometry.width, geometry.height);
  paintPixelCells(context, drawing, geometry, window.devicePixelRatio || 1);
  paintAxes(context, { ...drawing, focus: null }, geometry);
  return { geometry, picture };
}

/** Draw on a canvas, which takes the picture's size. @param {HTMLCanvasElement} canvas @param {Drawing} drawing @param {Ground} ground */
export function drawHeatmap(canvas, drawing, { geometry, picture }) {
  const context = sizeCanvas(canvas, geometry.width, geometry.height);
  layGround(context, picture, drawing.palette);
  for (const axis of axesOf(drawing, geometry)) eraseLabels(context, axis);
  paintFocus(context, drawing, geometry);
}

/** @param {CanvasRenderingContext2D} context @param {HTMLCanvasElement} picture @param {Palette} palette whose font is set */
export function layGround(context, picture, palette) {
  layPicture(context, picture);
  context.font = fontOf(palette);
}

/**
 * The cells as a painted picture, for canvases; on other surfaces see vector_cells.js.
 * @param {CanvasRenderingContext2D} context
 * @param {Drawing} drawing
 * @param {Geometry} geometry
 * @param {number} ratio device pixels of a pixel
 */
export function paintPixelCells(context, { sheet, table, visible }, { left, top, cell, rows, cols }, ratio) {
  const picture = document.createElement("canvas");
  const [width, height] = [cols, rows].map((count) => Math.max(1, Math.round(cell * count * ratio)));
  Object.assign(picture, { width, height });
  tilePainter(drawingContext(picture), width, height, { table, visible, signed: sheet.signed })({ codes: sheet.codes, rows, cols }, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, left, top, cell * cols, cell * rows);
}

/** The chosen labels, and outlines around what is chosen. @param {Surface} context @param {Drawing} drawing @param {Geometry} geometry */
function paintFocus(context, drawing, geometry) {
  const { focus, locked, palette } = drawing;
  const { left, top, cell, rows, cols } = geometry;
  if (focus === null) return;
  context.font = fontOf(palette);
  for (const axis of axesOf(drawing, geometry)) markLabels(context, axis, palette);
  const outline = (/** @type {[number, number, number, number]} */ rectangle, /** @type {number} */ width) => {
    context.lineWidth = width + 2;
    context.strokeStyle = palette.surface;
    context.strokeRect(...rectangle);
    context.lineWidth = width;
    context.strokeStyle = palette.accent;
    context.strokeRect(...rectangle);
  };
  const span = (/** @type {[number, number]} */ [from, count]) => {
    const size = Math.max(cell * count, 3);
    return { start: (from + count / 2) * cell - size / 2, size };
  };
  const chosenRows = runs(focus.rows, rows).map(span);
  const chosenCols = runs(focus.cols, cols).map(span);
  const isPair = chosenRows.length > 0 && chosenCols.length > 0;
  context.save();
  context.globalAlpha = isPair ? 0.6 : 1;
  for (const { start, size } of chosenRows) outline([left, top + start, cell * cols, size], locked ? 1.5 : 1);
  for (const { start, size } of chosenCols) outline([left + start, top, size, cell * rows], locked ? 1.5 : 1);
  context.restore();
  for (const row of chosenRows) {
    for (const col of chosenCols) {
      outline([left + col.start - 1, top + row.start - 1, col.size + 2, row.size + 2], 2);
    }
  }
}

/** Chosen rows or columns that follow each other, taken together: first and count. @param {number[]} chosen @param {number} n of all */
export function runs(chosen, n) {
  /** @type {[number, number][]} */
  const found = [];
  for (const at of [...new Set(chosen)].sort((one, other) => one - other)) {
    const last = found.at(-1);
    if (at >= n) break;
    if (last && last[0] + last[1] === at) last[1] += 1;
    else found.push([at, 1]);
  }
  return found;
}

/**
 * What lies under a point: a cell gives its row and column, an axis one of them.
 * @param {Geometry} geometry
 * @param {number} x CSS pixels inside the canvas
 * @param {number} y
 * @returns {{row: number | null, col: number | null} | null}
 */
export function heatmapHit({ left, top, cell, rows, cols }, x, y) {
  const [across, down] = [Math.floor((x - left) / cell), Math.floor((y - top) / cell)];
  const col = across >= 0 && across < cols ? across : null;
  const row = down >= 0 && down < rows ? down : null;
  if (x >= left && col === null) return null;
  if (y >= top && row === null) return null;
  return row === null && col === null ? null : { row, col };
}
