// Where each head's cell lies in the grid.

import { cellIn, slotOf } from "../heads/arrangement.js";

/**
 * @typedef {object} Geometry
 * @property {number} layers
 * @property {number} heads
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
const SMALLEST = 26;
const LARGEST = 62;
const TWO_COLUMNS = 1000; // the width from which the style sheet puts the grid beside the panels
const GRID_SHARE = 0.47;
const CARD_PADDING = 32;
const ABOVE_GRID = 294; // card title and words, tools, legends and page margins, when the whole grid is to be seen at once

/**
 * The largest cells that fit the width and, beside the panels, the height.
 * @param {{layers: number, heads: number, width: number, height: number, ratio: number}} room
 * @param {Order | null} [order]
 * @returns {Geometry}
 */
export function gridGeometry({ layers, heads, width, height, ratio }, order = null) {
  const isBeside = width >= TWO_COLUMNS;
  const inner = (isBeside ? width * GRID_SHARE : width) - CARD_PADDING - LEFT - 2 * MARGIN;
  const gap = layers * heads > 200 ? 3 : 4;
  const byWidth = inner / heads - gap;
  const byHeight = isBeside ? (height - ABOVE_GRID - TOP) / layers - gap : LARGEST;
  const wanted = Math.min(LARGEST, byWidth, Math.max(SMALLEST, byHeight));
  const cell = Math.max(8, Math.floor(wanted * ratio) / ratio);
  return {
    layers,
    heads,
    cell,
    gap,
    left: LEFT,
    top: TOP,
    width: Math.ceil(LEFT + heads * (cell + gap) - gap + 2 * MARGIN),
    height: Math.ceil(TOP + layers * (cell + gap) - gap + 2 * MARGIN),
    ratio,
    order,
  };
}

/** @param {Geometry} geometry @param {Cell} cell */
export function cellBox({ left, top, cell: size, gap, heads, order }, cell) {
  const { row, column } = slotOf(order, cell, heads);
  return { x: left + MARGIN + column * (size + gap), y: top + MARGIN + row * (size + gap), size };
}

/** All cells with their boxes, layer by layer. @param {Geometry} geometry */
export function cellBoxes(geometry) {
  const { layers, heads } = geometry;
  return Array.from({ length: layers * heads }, (_, at) => {
    const cell = { layer: Math.floor(at / heads), head: at % heads };
    return { ...cell, ...cellBox(geometry, cell) };
  });
}

/** The head at a point; the gap right of and below a cell belongs to it. @param {Geometry} geometry @param {number} x @param {number} y */
export function cellAt({ left, top, cell, gap, layers, heads, order }, x, y) {
  const column = Math.floor((x - left - MARGIN) / (cell + gap));
  const row = Math.floor((y - top - MARGIN) / (cell + gap));
  const isInside = column >= 0 && column < heads && row >= 0 && row < layers;
  return isInside ? cellIn(order, { row, column }, heads) : null;
}
