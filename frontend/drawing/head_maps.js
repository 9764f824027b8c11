// The maps of a few heads at once, each on a canvas of its own or all on one: squares of tokens x tokens.

import { drawLabels } from "./axis_labels.js";
import { drawSmallMap, tilePainter } from "./small_map.js";
import { sizeCanvas } from "../page/dom.js";

/** @typedef {{layer: number, head: number}} Head */
/** @typedef {{query: number, key: number}} Place a cell of a map */

/** Cells smaller than this have no room for the names of tokens. */
const LEAST_PITCH = 9;
const LABEL_SIZE = 10.5;
const TALLEST_NAME = 52;

/** How large the maps of a layer can be side by side, in pixels. @param {number} width of all @param {number} n_heads @param {number} gap @param {[number, number]} limits */
export function mapSide(width, n_heads, gap, [least, most]) {
  return Math.max(least, Math.min(most, Math.floor((width - (n_heads - 1) * gap) / n_heads)));
}

/** Whether the names of tokens have room beside a map. @param {number} side @param {number} n_tokens */
export function hasNames(side, n_tokens) {
  return n_tokens > 0 && side / n_tokens >= LEAST_PITCH;
}

/** How long names may be. @param {Pick<CanvasRenderingContext2D, "font" | "measureText">} context @param {string[]} names @param {Palette} palette */
export function nameLength(context, names, palette) {
  context.font = `${LABEL_SIZE}px ${palette.font}`;
  return Math.min(TALLEST_NAME, Math.ceil(Math.max(0, ...names.map((name) => context.measureText(name).width))));
}

/** @param {HTMLCanvasElement} canvas @param {number} side @param {SmallMap} map @param {Theme} theme @param {Place | null} pointed @param {boolean} isChosen whether it is this head that is pointed at */
export function drawHeadMap(canvas, side, map, { scale, palette }, pointed, isChosen) {
  drawSmallMap(canvas, side, map, { table: scale.table, visible: null, signed: false });
  const context = canvas.getContext("2d");
  if (pointed === null || context === null || map.cols === 0) return;
  const pitch = side / map.cols;
  const [x, y] = [pointed.key * pitch, pointed.query * pitch];
  context.strokeStyle = palette.accent;
  context.lineWidth = isChosen ? 2.5 : 1.5;
  const grow = Math.max(0, (5 - pitch) / 2); // a very small cell is circled with room around it
  context.strokeRect(x - grow, y - grow, pitch + 2 * grow, pitch + 2 * grow);
}

/** The names of tokens along one side of the maps. @param {HTMLCanvasElement} canvas @param {"queries" | "keys"} which @param {string[]} names @param {{side: number, length: number, chosen: number | null}} room @param {Palette} palette */
export function drawNames(canvas, which, names, { side, length, chosen }, palette) {
  const isQueries = which === "queries";
  const context = sizeCanvas(canvas, isQueries ? length : side, isQueries ? side : length);
  context.font = `${LABEL_SIZE}px ${palette.font}`;
  const pitch = side / names.length;
  drawLabels(context, {
    ...{ labels: names, chosen: [], pitch, needed: LEAST_PITCH, room: length - 4, align: isQueries ? "right" : "left", colour: palette.ink },
    turn: isQueries ? 0 : -Math.PI / 2,
    place: (at) => (isQueries ? [length - 4, (at + 0.5) * pitch] : [(at + 0.5) * pitch, length - 4]),
    alpha: (at) => (chosen === null || chosen === at ? 1 : 0.45),
  });
}

/** Paint a map on a canvas that has more on it. @param {CanvasRenderingContext2D} context without a transform @param {number} side in its pixels @param {SmallMap} map @param {Theme} theme @param {number} x @param {number} y */
export function paintAt(context, side, map, { scale }, x, y) {
  tilePainter(context, side, side, { table: scale.table, visible: null, signed: false })(map, x, y);
}
