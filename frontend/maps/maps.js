// Turning attention weights into pixels. Shrinking keeps the strongest weight of each pixel, so that a thin diagonal
// never fades away.

import { codeOfWeight } from "../requests/wire.js";

/**
 * @typedef {object} Visible which rows and columns a filter shows; the rest gets the colour `outside`
 * @property {Uint8Array} rows
 * @property {Uint8Array} cols
 * @property {number} outside a packed colour
 */

/**
 * @typedef {object} Target a rectangle inside a picture of `stride` pixels a line
 * @property {Uint32Array} pixels
 * @property {number} stride
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

/** Where each of `pixels` begins in `cells`, with one more entry for the end. @param {number} cells @param {number} pixels */
function edges(cells, pixels) {
  const found = new Uint32Array(pixels + 1);
  for (let pixel = 0; pixel <= pixels; pixel += 1) found[pixel] = Math.floor((pixel * cells) / pixels);
  return found;
}

/**
 * Paint one map into a rectangle through the colour table.
 * @param {Target} target
 * @param {Uint8Array} codes rows x cols
 * @param {number} rows
 * @param {number} cols
 * @param {Uint32Array} table
 * @param {Visible | null} [visible]
 * @param {boolean} [isSigned] whether nothing is in the middle of the codes: what is farthest from it is strongest
 */
export function paintMap(target, codes, rows, cols, table, visible = null, isSigned = false) {
  const nothing = isSigned ? 127.5 : 0;
  const { pixels, stride, x, y, width, height } = target;
  const rowEdges = edges(rows, height);
  const colEdges = edges(cols, width);
  for (let line = 0; line < height; line += 1) {
    const start = (y + line) * stride + x;
    const row = rowEdges[line];
    if (line > 0 && rows <= height && row === rowEdges[line - 1]) {
      pixels.copyWithin(start, start - stride, start - stride + width);
      continue;
    }
    const rowEnd = Math.max(row + 1, rowEdges[line + 1]);
    const rowShown = !visible || visible.rows[row] === 1;
    for (let column = 0; column < width; column += 1) {
      const col = colEdges[column];
      if (visible && !(rowShown && visible.cols[col] === 1)) {
        pixels[start + column] = visible.outside;
        continue;
      }
      const colEnd = Math.max(col + 1, colEdges[column + 1]);
      let strongest = nothing;
      for (let r = row; r < rowEnd; r += 1) {
        const end = r * cols + colEnd;
        for (let at = r * cols + col; at < end; at += 1) {
          if (Math.abs(codes[at] - nothing) > Math.abs(strongest - nothing)) strongest = codes[at];
        }
      }
      pixels[start + column] = table[strongest];
    }
  }
}

/** The square-root codes of exact weights. @param {Float32Array} weights */
export function codesOf(weights) {
  const codes = new Uint8Array(weights.length);
  for (let at = 0; at < weights.length; at += 1) codes[at] = codeOfWeight(weights[at]);
  return codes;
}

/**
 * How many tokens one value of a frame stands for, along each axis.
 * @param {Pick<Frame, "n_queries" | "n_keys" | "rows" | "cols">} frame
 */
export function blockSize({ n_queries, n_keys, rows, cols }) {
  return Math.ceil(Math.max(n_queries / rows, n_keys / cols));
}
