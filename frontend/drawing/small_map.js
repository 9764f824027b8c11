// One small map on a canvas of its own, painted as the cells of the grid are.

import { paintMap } from "../maps/maps.js";
import { sizeCanvas } from "../page/dom.js";

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number} side in CSS pixels
 * @param {SmallMap} map
 * @param {Pick<Painting, "table" | "signed" | "visible">} painting
 */
export function drawSmallMap(canvas, side, { codes, rows, cols }, { table, signed, visible }) {
  const context = sizeCanvas(canvas, side, side);
  if (codes.length === 0) return;
  const { width, height } = canvas;
  const image = context.createImageData(width, height);
  const target = { pixels: new Uint32Array(image.data.buffer), stride: width, x: 0, y: 0, width, height };
  paintMap(target, codes, rows, cols, table, visible, signed);
  context.putImageData(image, 0, 0);
}
