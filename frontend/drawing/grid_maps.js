// The small map of every head, painted straight into the grid's pixels.

import { paintMap } from "../maps/maps.js";
import { drawingContext } from "../page/dom.js";
import { cellBox } from "./grid_geometry.js";

/** @typedef {import("./grid_geometry.js").Geometry} Geometry */

/**
 * Paint the layers of some frames, each head where it lies.
 * @param {HTMLCanvasElement} canvas
 * @param {Geometry} geometry
 * @param {Iterable<Frame>} frames
 * @param {Uint32Array} table
 * @param {(frame: Frame, head: number) => SmallMap | null} mapOf null: nothing to paint
 * @param {{visible: Visible | null, signed: boolean}} shown what a filter leaves of each map
 * @returns {number} milliseconds it took
 */
export function paintLayers(canvas, geometry, frames, table, mapOf, { visible, signed }) {
  const began = performance.now();
  const context = drawingContext(canvas);
  const { ratio } = geometry;
  const size = Math.round(geometry.cell * ratio);
  const tile = context.createImageData(size, size);
  const target = { pixels: new Uint32Array(tile.data.buffer), stride: size, x: 0, y: 0, width: size, height: size };
  for (const frame of frames) {
    for (let head = frame.first_head; head < frame.first_head + frame.heads; head += 1) {
      const { x, y } = cellBox(geometry, { layer: frame.layer, head });
      const map = mapOf(frame, head);
      if (map === null || map.codes.length === 0) continue;
      paintMap(target, map.codes, map.rows, map.cols, table, visible, signed);
      context.putImageData(tile, Math.round(x * ratio), Math.round(y * ratio));
    }
  }
  return performance.now() - began;
}
