// A matrix as a picture: one cell a number, names along its sides, numbers in cells that are large enough.

import { sizeCanvas } from "../page/dom.js";
import { fitted, labelStep } from "../page/labels.js";

/**
 * @typedef {object} Matrix as it is drawn
 * @property {number} rows
 * @property {number} columns
 * @property {(row: number, column: number) => number} value
 * @property {"signed" | "weights" | "mask"} look
 * @property {number} top the size at the end of the colours
 * @property {string[] | null} rowNames null: they are not written
 * @property {string[] | null} columnNames
 * @property {{rows: number, columns: number}} blocks how many equal parts a line separates: the heads
 */
/**
 * @typedef {object} Place of the cells
 * @property {number} width
 * @property {number} height
 * @property {number} row pixels a row; below 1 several share one
 * @property {number} column
 * @property {number} labels pixels for the names of rows
 * @property {number} columnLabels
 */
/** @typedef {{cells: [number, number][], from: [number, number][]}} Marked what is pointed at, and what it was computed from */

const LEAST_WRITTEN = { row: 12, column: 20 };
const LEAST_LINED = 9;
const FONT = 10;
const SMALLEST = 7;
const BETWEEN_HEADS = 0.7; // how clear the lines between heads are
const STRONG = 0.58; // of the colours: text on stronger ones is written in the colour of the ground
/** Names of columns lean to the right. */
const LEAN = -Math.PI / 3;
export const MARGIN = 2; // around the cells, for outlines
const LEANING = 30; // right of the cells, for the names of columns

/** @param {number} value @param {Matrix} matrix @returns {number} its colour, 0 to 255 */
function codeOf(value, { look, top }) {
  if (look !== "signed") return Math.round(255 * Math.min(1, Math.max(0, value)) * (look === "mask" ? 0.55 : 1));
  return Math.round(127.5 + 127.5 * Math.min(1, Math.max(-1, value / top)));
}

/** The number with the largest size of those that share a pixel. @param {Matrix} matrix @param {number} row @param {number} column @param {number} rows @param {number} columns */
function largestIn({ rows: allRows, columns: allColumns, value }, row, column, rows, columns) {
  let largest = value(row, column);
  for (let at = row; at < Math.min(allRows, row + rows); at += 1) {
    for (let across = column; across < Math.min(allColumns, column + columns); across += 1) {
      const one = value(at, across);
      if (Math.abs(one) > Math.abs(largest)) largest = one;
    }
  }
  return largest;
}

/** @param {Matrix} matrix @param {Place} place @param {Theme} theme @returns {HTMLCanvasElement} a pixel a cell */
function cellPicture(matrix, { row, column }, theme) {
  const [perRow, perColumn] = [Math.max(1, Math.round(1 / row)), Math.max(1, Math.round(1 / column))];
  const [rows, columns] = [Math.ceil(matrix.rows / perRow), Math.ceil(matrix.columns / perColumn)];
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [columns, rows];
  const context = /** @type {CanvasRenderingContext2D} */ (picture.getContext("2d"));
  const image = context.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  const { table } = matrix.look === "signed" ? theme.diverging : theme.scale;
  const isWhole = perRow === 1 && perColumn === 1;
  for (let at = 0; at < rows; at += 1) {
    for (let across = 0; across < columns; across += 1) {
      const value = isWhole ? matrix.value(at, across) : largestIn(matrix, at * perRow, across * perColumn, perRow, perColumn);
      pixels[at * columns + across] = Number.isFinite(value) ? table[codeOf(value, matrix)] : theme.outside;
    }
  }
  context.putImageData(image, 0, 0);
  return picture;
}

/** A number for a cell. @param {number} value @param {Matrix["look"]} look */
export function cellText(value, look) {
  if (value === -Infinity) return "−∞";
  if (!Number.isFinite(value)) return "–";
  if (look === "mask") return String(value);
  const size = Math.abs(value);
  const text = look === "weights" ? size.toFixed(2).replace(/^0(?=\.)/, "") : size >= 9.95 ? size.toFixed(0) : size.toFixed(1).replace(/^0(?=\.[1-9])/, "");
  const isZero = Number(text) === 0;
  return isZero ? "0" : `${value < 0 ? "−" : ""}${text}`;
}

/** The size of the whole picture in CSS pixels. @param {Place} place @returns {[number, number]} */
export function pictureSize({ width, height, labels, columnLabels }) {
  return [labels + width + 2 * MARGIN + (columnLabels > 0 ? LEANING : 0), columnLabels + height + 2 * MARGIN];
}

/** @param {HTMLCanvasElement} canvas @param {Matrix} matrix @param {Place} place @param {Theme} theme */
export function drawMatrix(canvas, matrix, place, theme) {
  const { width, height, row, column, labels, columnLabels } = place;
  const context = sizeCanvas(canvas, ...pictureSize(place));
  context.translate(MARGIN, MARGIN);
  context.imageSmoothingEnabled = false;
  context.drawImage(cellPicture(matrix, place, theme), labels, columnLabels, width, height);
  drawLines(context, matrix, place, theme);
  if (row >= LEAST_WRITTEN.row && column >= LEAST_WRITTEN.column) writeNumbers(context, matrix, place, theme);
  writeNames(context, matrix, place, theme);
}

