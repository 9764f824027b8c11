// The small map of every head, painted straight into the grid's pixels. It must not know state.

import { drawingContext } from "../dom.js";
import { paintMap } from "../maps.js";
import { headValues } from "../wire.js";
import { cellBox } from "./grid_geometry.js";

/** @typedef {import("../wire.js").Frame} Frame */
/** @typedef {import("../maps.js").Visible} Visible */
/** @typedef {import("./grid_geometry.js").Geometry} Geometry */

/**
 * Paint the layers of some frames, each head where it lies.
 * @param {HTMLCanvasElement} canvas
 * @param {Geometry} geometry
 * @param {Iterable<Frame>} frames
 * @param {Uint32Array} table
 * @param {(frame: Frame) => Visible | null} [visibleIn]
 * @returns {number} milliseconds it took
 */
export function paintLayers(canvas, geometry, frames, table, visibleIn = () => null) {
  const began = performance.now();
  const context = drawingContext(canvas);
  const { ratio } = geometry;
  const size = Math.round(geometry.cell * ratio);
  const tile = context.createImageData(size, size);
  const target = { pixels: new Uint32Array(tile.data.buffer), stride: size, x: 0, y: 0, width: size, height: size };
  for (const frame of frames) {
    if (!(frame.values instanceof Uint8Array)) continue;
    const visible = visibleIn(frame);
    for (let head = frame.first_head; head < frame.first_head + frame.heads; head += 1) {
      const { x, y } = cellBox(geometry, { layer: frame.layer, head });
      const codes = /** @type {Uint8Array} */ (headValues(frame, head));
      paintMap(target, codes, frame.rows, frame.cols, table, visible);
      context.putImageData(tile, Math.round(x * ratio), Math.round(y * ratio));
    }
  }
  return performance.now() - began;
}
