// Arrays as one .npz file, which numpy reads: a zip archive of .npy files, none of them compressed.

/**
 * @typedef {object} NamedArray
 * @property {string} name
 * @property {number[]} shape an empty one: a single value
 * @property {Float32Array | string[]} values row after row
 */

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]; // "\x93NUMPY", version 1.0
const ALIGNMENT = 64;
const UTF8_NAMES = 0x0800;
/** The first day zip can express: the time is not part of the data, so the same arrays give the same bytes. */
const FIRST_DAY = 0x0021;
const VERSION = 20;
const SIGNATURES = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };

/** @param {NamedArray[]} arrays @returns {Uint8Array<ArrayBuffer>} */
export function npz(arrays) {
  let offset = 0;
  const entries = arrays.map((array) => {
    const data = npy(array);
    const name = new TextEncoder().encode(`${array.name}.npy`);
    const header = commonHeader(name, data);
    const local = joined([fields([4, SIGNATURES.local]), header, name, data]);
    const place = fields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    offset += local.length;
    return { local, central: joined([fields([4, SIGNATURES.central], [2, VERSION]), header, place, name]) };
  });
  const [files, directory] = [entries.map(({ local }) => local), entries.map(({ central }) => central)].map(joined);
  const counts = fields([2, 0], [2, 0], [2, entries.length], [2, entries.length]);
  const end = joined([fields([4, SIGNATURES.end]), counts, fields([4, directory.length], [4, files.length], [2, 0])]);
  return joined([files, directory, end]);
}

/** One array in numpy's own format. @param {NamedArray} array */
export function npy({ shape, values }) {
  const size = values instanceof Float32Array ? 0 : Math.max(1, ...values.map((text) => [...text].length));
  const type = values instanceof Float32Array ? "<f4" : `<U${size}`;
  const tuple = `(${shape.map((side) => `${side},`).join(" ")})`;
  const words = `{'descr': '${type}', 'fortran_order': False, 'shape': ${tuple}, }`;
  // The header ends with a line break, and the numbers begin at a multiple of 64 bytes.
  const length = Math.ceil((MAGIC.length + 2 + words.length + 1) / ALIGNMENT) * ALIGNMENT - MAGIC.length - 2;
  const header = new TextEncoder().encode(`${words.padEnd(length - 1)}\n`);
  const numbers = values instanceof Float32Array ? floats(values) : letters(values, size);
  return joined([Uint8Array.from(MAGIC), fields([2, length]), header, numbers]);
}

/** The lowest byte first, on every machine. @param {Float32Array} values */
function floats(values) {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, at) => view.setFloat32(4 * at, value, true));
  return new Uint8Array(view.buffer);
}

/** @param {string[]} texts @param {number} size characters of each; shorter texts are filled with zeros */
function letters(texts, size) {
  const view = new DataView(new ArrayBuffer(4 * size * texts.length));
  texts.forEach((text, at) => {
    [...text].forEach((letter, place) => view.setUint32(4 * (at * size + place), letter.codePointAt(0) ?? 0, true));
  });
  return new Uint8Array(view.buffer);
}

/** What both headers of a file have in common. @param {Uint8Array} name @param {Uint8Array} data */
function commonHeader(name, data) {
  const stored = fields([2, VERSION], [2, UTF8_NAMES], [2, 0], [2, 0], [2, FIRST_DAY]);
  return joined([stored, fields([4, crc32(data)], [4, data.length], [4, data.length], [2, name.length], [2, 0])]);
}

/** @param {...[number, number]} numbers the size in bytes and the value of each; the lowest byte first */
function fields(...numbers) {
  const bytes = numbers.flatMap(([size, value]) => Array.from({ length: size }, (_, at) => (value >>> (8 * at)) & 255));
  return Uint8Array.from(bytes);
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** @param {Uint8Array} data */
function crc32(data) {
  let crc = 0xffffffff;
  for (let at = 0; at < data.length; at += 1) crc = CRC_TABLE[(crc ^ data[at]) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
