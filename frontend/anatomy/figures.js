// The figures of a step: each matrix of its arrangement with its values, a figure a head where the arrangement says so.

/** @typedef {import("./walk.js").Answer} Answer */
/** @typedef {import("./walk.js").MatrixKind} MatrixKind */
/**
 * @typedef {object} Figure
 * @property {string} id the same in all steps that show it: by it a figure moves to its next place
 * @property {string} name of the matrix that its numbers are in
 * @property {number} head of which they are
 * @property {string} symbol
 * @property {MatrixKind} kind
 * @property {number} rows as drawn
 * @property {number} columns
 * @property {string} rowAxis
 * @property {string} columnAxis
 * @property {boolean} transposed whether its rows are drawn as columns
 * @property {ArrayLike<number>} values of the matrix, row by row, not as drawn
 * @property {"signed" | "weights" | "mask"} look
 * @property {Scale} scale
 * @property {number} heads how many heads its columns or rows hold side by side; 1: they are of one
 */
/** @typedef {{top: number, largest: number}} Scale the size at the end of the colours, and the largest there is */

const WEIGHTS = ["patterns", "pattern", "mean_pattern", "one_head_pattern", "pattern_unscaled"];
/** Far above the others: a few numbers of many models, which would leave no colour for the rest. */
const OUTLIER = 3;
const SHARE = 0.99;

/** @param {string} name @returns {Figure["look"]} */
const lookOf = (name) => (WEIGHTS.includes(name) ? "weights" : name === "visible" ? "mask" : "signed");

/** @param {ArrayLike<number>} values @param {Figure["look"]} look @returns {Scale} */
export function scaleOf(values, look) {
  if (look !== "signed") return { top: 1, largest: 1 };
  const sizes = Float32Array.from(values, (value) => (Number.isFinite(value) ? Math.abs(value) : 0)).sort();
  const largest = sizes.at(-1) ?? 0;
  const usual = sizes[Math.max(0, Math.ceil(SHARE * sizes.length) - 1)] ?? 0;
  const top = usual > 0 && largest > OUTLIER * usual ? usual : largest;
  return { top: top || 1, largest };
}

/**
 * @param {Answer} answer
 * @param {string} name
 * @param {boolean} transposed
 * @returns {Figure | null} null: the model has no such matrix
 */
export function figureOf({ about, tensors }, name, transposed = false) {
  const kind = about.matrices.find((matrix) => matrix.name === name);
  const tensor = tensors[name];
  if (!kind || !tensor || tensor.shape.length !== 2) return null;
  const [rows, columns] = tensor.shape;
  const values = /** @type {ArrayLike<number>} */ (tensor.values);
  const [rowAxis, columnAxis] = kind.axes;
  const holdsHeads = [rowAxis, columnAxis].find((axis) => axis === "all_heads" || axis === "key_heads");
  const look = lookOf(name);
  const heads = holdsHeads === "all_heads" ? about.sizes.n_heads : holdsHeads === "key_heads" ? about.sizes.n_kv_heads : 1;
  const drawn = transposed ? { rows: columns, columns: rows, rowAxis: columnAxis, columnAxis: rowAxis } : { rows, columns, rowAxis, columnAxis };
  const symbol = transposed ? `${kind.symbol}ᵀ` : kind.symbol;
  return { id: name, name, head: about.head, symbol, kind, ...drawn, transposed, values, look, scale: scaleOf(values, look), heads };
}

/** One figure a head: maps of all heads, or their parts of the concatenation. @param {Answer} answer @param {string} name @returns {Figure[]} */
export function figuresOfHeads({ about, tensors }, name) {
  const isMaps = name === "patterns";
  const one = isMaps ? "pattern" : "z";
  const tensor = tensors[isMaps ? "patterns" : "concat"];
  const kind = about.matrices.find((matrix) => matrix.name === (isMaps ? "patterns" : "z"));
  if (!tensor || !kind) return [];
  const { n_heads, d_head } = about.sizes;
  const rows = about.n_tokens;
  const columns = isMaps ? rows : d_head;
  const numbers = /** @type {Float32Array} */ (tensor.values);
  const look = lookOf(one);
  const scale = scaleOf(numbers, look); // the same for all heads
  return Array.from({ length: n_heads }, (_, head) => {
    const values = isMaps
      ? numbers.subarray(head * rows * columns, (head + 1) * rows * columns)
      : Float32Array.from({ length: rows * columns }, (__, at) => numbers[Math.floor(at / columns) * n_heads * d_head + head * d_head + (at % columns)]);
    const id = head === about.head ? one : `${one}@${head}`;
    const axes = { rowAxis: "token", columnAxis: isMaps ? "token" : "head_dimension" };
    const symbol = isMaps ? `head ${head}` : `Z, head ${head}`;
    return { id, name: one, head, symbol, kind, rows, columns, ...axes, transposed: false, values, look, scale, heads: 1 };
  });
}

/** The number in a place of a figure as drawn. @param {Pick<Figure, "transposed" | "rows" | "columns" | "values">} figure @param {number} row @param {number} column */
export function valueAt({ transposed, rows, columns, values }, row, column) {
  return transposed ? values[column * rows + row] : values[row * columns + column];
}

/** The place in the matrix of a place as drawn, and the other way round. @param {Pick<Figure, "transposed">} figure @param {number} row @param {number} column @returns {[number, number]} */
export function turned({ transposed }, row, column) {
  return transposed ? [column, row] : [row, column];
}

/** What the caption says of the shape. @param {Pick<Figure, "rows" | "columns">} figure */
export function shapeText({ rows, columns }) {
  return `${rows} × ${columns}`;
}

/** A number in few digits. @param {number} value */
export function shortNumber(value) {
  const size = Math.abs(value);
  const text = size >= 100 ? size.toFixed(0) : size >= 10 ? size.toFixed(1) : size >= 0.1 || size === 0 ? size.toFixed(2) : size.toPrecision(2);
  return `${value < 0 ? "−" : ""}${Number(text) === 0 ? "0" : text}`;
}

/** What the colours of a figure mean. @param {Pick<Figure, "look" | "scale">} figure */
export function scaleText({ look, scale: { top, largest } }) {
  if (look === "mask") return "1 visible, 0 hidden";
  if (look === "weights") return "0 to 1";
  const beyond = largest > top ? `, some up to ${shortNumber(largest)}` : "";
  return `±${shortNumber(top)}${beyond}`;
}

/** How many columns or rows share one pixel. @param {{row: number, column: number}} box */
export function sharedText({ row, column }) {
  const parts = [row < 1 ? `${Math.round(1 / row)} rows` : "", column < 1 ? `${Math.round(1 / column)} columns` : ""].filter(Boolean);
  return parts.length === 0 ? "" : `${parts.join(", ")} a pixel`;
}
