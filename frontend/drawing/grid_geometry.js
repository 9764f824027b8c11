// Where each head's cell lies in the grid. A model of many layers has them in blocks side by side, so that all are in sight.

import { cellIn, slotOf } from "../heads/arrangement.js";

/**
 * @typedef {object} Geometry
 * @property {number} layers
 * @property {number} heads
 * @property {number} blocks side by side, the first layers in the leftmost
 * @property {number} rows of one block
 * @property {number} cell side of a cell
 * @property {number} gap
 * @property {number} left room for the layers' names
 * @property {number} top room for the heads' names
 * @property {number} width
 * @property {number} height
 * @property {number} ratio device pixels a CSS pixel
 * @property {Order | null} order null: heads lie as in the model
 */

const LEFT = 30;
const TOP = 20;
const MARGIN = 4; // room for the ring around a pinned cell at the edge
const LARGEST = 96;
const MOST_BLOCKS = 3;
const BETWEEN = 6; // blocks, beside the names of the right one
/** The smallest cells that are worth having all in sight, and the smallest where the grid scrolls anyway. */
const SMALLEST = { all: 12, scrolled: 26 };

/**
 * The largest cells that fit the width and the height, in as many blocks as that takes; if these are too small to read,
 * one block that fits the width.
 * @param {{layers: number, heads: number, width: number, height: number, ratio: number}} room
 * @param {Order | null} [order]
 * @returns {Geometry}
 */
export function gridGeometry({ layers, heads, width, height, ratio }, order = null) {
  const gap = layers * heads > 200 ? 3 : 4;
  const inBlocks = (/** @type {number} */ blocks) => {
    const rows = Math.ceil(layers / blocks);
    const byWidth = (width - blocks * (LEFT + BETWEEN) + BETWEEN - 2 * MARGIN) / (blocks * heads) - gap;
    const byHeight = (height - TOP - 2 * MARGIN) / rows - gap;
    return { blocks, rows, byWidth, cell: Math.min(LARGEST, byWidth, byHeight) };
  };
  const [one, ...others] = Array.from({ length: MOST_BLOCKS }, (_, at) => inBlocks(at + 1));
  const best = others.reduce((largest, it) => (it.cell > largest.cell ? it : largest), one);
  const isScrolled = best.cell < SMALLEST.all;
  const { blocks, rows, byWidth } = isScrolled ? one : best;
  const wanted = isScrolled ? Math.min(byWidth, SMALLEST.scrolled) : best.cell;
  const cell = Math.max(8, Math.floor(wanted * ratio) / ratio);
  return {
    layers,
    heads,
    blocks,
    rows,
    cell,
    gap,
    left: LEFT,
    top: TOP,
    width: Math.ceil(blocks * (LEFT + heads * (cell + gap) + BETWEEN) - BETWEEN - gap + 2 * MARGIN),
    height: Math.ceil(TOP + rows * (cell + gap) - gap + 2 * MARGIN),
    ratio,
    order,
  };
}

/** How far the cells of one block are from those of the next. @param {Geometry} geometry */
const blockStep = ({ left, cell, gap, heads }) => left + heads * (cell + gap) + BETWEEN;

/** @param {Geometry} geometry @param {Cell} cell */
export function cellBox(geometry, cell) {
  const { left, top, cell: size, gap, heads, rows, order } = geometry;
  const { row, column } = slotOf(order, cell, heads);
  const x = left + MARGIN + Math.floor(row / rows) * blockStep(geometry) + column * (size + gap);
  return { x, y: top + MARGIN + (row % rows) * (size + gap), size };
}

/** Where the names of rows end, left of a cell of the first column. @param {{x: number}} box */
export const nameEnd = ({ x }) => x - MARGIN;

/** All cells with their boxes, layer by layer. @param {Geometry} geometry */
export function cellBoxes(geometry) {
  const { layers, heads } = geometry;
  return Array.from({ length: layers * heads }, (_, at) => {
    const cell = { layer: Math.floor(at / heads), head: at % heads };
    return { ...cell, ...cellBox(geometry, cell) };
  });
}

/** The head at a point; the gap right of and below a cell belongs to it. @param {Geometry} geometry @param {number} x @param {number} y */
export function cellAt(geometry, x, y) {
  const { left, top, cell, gap, layers, heads, blocks, rows, order } = geometry;
  const step = blockStep(geometry);
  const block = Math.min(blocks - 1, Math.floor((x - MARGIN) / step));
  const column = Math.floor((x - MARGIN - block * step - left) / (cell + gap));
  const row = Math.floor((y - top - MARGIN) / (cell + gap));
  const slot = { row: block * rows + row, column };
  const isInside = column >= 0 && column < heads && row >= 0 && row < rows && slot.row < layers;
  return isInside ? cellIn(order, slot, heads) : null;
}
