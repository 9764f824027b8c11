// Small maps as pixels: one on a canvas of its own, or each head's in its cell of the grid.

import { paintMap } from "../maps/maps.js";
import { drawingContext, sizeCanvas } from "../page/dom.js";
import { cellBox } from "./grid_geometry.js";

/** @typedef {import("./grid_geometry.js").Geometry} Geometry */
/** @typedef {import("../maps/maps.js").Colouring} Colouring */

/**
 * A painter of maps of one size, in device pixels.
 * @param {CanvasRenderingContext2D} context
 * @param {number} width
 * @param {number} height
 * @param {Colouring} colouring
 * @returns {(map: SmallMap | null, x: number, y: number) => void}
 */
export function tilePainter(context, width, height, colouring) {
  const image = context.createImageData(width, height);
  return (map, x, y) => {
    if (map === null || map.codes.length === 0) return;
    paintMap(image, map, colouring);
    context.putImageData(image, x, y);
  };
}

/** @param {HTMLCanvasElement} canvas @param {number} side in CSS pixels @param {SmallMap} map @param {Colouring} colouring */
export function drawSmallMap(canvas, side, map, colouring) {
  const context = sizeCanvas(canvas, side, side);
  tilePainter(context, canvas.width, canvas.height, colouring)(map, 0, 0);
}

/** Paint heads in place. @type {(canvas: HTMLCanvasElement, geometry: Geometry, frames: Iterable<Frame>, painting: Painting) => void} */
export function paintLayers(canvas, geometry, frames, painting) {
  const { ratio } = geometry;
  const size = Math.round(geometry.cell * ratio);
  const paint = tilePainter(drawingContext(canvas), size, size, painting);
  for (const frame of frames) {
    for (let head = frame.first_head; head < frame.first_head + frame.heads; head += 1) {
      const { x, y } = cellBox(geometry, { layer: frame.layer, head });
      paint(painting.mapOf(frame, head), Math.round(x * ratio), Math.round(y * ratio));
    }
  }
}
