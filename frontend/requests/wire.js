// The binary frame: a 32-byte little-endian header, then the values of some heads of one layer, or of all heads.

/** Where the API begins. */
export const BASE = "/api/v1";
/** The media type of a frame. */
export const FRAME_TYPE = "application/vnd.headscope.frame";
const HEADER_BYTES = 32;
const MAGIC = 0x50435348; // "HSCP" read as a little-endian number
const VERSION = 1;
/** By number format: 1 are square-root codes, 2 exact weights. */
const ARRAYS = [null, Uint8Array, Float32Array];
const STACKS = /** @type {const} */ (["encoder", "decoder", "cross"]);

/** Kind of a frame with exact patterns; kind 1 are overviews, possibly pooled. */
export const PATTERN = 2;
/** Kind of a frame with one exact row of every head, layer after layer. */
export const ROWS = 3;

/**
 * @typedef {object} Frame
 * @property {number} kind
 * @property {Stack["stack"]} stack
 * @property {number} layer which one; of rows how many
 * @property {number} first_head
 * @property {number} heads
 * @property {boolean} pooled
 * @property {boolean} causal
 * @property {number} rows
 * @property {number} cols
 * @property {number} n_queries how many queries there were before pooling
 * @property {number} n_keys
 * @property {Uint8Array | Float32Array} values heads x rows x cols; uint8 = round(255 * sqrt(weight))
 */

/** A frame this page cannot read. */
export class FrameError extends Error {}

/** Read one frame; values are a view on the buffer, not a copy. @param {ArrayBuffer} buffer @returns {Frame} */
export function decodeFrame(buffer) {
  if (buffer.byteLength < HEADER_BYTES) {
    throw new FrameError(`A frame needs ${HEADER_BYTES} bytes, this one has ${buffer.byteLength}.`);
  }
  const header = new DataView(buffer, 0, HEADER_BYTES);
  if (header.getUint32(0, true) !== MAGIC) throw new FrameError("These bytes are not a HeadScope frame.");
  const version = header.getUint8(4);
  if (version !== VERSION) throw new FrameError(`Frame version ${version} is not known, only ${VERSION}.`);
  const stack = STACKS[header.getUint8(7)];
  if (!stack) throw new FrameError(`Stack ${header.getUint8(7)} is not known.`);
  const flags = header.getUint16(14, true);
  const heads = header.getUint16(12, true);
  const rows = header.getUint32(16, true);
  const cols = header.getUint32(20, true);
  return {
    kind: header.getUint8(5),
    stack,
    layer: header.getUint16(8, true),
    first_head: header.getUint16(10, true),
    heads,
    pooled: (flags & 1) !== 0,
    causal: (flags & 2) !== 0,
    rows,
    cols,
    n_queries: header.getUint32(24, true),
    n_keys: header.getUint32(28, true),
    values: readValues(buffer, header.getUint8(6), heads * rows * cols),
  };
}

/** @param {ArrayBuffer} buffer @param {number} dtype @param {number} count */
function readValues(buffer, dtype, count) {
  const NumberArray = ARRAYS[dtype];
  if (!NumberArray) throw new FrameError(`Number format ${dtype} is not known.`);
  const [announced, here] = [count * NumberArray.BYTES_PER_ELEMENT, buffer.byteLength - HEADER_BYTES];
  if (here !== announced) throw new FrameError(`The header announces ${announced} bytes of values, ${here} are here.`);
  return new NumberArray(buffer, HEADER_BYTES, count);
}

/** The map of one head of a frame, rows x cols, as a view. @param {Frame} frame @param {number} head counted over the whole layer */
export function headValues(frame, head) {
  const size = frame.rows * frame.cols;
  const offset = (head - frame.first_head) * size;
  return frame.values.subarray(offset, offset + size);
}

/** @typedef {{layers: number, heads: number, n_keys: number, weights: Float32Array}} ExactRows layers x heads x keys; heads of each layer */

/** What one token sees in every head. @param {Frame} frame of kind 3 @returns {ExactRows} */
export function rowsOfFrame({ kind, layer: layers, heads, rows, cols, values }) {
  if (kind !== ROWS || !(values instanceof Float32Array)) throw new FrameError(`Exact rows were asked for, a frame of kind ${kind} came.`);
  if (rows !== 1 || layers === 0 || heads % layers !== 0) {
    throw new FrameError(`${heads} heads of ${layers} layers with ${rows} rows each are not one row of every head.`);
  }
  return { layers, heads: heads / layers, n_keys: cols, weights: values };
}

/** A head's row in a frame of kind 3. @param {Frame} frame @param {number} n_heads a layer @param {number} layer @param {number} head */
export function rowValues(frame, n_heads, layer, head) {
  return headValues(frame, layer * n_heads + head);
}

/** The weight behind a square-root code. @param {number} code 0 to 255 */
export function weightOfCode(code) {
  return (code / 255) ** 2;
}

/** The square-root code of a weight: what the server does for the overview. @param {number} weight 0 to 1 */
export function codeOfWeight(weight) {
  return Math.round(255 * Math.sqrt(Math.min(1, Math.max(0, weight))));
}
