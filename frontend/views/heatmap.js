// One head as a heatmap with token axes: queries down the left, keys along the top.
// It must not know state; it draws what it is given on the canvas it is given.

import { drawingContext, sizeCanvas } from "../dom.js";
import { fitted, labelStep, longestWidth } from "../labels.js";
import { paintMap } from "../maps.js";

/** @typedef {import("../selectors.js").HeadMap} HeadMap */
/** @typedef {import("../permalink.js").Focus} Focus */
/** @typedef {import("../theme.js").Palette} Palette */
/** @typedef {import("../maps.js").Visible} Visible */
/**
 * @typedef {object} Drawing
 * @property {HeadMap} map
 * @property {string[]} labels
 * @property {Focus | null} focus
 * @property {boolean} locked
 * @property {number} width CSS pixels there are
 * @property {Palette} palette
 * @property {Uint32Array} table
 * @property {string[]} css
 * @property {Visible | null} visible
 * @property {(query: number, key: number) => boolean} allowed
 */
/** @typedef {{left: number, top: number, cell: number, rows: number, cols: number}} Geometry */

const FONT_SIZE = 11;
const LONGEST_LABEL = 78;
const LARGEST_CELL = 40;
const LABEL_PITCH = 12;

/**
 * @param {CanvasRenderingContext2D} context with the label font set
 * @param {Drawing} drawing
 * @returns {Geometry}
 */
function geometryOf(context, { labels, width, map }) {
  const longest = longestWidth(context, labels);
  const band = Math.ceil(Math.min(LONGEST_LABEL, longest)) + 10;
  const cell = Math.min(LARGEST_CELL, (width - band - 1) / map.n_keys);
  return { left: band, top: band, cell, rows: map.n_queries, cols: map.n_keys };
}

/**
 * Draw the map, its axes and the focus.
 * @param {HTMLCanvasElement} canvas
 * @param {Drawing} drawing
 * @param {(width: number, height: number) => HTMLCanvasElement} picture gives the painted cells in that size
 * @returns {Geometry}
 */
export function drawHeatmap(canvas, drawing, picture) {
  const font = `${FONT_SIZE}px ${drawing.palette.font}`;
  const measure = drawingContext(canvas);
  measure.font = font;
  const geometry = geometryOf(measure, drawing);
  const { left, top, cell, rows, cols } = geometry;
  const context = sizeCanvas(canvas, drawing.width, top + cell * rows + 1);
  const ratio = window.devicePixelRatio || 1;
  const pixelWidth = Math.max(1, Math.round(cell * cols * ratio));
  const pixelHeight = Math.max(1, Math.round(cell * rows * ratio));
  context.imageSmoothingEnabled = false;
  context.drawImage(picture(pixelWidth, pixelHeight), left, top, cell * cols, cell * rows);
  context.strokeStyle = drawing.palette.line;
  context.strokeRect(left - 0.5, top - 0.5, cell * cols + 1, cell * rows + 1);
  context.font = font;
  context.textBaseline = "middle";
  drawAxis(context, geometry, drawing, "query");
  drawAxis(context, geometry, drawing, "key");
  drawFocus(context, geometry, drawing);
  return geometry;
}

/**
 * The cells alone, in device pixels.
 * @param {number} width
 * @param {number} height
 * @param {Drawing} drawing
 */
export function paintPicture(width, height, { map, table, visible }) {
  const picture = document.createElement("canvas");
  picture.width = width;
  picture.height = height;
  const context = drawingContext(picture);
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  paintMap({ pixels, stride: width, x: 0, y: 0, width, height }, map.codes, map.rows, map.cols, table, visible);
  context.putImageData(image, 0, 0);
  return picture;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Geometry} geometry
 * @param {Drawing} drawing
 * @param {"query" | "key"} axis
 */
function drawAxis(context, { left, top, cell }, { labels, focus, palette, allowed }, axis) {
  const step = labelStep(cell, LABEL_PITCH);
  const chosen = focus?.[axis] ?? null;
  const place = (/** @type {number} */ at, /** @type {() => void} */ draw) => {
    context.save();
    if (axis === "query") context.translate(left - 5, top + (at + 0.5) * cell);
    else {
      context.translate(left + (at + 0.5) * cell, top - 5);
      context.rotate(-Math.PI / 2);
    }
    draw();
    context.restore();
  };
  context.textAlign = axis === "query" ? "right" : "left";
  for (let at = 0; at < labels.length; at += step) {
    const isNearChosen = chosen !== null && Math.abs(at - chosen) * cell < LABEL_PITCH;
    if (isNearChosen) continue;
    const shown = isShown(labels.length, at, axis, allowed);
    context.fillStyle = palette.muted;
    context.globalAlpha = shown ? 1 : 0.35;
    place(at, () => context.fillText(fitted(context, labels[at], LONGEST_LABEL), 0, 0));
  }
  context.globalAlpha = 1;
  if (chosen === null || chosen >= labels.length) return;
  const text = fitted(context, labels[chosen], LONGEST_LABEL);
  const width = context.measureText(text).width;
  place(chosen, () => {
    context.fillStyle = palette.accent;
    context.beginPath();
    context.roundRect(axis === "query" ? -width - 4 : -4, -8, width + 8, 16, 4);
    context.fill();
    context.fillStyle = palette.on_accent;
    context.fillText(text, 0, 0.5);
  });
}

/**
 * Whether a filter leaves anything of a row or column.
 * @param {number} n
 * @param {number} at
 * @param {"query" | "key"} axis
 * @param {(query: number, key: number) => boolean} allowed
 */
function isShown(n, at, axis, allowed) {
  for (let other = 0; other < n; other += 1) {
    if (axis === "query" ? allowed(at, other) : allowed(other, at)) return true;
  }
  return false;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Geometry} geometry
 * @param {Drawing} drawing
 */
function drawFocus(context, { left, top, cell, rows, cols }, { focus, locked, palette }) {
  if (focus === null) return;
  const { query, key } = focus;
  const outline = (/** @type {[number, number, number, number]} */ rectangle, /** @type {number} */ width) => {
    const [x, y, w, h] = rectangle;
    context.lineWidth = width + 2;
    context.strokeStyle = palette.surface;
    context.strokeRect(x, y, w, h);
    context.lineWidth = width;
    context.strokeStyle = palette.accent;
    context.strokeRect(x, y, w, h);
  };
  const size = Math.max(cell, 3);
  const centre = (/** @type {number} */ at) => at * cell - (size - cell) / 2;
  context.save();
  context.globalAlpha = query !== null && key !== null ? 0.6 : 1;
  if (query !== null) outline([left, top + centre(query), cell * cols, size], locked ? 1.5 : 1);
  if (key !== null) outline([left + centre(key), top, size, cell * rows], locked ? 1.5 : 1);
  context.restore();
  if (query !== null && key !== null) {
    outline([left + centre(key) - 1, top + centre(query) - 1, size + 2, size + 2], 2);
  }
}

/**
 * Which tokens lie under a point: a cell gives both, an axis one of them.
 * @param {Geometry} geometry
 * @param {number} x CSS pixels inside the canvas
 * @param {number} y
 * @returns {Focus | null}
 */
export function heatmapHit({ left, top, cell, rows, cols }, x, y) {
  const column = Math.floor((x - left) / cell);
  const row = Math.floor((y - top) / cell);
  const key = column >= 0 && column < cols ? column : null;
  const query = row >= 0 && row < rows ? row : null;
  if (x >= left && key === null) return null;
  if (y >= top && query === null) return null;
  return query === null && key === null ? null : { query, key };
}
