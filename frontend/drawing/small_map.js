// Small maps as pixels: one on a canvas of its own, or each head's in its cell of the grid.

import { paintMap } from "../maps/maps.js";
import { drawingContext, sizeCanvas } from "../page/dom.js";
import { cellBox } from "./grid_geometry.js";

/** @typedef {import("./grid_geometry.js").Geometry} Geometry */
/** @typedef {Pick<Painting, "table" | "signed" | "visible">} Colouring */

/**
 * A painter of maps of one size, in device pixels.
 * @param {CanvasRenderingContext2D} context
 * @param {number} width
 * @param {number} height
 * @param {Colouring} colouring
 * @returns {(map: SmallMap | null, x: number, y: number) => void}
 */
function tilePainter(context, width, height, { table, visible, signed }) {
  const image = context.createImageData(width, height);
  const target = { pixels: new Uint32Array(image.data.buffer), stride: width, x: 0, y: 0, width, height };
  return (map, x, y) => {
    if (map === null || map.codes.length === 0) return;
    paintMap(target, map.codes, map.rows, map.cols, table, visible, signed);
    context.putImageData(image, x, y);
  };
}

/** @param {HTMLCanvasElement} canvas @param {number} side in CSS pixels @param {SmallMap} map @param {Colouring} colouring */
export function drawSmallMap(canvas, side, map, colouring) {
  const context = sizeCanvas(canvas, side, side);
  tilePainter(context, canvas.width, canvas.height, colouring)(map, 0, 0);
}

/**
 * Paint the layers of some frames into the grid, each head where it lies.
 * @param {HTMLCanvasElement} canvas
 * @param {Geometry} geometry
 * @param {Iterable<Frame>} frames
 * @param {Painting} painting
 */
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
