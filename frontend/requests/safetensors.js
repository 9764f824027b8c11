// Reading safetensors: the length of a JSON header (8 bytes, little-endian), the header, then the numbers of each array.

/** The media type of arrays in this format. */
export const SAFETENSORS = "application/vnd.safetensors";

const LENGTH_BYTES = 8;

/** Which list holds the numbers of a type; what is read copies them, so that they may begin anywhere. */
const LISTS = /** @type {const} */ ({
  F64: Float64Array,
  F32: Float32Array,
  I64: BigInt64Array,
  I32: Int32Array,
  I16: Int16Array,
  I8: Int8Array,
  U8: Uint8Array,
  BOOL: Uint8Array,
});

/** @typedef {keyof typeof LISTS} NumberType */
/** @typedef {Float64Array | Float32Array | BigInt64Array | Int32Array | Int16Array | Int8Array | Uint8Array} Numbers */
/** @typedef {{shape: number[], values: Numbers}} Tensor in C order */
/** @typedef {{tensors: Record<string, Tensor>, metadata: Record<string, string>}} Safetensors */

/** Bytes that are no safetensors this page can read. */
export class SafetensorsError extends Error {}

/** @param {ArrayBuffer} buffer @returns {Safetensors} */
export function readSafetensors(buffer) {
  if (buffer.byteLength < LENGTH_BYTES) throw new SafetensorsError("These bytes are too few for safetensors.");
  const length = Number(new DataView(buffer).getBigUint64(0, true));
  const start = LENGTH_BYTES + length;
  if (start > buffer.byteLength) throw new SafetensorsError(`The header should have ${length} bytes, only ${buffer.byteLength - LENGTH_BYTES} are here.`);
  const { __metadata__: metadata = {}, ...entries } = headerOf(new Uint8Array(buffer, LENGTH_BYTES, length));
  const tensors = Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, tensorOf(name, entry, buffer.slice(start))]));
  return { tensors, metadata };
}

/** @param {Uint8Array} bytes @returns {any} */
function headerOf(bytes) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new SafetensorsError("The header of these bytes is no JSON.");
  }
}

/** @param {string} name @param {{dtype: string, shape: number[], data_offsets: [number, number]}} entry @param {ArrayBuffer} data @returns {Tensor} */
function tensorOf(name, { dtype, shape, data_offsets: [from, to] }, data) {
  if (!(dtype in LISTS)) throw new SafetensorsError(`The numbers of “${name}” are of type ${dtype}, which this page cannot read.`);
  const List = LISTS[/** @type {NumberType} */ (dtype)];
  const announced = shape.reduce((product, size) => product * size, 1) * List.BYTES_PER_ELEMENT;
  if (to - from !== announced || to > data.byteLength) {
    throw new SafetensorsError(`“${name}” should have ${announced} bytes, ${Math.min(to, data.byteLength) - from} are here.`);
  }
  return { shape, values: new List(data.slice(from, to)) };
}
