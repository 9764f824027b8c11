// One sheet as a heatmap with token axes: queries down the left, keys along the top.

import { firstMasked } from "../maps/masked.js";
import { drawingContext, layPicture, setAttribute, sizeCanvas } from "../page/dom.js";
import { longestWidth } from "../page/labels.js";
import { countLabels, drawLabels, eraseLabels, markLabels } from "./axis_labels.js";
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
 * @property {(import("../maps/maps.js").Dimmed & {css: string[]}) | null} [dimmed] columns that are set aside; null: none
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
 * @property {number} size of the labels' font
 * @property {{rows: number, cols: number}} room pixels a label may be long
 */
/** @typedef {{geometry: Geometry, picture: HTMLCanvasElement}} Ground */

/** Of the labels: the largest with which all of them are written. */
const FONT_SIZES = [11, 10, 9, 8, 7];
const [FONT_SIZE] = FONT_SIZES;
const SMALLEST = FONT_SIZES[FONT_SIZES.length - 1];
const LABEL_PITCH = FONT_SIZE + 1;
const LONGEST_LABEL = 78;
/** Labels of queries are cut so far before a map becomes wider than its place. */
const SHORTEST_LABEL = 40;
/** Around the labels of an axis. */
const LABEL_GAP = 10;
const LARGEST_CELL = 40;
/** Of the cells, and of the place they are scrolled in, as in panels.css. */
const TALLEST = 720;
/** So many columns have all their labels in any width; of more, cells may be too small for some labels. */
export const MOST_LABELLED = 80;
const LEAST_CELL = 6;
const WIDEST = 1536;
/** Beyond the last cell, when its label is higher than the cell. */
const MARGIN = 6;

/** @param {Palette} palette @param {number} size */
const fontOf = ({ font }, size) => `${size}px ${font}`;

/** Whether all labels of this font fit cells of a size. @param {number} cell @param {number} size */
const hasRoom = (cell, size) => cell >= size + 1;

/** @param {Surface} context @param {Drawing} drawing @returns {Geometry} */
export function heatmapGeometry(context, drawing) {
  const { sheet: { keys }, fixed } = drawing;
  const isLong = keys.labels.length > MOST_LABELLED;
  const tried = FONT_SIZES.map((size) => geometryWith(context, drawing, size));
  const roomy = tried.find(({ cell, size }) => hasRoom(cell, size));
  // Where labels are left out anyway, those that are written are large.
  return roomy ?? (isLong || fixed ? tried[0] : tried[tried.length - 1]);
}

/** @param {Surface} context @param {Drawing} drawing @param {number} size of the font @returns {Geometry} */
function geometryWith(context, { sheet: { queries, keys }, width, palette, fixed }, size) {
  context.font = fontOf(palette, size);
  const [rows, cols] = [queries.labels.length, keys.labels.length];
  const isLong = cols > MOST_LABELLED;
  const spare = width - MARGIN - LABEL_GAP - cols * (size + 1);
  const longest = fixed?.longest ?? LONGEST_LABEL;
  const room = { rows: fixed || isLong ? longest : Math.min(longest, Math.max(SHORTEST_LABEL, spare)), cols: longest };
  const band = (/** @type {string[]} */ labels, /** @type {number} */ most) => Math.ceil(Math.min(most, longestWidth(context, labels))) + LABEL_GAP;
  const [left, top] = [band(queries.labels, room.rows), band(keys.labels, room.cols)];
  const isAmple = width - left - 1 >= cols * LABEL_PITCH;
  const across = (width - left - (isAmple ? 1 : MARGIN)) / cols;
  const fitting = Math.min(LARGEST_CELL, across, Math.max(LABEL_PITCH, TALLEST / rows));
  // Up to a number of columns every label is written: the picture becomes wider, and is scrolled.
  const least = isLong ? Math.min(LEAST_CELL, WIDEST / cols) : size === SMALLEST ? SMALLEST + 1 : 1 / 8;
  const cell = fixed?.pitch ?? Math.max(least, fitting);
  const margin = cell < LABEL_PITCH ? MARGIN : 1;
  const needed = Math.ceil(left + cell * cols + margin);
  const height = Math.ceil(top + cell * rows + margin);
  return { left, top, cell, rows, cols, width: fixed ? needed : Math.max(width, needed), height, size, room };
}

/** Whether a map is scrolled in its place. @param {Geometry} geometry @param {number} room CSS pixels across */
export function isLarger({ width, height }, room) {
  return width > room || height > TALLEST;
}

