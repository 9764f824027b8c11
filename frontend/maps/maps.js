// Turning attention weights into pixels. Shrinking keeps the strongest weight of each pixel, so that a thin diagonal
// never fades away.

import { Memo } from "../page/memo.js";
import { codeOfWeight } from "../requests/wire.js";

/**
 * @typedef {object} Visible which rows and columns a filter shows; the rest gets the colour `outside`
 * @property {Uint8Array} rows
 * @property {Uint8Array} cols
 * @property {number} outside a packed colour
 */

/** @typedef {{cols: Uint8Array, table: Uint32Array}} Dimmed columns that are set aside, by their flags, and their colours */
/**
 * @typedef {object} Colouring
 * @property {Uint32Array} table
 * @property {Visible | null} visible
 * @property {boolean} signed whether codes below the middle are below zero
 * @property {Dimmed | null} [dimmed] null: no column is set aside
 */

/** The edges of rows and of columns that were computed last: all heads of a grid have the same. @type {{rows: Memo<Uint32Array>, cols: Memo<Uint32Array>}} */
const lastEdges = { rows: new Memo(), cols: new Memo() };

/** Where each of `pixels` begins in `cells`, with one more entry for the end. @param {"rows" | "cols"} axis @param {number} cells @param {number} pixels */
function edges(axis, cells, pixels) {
  return lastEdges[axis].get([cells, pixels], () => {
    const found = new Uint32Array(pixels + 1);
    for (let pixel = 0; pixel <= pixels; pixel += 1) found[pixel] = Math.floor((pixel * cells) / pixels);
    return found;
  });
}

/**
 * Paint a whole image. Where a pixel covers dimmed columns and others, it shows the others.
 * @param {Pick<ImageData, "data" | "width" | "height">} image
 * @param {SmallMap} map
 * @param {Colouring} colouring
 */
export function paintMap({ data, width, height }, { codes, rows, cols }, { table, visible, signed, dimmed = null }) {
  const pixels = new Uint32Array(data.buffer);
  const nothing = signed ? 127.5 : 0;
  const rowEdges = edges("rows", rows, height);
  const colEdges = edges("cols", cols, width);
  for (let line = 0; line < height; line += 1) {
    const start = line * width;
    const row = rowEdges[line];
    if (line > 0 && rows <= height && row === rowEdges[line - 1]) {
      pixels.copyWithin(start, start - width, start);
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
      const isDim = dimmed !== null && isWholly(dimmed.cols, col, colEnd);
      let strongest = nothing;
      for (let r = row; r < rowEnd; r += 1) {
        const first = r * cols;
        for (let at = first + col; at < first + colEnd; at += 1) {
          if (dimmed !== null && !isDim && dimmed.cols[at - first] === 1) continue;
          if (Math.abs(codes[at] - nothing) > Math.abs(strongest - nothing)) strongest = codes[at];
        }
      }
      pixels[start + column] = isDim ? dimmed.table[strongest] : table[strongest];
    }
  }
}

/** Whether all flags of a range are set. @param {Uint8Array} flags @param {number} from @param {number} to */
function isWholly(flags, from, to) {
  for (let at = from; at < to; at += 1) if (flags[at] !== 1) return false;
  return true;
}

/** The square-root codes of exact weights. @param {Float32Array} weights */
export function codesOf(weights) {
  const codes = new Uint8Array(weights.length);
  for (let at = 0; at < weights.length; at += 1) codes[at] = codeOfWeight(weights[at]);
  return codes;
}

/** How many tokens one value of a frame covers along an axis. @param {Pick<Frame, "n_queries" | "n_keys" | "rows" | "cols">} frame */
export function blockSize({ n_queries, n_keys, rows, cols }) {
  return Math.ceil(Math.max(n_queries / rows, n_keys / cols));
}