/** Lines between large cells, between heads, and around all. @param {CanvasRenderingContext2D} context @param {Matrix} matrix @param {Place} place @param {Theme} theme */
function drawLines(context, { rows, columns, blocks }, { width, height, row, column, labels, columnLabels }, { palette }) {
  context.fillStyle = palette.surface;
  if (column >= LEAST_LINED) for (let at = 1; at < columns; at += 1) context.fillRect(labels + at * column - 0.5, columnLabels, 1, height);
  if (row >= LEAST_LINED) for (let at = 1; at < rows; at += 1) context.fillRect(labels, columnLabels + at * row - 0.5, width, 1);
  context.fillStyle = palette.ink;
  context.globalAlpha = BETWEEN_HEADS;
  for (let at = 1; at < blocks.columns; at += 1) context.fillRect(labels + Math.round((at * width) / blocks.columns) - 0.5, columnLabels, 1, height);
  for (let at = 1; at < blocks.rows; at += 1) context.fillRect(labels, columnLabels + Math.round((at * height) / blocks.rows) - 0.5, width, 1);
  context.globalAlpha = 1;
  context.strokeStyle = palette.line;
  context.strokeRect(labels - 0.5, columnLabels - 0.5, width + 1, height + 1);
}

/** @param {CanvasRenderingContext2D} context @param {Matrix} matrix @param {Place} place @param {Theme} theme */
function writeNumbers(context, matrix, { row, column, labels, columnLabels }, { palette }) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  const usual = Math.floor(Math.min(FONT, row - 3));
  for (let at = 0; at < matrix.rows; at += 1) {
    for (let across = 0; across < matrix.columns; across += 1) {
      const value = matrix.value(at, across);
      const code = Number.isFinite(value) ? codeOf(value, matrix) : 0;
      const part = matrix.look === "signed" && Number.isFinite(value) ? Math.abs(code - 127.5) / 127.5 : code / 255;
      context.fillStyle = part > STRONG ? palette.surface : Number.isFinite(value) ? palette.ink : palette.muted;
      const text = cellText(value, matrix.look);
      let size = usual + 1;
      do {
        size -= 1;
        context.font = `${size}px ${palette.font}`;
      } while (size > SMALLEST && context.measureText(text).width > column - 1);
      context.fillText(text, labels + (across + 0.5) * column, columnLabels + (at + 0.5) * row + 0.5);
    }
  }
}

/** @param {CanvasRenderingContext2D} context @param {Matrix} matrix @param {Place} place @param {Theme} theme */
function writeNames(context, { rows, columns, rowNames, columnNames }, { row, column, labels, columnLabels, height }, { palette }) {
  context.fillStyle = palette.muted;
  context.textBaseline = "middle";
  context.font = `${Math.max(8, Math.min(FONT + 1, row - 1))}px ${palette.font}`;
  if (rowNames && labels > 0) {
    context.textAlign = "right";
    for (let at = 0; at < rows; at += labelStep(row, 9)) context.fillText(fitted(context, rowNames[at], labels - 6), labels - 5, columnLabels + Math.max(3, (at + 0.5) * row));
  }
  if (!columnNames || columnLabels === 0 || height === 0) return;
  context.font = `${FONT}px ${palette.font}`;
  context.textAlign = "left";
  for (let at = 0; at < columns; at += labelStep(column, 10)) {
    context.save();
    context.translate(labels + (at + 0.5) * column, columnLabels - 4);
    context.rotate(LEAN);
    context.fillText(fitted(context, columnNames[at], (columnLabels - 6) / Math.sin(-LEAN)), 0, 0);
    context.restore();
  }
}

/** The box of a cell. @param {number} at @param {number} across @param {Place} place */
function cellBox(at, across, { row, column, labels, columnLabels }) {
  const [x, y] = [labels + Math.floor(across * column), columnLabels + Math.floor(at * row)];
  return { x, y, width: Math.max(1, column), height: Math.max(1, row) };
}

/**
 * What is pointed at and what it was computed from, on a canvas over the picture.
 * @param {HTMLCanvasElement} canvas
 * @param {Marked} marked
 * @param {Place} place
 * @param {Theme} theme
 */
export function drawMarks(canvas, { cells, from }, place, { palette }) {
  const context = sizeCanvas(canvas, ...pictureSize(place));
  context.translate(MARGIN, MARGIN);
  context.strokeStyle = context.fillStyle = palette.accent;
  for (const [at, across] of from) {
    const box = cellBox(at, across, place);
    if (Math.min(box.width, box.height) < 4) {
      context.globalAlpha = 0.6;
      context.fillRect(box.x, box.y, box.width, box.height);
      continue;
    }
    context.lineWidth = 1.5;
    context.strokeRect(box.x + 0.75, box.y + 0.75, box.width - 1.5, box.height - 1.5);
  }
  context.globalAlpha = 1;
  for (const [at, across] of cells) {
    const box = cellBox(at, across, place);
    context.lineWidth = 2;
    context.strokeStyle = palette.surface;
    context.strokeRect(box.x - 1, box.y - 1, box.width + 2, box.height + 2);
    context.strokeStyle = palette.ink;
    context.strokeRect(box.x, box.y, box.width, box.height);
  }
}

/** Which cell is at a point of the canvas. @param {Matrix} matrix @param {Place} place @param {number} x @param {number} y @returns {[number, number] | null} */
export function cellAt({ rows, columns }, { row, column, labels, columnLabels, width, height }, x, y) {
  const [across, down] = [x - MARGIN - labels, y - MARGIN - columnLabels];
  if (across < 0 || down < 0 || across >= width || down >= height) return null;
  return [Math.min(rows - 1, Math.floor(down / row)), Math.min(columns - 1, Math.floor(across / column))];
}