/** All but the weights: what is masked, axes, focus. @param {Surface} context @param {Drawing} drawing @param {Geometry} geometry */
export function paintAround(context, drawing, geometry) {
  paintAxes(context, drawing, geometry);
  paintFocus(context, drawing, geometry);
}

/** The edge, and labels that chosen ones do not displace. @param {Surface} context @param {Drawing} drawing @param {Geometry} geometry */
function paintAxes(context, drawing, geometry) {
  const { palette } = drawing;
  const { left, top, cell, rows, cols } = geometry;
  // Left blank: a cell that is masked has no weight, which is something else than a weight of 0.
  context.fillStyle = palette.surface;
  context.beginPath();
  for (let row = 0; row < rows; row += 1) {
    const from = firstMasked(drawing.sheet, row);
    if (from < cols) context.rect(left + from * cell, top + row * cell, (cols - from) * cell, cell);
  }
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  context.strokeRect(left - 0.5, top - 0.5, cell * cols + 1, cell * rows + 1);
  context.font = fontOf(palette, geometry.size);
  for (const axis of axesOf(drawing, geometry)) drawLabels(context, axis);
}

/** @param {Drawing} drawing @param {Geometry} geometry @returns {import("./axis_labels.js").AxisLabels[]} queries, then keys */
export function axesOf({ sheet, focus, palette, visible }, { left, top, cell, size, room }) {
  const common = { pitch: cell, needed: size + 1, colour: palette.muted };
  return [
    {
      ...common,
      room: room.rows,
      labels: sheet.queries.labels,
      chosen: focus?.rows ?? [],
      align: "right",
      turn: 0,
      place: (at) => [left - 5, top + (at + 0.5) * cell],
      alpha: (at) => (visible === null || visible.rows[at] === 1 ? 1 : 0.35),
    },
    {
      ...common,
      room: room.cols,
      labels: sheet.keys.labels,
      chosen: focus?.cols ?? [],
      align: "left",
      turn: -Math.PI / 2,
      place: (at) => [left + (at + 0.5) * cell, top - 5],
      alpha: (at) => (visible !== null && visible.cols[at] !== 1 ? 0.35 : 1),
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
  layGround(context, picture, drawing.palette, geometry);
  const axes = axesOf(drawing, geometry);
  setAttribute(canvas, "data-labels", axes.map(countLabels).join("+"));
  for (const axis of axes) eraseLabels(context, axis);
  paintFocus(context, drawing, geometry);
}

/** Lay a picture and set the font of its labels. @param {CanvasRenderingContext2D} context @param {HTMLCanvasElement} picture @param {Palette} palette @param {Geometry} geometry */
export function layGround(context, picture, palette, { size }) {
  layPicture(context, picture);
  context.font = fontOf(palette, size);
}

/**
 * The cells as a painted picture, for canvases; on other surfaces see vector_cells.js.
 * @param {CanvasRenderingContext2D} context
 * @param {Drawing} drawing
 * @param {Geometry} geometry
 * @param {number} ratio device pixels of a pixel
 */
export function paintPixelCells(context, { sheet, table, visible, dimmed }, { left, top, cell, rows, cols }, ratio) {
  const picture = document.createElement("canvas");
  const [width, height] = [cols, rows].map((count) => Math.max(1, Math.round(cell * count * ratio)));
  Object.assign(picture, { width, height });
  tilePainter(drawingContext(picture), width, height, { table, visible, signed: sheet.signed, dimmed })({ codes: sheet.codes, rows, cols }, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, left, top, cell * cols, cell * rows);
}

/** What was asked for is not dimmed: the chosen ones of the dimmed columns. @param {Surface} context @param {Drawing} drawing @param {Geometry} geometry */
function paintAsked(context, { sheet, focus, css, visible, dimmed }, { left, top, cell, rows, cols }) {
  const asked = (focus?.cols ?? []).filter((col) => dimmed?.cols[col] === 1 && visible?.cols[col] !== 0);
  for (const col of asked) {
    for (let row = 0; row < rows; row += 1) {
      if (visible?.rows[row] === 0) continue;
      context.fillStyle = css[sheet.codes[row * cols + col]];
      context.fillRect(left + col * cell, top + row * cell, cell, cell);
    }
  }
}

/** The chosen labels, and outlines around what is chosen. @param {Surface} context @param {Drawing} drawing @param {Geometry} geometry */
function paintFocus(context, drawing, geometry) {
  const { focus, locked, palette } = drawing;
  const { left, top, cell, rows, cols } = geometry;
  if (focus === null) return;
  paintAsked(context, drawing, geometry);
  context.font = fontOf(palette, geometry.size);
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
