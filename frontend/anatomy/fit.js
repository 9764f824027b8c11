// Sizes and places of the figures of a step: one length for each axis, as large as the room allows.
//
// Rows and columns that count the same have the same length in all figures of a step, so that factors and products can be
// compared by eye. A row or column is a whole number of pixels; where even one pixel is too much, several share it.

/**
 * @typedef {object} Item one place of a row: a figure, or nothing but its operator
 * @property {string} op
 * @property {FigureSize | null} figure
 */
/**
 * @typedef {object} FigureSize
 * @property {string} id
 * @property {number} rows
 * @property {number} columns
 * @property {string} rowAxis what its rows count
 * @property {string} columnAxis
 * @property {number} least pixels that its caption needs
 */
/**
 * @typedef {object} Box where the cells of a figure are
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} row pixels a row; below 1 several rows share one
 * @property {number} column
 * @property {number} labels pixels left of it for the names of rows
 * @property {number} columnLabels pixels above it for those of columns
 */
/** @typedef {{text: string, x: number, y: number, width: number, height: number, above: boolean}} OpBox */
/** @typedef {{boxes: Map<string, Box>, ops: OpBox[], width: number, height: number, score: number}} Fitted */
/**
 * @typedef {object} Room
 * @property {number} width
 * @property {number} height Infinity: as high as is needed
 * @property {boolean} wraps whether rows may be broken
 * @property {number} rowLabels pixels that labels of rows need
 * @property {number} columnLabels
 */

/** Pixels a row or column may have, the largest first. */
const PITCHES = [30, 28, 26, 24, 22, 20, 18, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1 / 2, 1 / 3, 1 / 4, 1 / 6, 1 / 8, 1 / 12, 1 / 16];
/** The largest pixels by what is counted, in a row of tokens and across. @type {Record<string, number>} */
const LARGEST = { token: 28, head_dimension: 20, dimension: 12, all_heads: 12, key_heads: 12, hidden: 8, part: 24, head: 30, layer: 24, one: 14 };
/** Rows of tokens are not made lower, even where the picture becomes higher than its room then. */
const LEAST_TOKEN_ROW = 3;
const MOST_HIGH = 280; // of a figure in one column
const MANY = 6; // figures, of which two share the width of a column
/** Rows that have names: of tokens, heads, layers. */
const NAMED = ["token", "part", "layer"];
export const GAP = 14;
/** What counts for an arrangement: numbers that need not share a pixel, names of rows that can be read, no need to scroll. */
const [SHARED, LEGIBLE, TOO_HIGH] = [1000, 40, 4];
const OP_WIDTH = 22;
const CHARACTER = 7.6; // of an operator that is a word
export const CAPTION = 34;
export const THIN_CAPTION = 17; // of a figure of one row
export const ABOVE = 16; // an operator above a figure

/** @param {string} op @returns {number} pixels that an operator needs beside a figure */
function opWidth(op) {
  if (op === "" || op.startsWith("↓")) return 0;
  return op.length <= 1 ? OP_WIDTH : Math.max(OP_WIDTH, 18 + CHARACTER * op.length);
}

/** How many pixels so many rows or columns take. @param {number} count @param {number} pitch */
export const lengthOf = (count, pitch) => Math.max(1, Math.ceil(count * pitch - 1e-9));

/** Pitches by axis and direction, which shrink until all fits. */
class Pitches {
  /** @type {Map<string, number>} */
  #at = new Map();

  /** @param {string} axis @param {"x" | "y"} way */
  of(axis, way) {
    return PITCHES[this.#place(axis, way)];
  }

  /** @param {string} axis @param {"x" | "y"} way */
  #place(axis, way) {
    const key = `${axis} ${way}`;
    const known = this.#at.get(key);
    if (known !== undefined) return known;
    const first = this.#first(axis, way);
    this.#at.set(key, first);
    return first;
  }

  /** What was asked for so far. @returns {{axis: string, way: "x" | "y"}[]} */
  get known() {
    return [...this.#at.keys()].map((key) => ({ axis: key.slice(0, -2), way: key.endsWith("x") ? /** @type {const} */ ("x") : /** @type {const} */ ("y") }));
  }

  /** @param {string} axis @param {"x" | "y"} way @returns {boolean} whether there was a larger one */
  enlarge(axis, way) {
    const place = this.#place(axis, way);
    if (place <= this.#first(axis, way)) return false;
    this.#at.set(`${axis} ${way}`, place - 1);
    return true;
  }

  /** @param {string} axis @param {"x" | "y"} way the place of the largest pitch */
  #first(axis, way) {
    const largest = way === "y" && axis === "token" ? 24 : (LARGEST[axis] ?? 12);
    return PITCHES.findIndex((pitch) => pitch <= largest);
  }

  /** @param {string} axis @param {"x" | "y"} way @returns {boolean} whether there was a smaller one */
  shrink(axis, way) {
    const place = this.#place(axis, way);
    if (place >= PITCHES.length - 1) return false;
    if (axis === "token" && way === "y" && PITCHES[place] <= LEAST_TOKEN_ROW) return false;
    this.#at.set(`${axis} ${way}`, place + 1);
    return true;
  }
}

/**
 * @typedef {object} Measured one place of a row as it takes room
 * @property {Item} item
 * @property {number} before pixels before the cells: the gap, the operator, names of rows
 * @property {number} labels of these the names of rows
 * @property {number} width of cells or caption
 * @property {number} above pixels above the cells: operator, caption, names of columns
 * @property {number} columnLabels of these the names of columns
 * @property {number} height of the cells
 */

/** @param {Item[][]} lines @param {boolean} grid @param {Pitches} pitches @param {Room} room @returns {Measured[][]} */
function measure(lines, grid, pitches, room) {
  const measured = lines.map((line, number) => {
    // In a row of figures of tokens the first one has their names; in a column of a grid too.
    const first = line.findIndex(({ figure }) => figure !== null && NAMED.includes(figure.rowAxis) && figure.rows > 1);
    return line.map((item, at) => {
      const { op, figure } = item;
      const labels = at === first ? room.rowLabels : 0;
      const isBelow = grid && number > 0 && lines.slice(0, number).some((other) => other[at]?.figure?.columnAxis === "token");
      const columnLabels = figure && figure.columnAxis === "token" && !isBelow ? room.columnLabels : 0;
      return {
        ...{ item, labels, columnLabels },
        before: (at > 0 ? GAP : 0) + opWidth(op) + labels,
        width: figure ? Math.max(lengthOf(figure.columns, pitches.of(figure.columnAxis, "x")), figure.least) : 0,
        above: figure ? aboveOf(op) + captionOf(figure) + columnLabels : 0,
        height: figure ? lengthOf(figure.rows, pitches.of(figure.rowAxis, "y")) : 0,
      };
    });
  });
  if (grid) alignColumns(measured);
  return measured;
}

/** Let the cells of a column begin at one edge. @param {Measured[][]} lines */
function alignColumns(lines) {
  const most = Math.max(...lines.map(({ length }) => length));
  for (let at = 0; at < most; at += 1) {
    const column = lines.flatMap((line) => (line[at] ? [line[at]] : []));
    const before = Math.max(...column.map((cell) => cell.before));
    const width = Math.max(...column.map((cell) => cell.width));
    for (const cell of column) Object.assign(cell, { before, width });
  }
}

/** @param {FigureSize} figure */
const captionOf = ({ rows }) => (rows === 1 ? THIN_CAPTION : CAPTION);

/** @param {string} op */
const aboveOf = (op) => (op.startsWith("↓") ? ABOVE : 0);

const total = (/** @type {number[]} */ numbers) => numbers.reduce((sum, number) => sum + number, 0);
const widthOf = (/** @type {Measured[]} */ line) => total(line.map(({ before, width }) => before + width));
const highest = (/** @type {Measured[]} */ line, /** @type {"above" | "height"} */ part) => Math.max(0, ...line.map((cell) => cell[part]));

const heightOf = (/** @type {Measured[][]} */ lines) => total(lines.map((line) => highest(line, "above") + highest(line, "height"))) + GAP * (lines.length - 1);

/**
 * Fit rows of figures into a room.
 * @param {Item[][]} rows
 * @param {boolean} isGrid whether figures of a column stand below each other
 * @param {Room} room
 * @returns {Fitted}
 */
export function fit(rows, isGrid, room) {
  const pitches = new Pitches();
  const grid = isGrid && !room.wraps;
  // In one column a figure is as high as a part of the window.
  const figures = rows.flat().flatMap(({ figure }) => (figure ? [figure] : []));
  const isMany = figures.length > MANY;
  const [wide, high] = isMany ? [room.width / 2 - GAP - room.rowLabels, MOST_HIGH / 2] : [room.width, MOST_HIGH];
  while (room.wraps && figures.some(({ rows: count, rowAxis }) => lengthOf(count, pitches.of(rowAxis, "y")) > high && pitches.shrink(rowAxis, "y")));
  while (room.wraps && figures.some(({ columns: count, columnAxis }) => lengthOf(count, pitches.of(columnAxis, "x")) > wide && pitches.shrink(columnAxis, "x")));
  const laid = () => measure(room.wraps ? rows.flatMap((row) => broken(row, pitches, room)) : rows, grid, pitches, room);
  let measured = laid();
  for (;;) {
    const wide = measured.filter((line) => widthOf(line) > room.width).flat();
    const narrowed = wide.length > 0 && shrinkLongest(wide, "x", pitches);
    const lowered = heightOf(measured) > room.height && shrinkLongest(measured.flat(), "y", pitches);
    if (!narrowed && !lowered) break;
    measured = laid();
  }
  // Shrinking one axis may have left room for another.
  const fits = (/** @type {Measured[][]} */ lines) => lines.every((line) => widthOf(line) <= room.width) && heightOf(lines) <= room.height;
  for (let isGrown = !room.wraps && fits(measured); isGrown; ) {
    isGrown = false;
    for (const { axis, way } of pitches.known) {
      if (!pitches.enlarge(axis, way)) continue;
      const larger = laid();
      if (fits(larger)) [measured, isGrown] = [larger, true];
      else pitches.shrink(axis, way);
    }
  }
  return place(measured, heightOf(measured), pitches, room);
}

/** A row as lines that are no wider than the room. @param {Item[]} row @param {Pitches} pitches @param {Room} room */
function broken(row, pitches, room) {
  /** @type {Item[][]} */
  const lines = [];
  for (const item of row.filter(({ figure }) => figure !== null)) {
    const last = lines.at(-1);
    if (last && widthOf(measure([[...last, item]], false, pitches, room)[0]) <= room.width) last.push(item);
    else lines.push([item]);
  }
  return lines;
}

/** Make the axis with the longest side smaller. @param {Measured[]} cells @param {"x" | "y"} way @param {Pitches} pitches @returns {boolean} whether there was one */
function shrinkLongest(cells, way, pitches) {
  const sides = cells
    .flatMap(({ item: { figure } }) => (figure ? [figure] : []))
    .map(({ rows, columns, rowAxis, columnAxis }) => (way === "x" ? { axis: columnAxis, count: columns } : { axis: rowAxis, count: rows }))
    .map(({ axis, count }) => ({ axis, length: lengthOf(count, pitches.of(axis, way)) }))
    .filter(({ length }) => length > 1)
    .sort((one, other) => other.length - one.length);
  return sides.some(({ axis }) => pitches.shrink(axis, way));
}

/** @param {Measured[][]} lines @param {number} height @param {Pitches} pitches @param {Room} room @returns {Fitted} */
function place(lines, height, pitches, room) {
  /** @type {Map<string, Box>} */
  const boxes = new Map();
  /** @type {OpBox[]} */
  const ops = [];
  const width = Math.max(...lines.map(widthOf));
  let [y, score] = [0, 0];
  for (const line of lines) {
    let x = Math.max(0, Math.round((room.width - width) / 2));
    const top = Math.round(y + highest(line, "above"));
    for (const { item: { op, figure }, before, labels, columnLabels, width: wide } of line) {
      const left = Math.round(x + before);
      if (figure) {
        const [row, column] = [pitches.of(figure.rowAxis, "y"), pitches.of(figure.columnAxis, "x")];
        const size = { width: lengthOf(figure.columns, column), height: lengthOf(figure.rows, row) };
        boxes.set(figure.id, { x: left, y: top, ...size, row, column, labels, columnLabels });
        score += SHARED * Math.min(1, column) * Math.min(1, row) + Math.sqrt(size.width * size.height);
        if (NAMED.includes(figure.rowAxis)) score += LEGIBLE * Math.min(10, row);
        const above = op.startsWith("↓");
        const caption = captionOf(figure) + columnLabels;
        if (above) ops.push({ text: op, x: left, y: top - caption - ABOVE, width: Math.max(size.width, 60), height: ABOVE, above });
        else if (op !== "") ops.push({ text: op, x: left - labels - opWidth(op), y: top, width: opWidth(op), height: size.height, above });
      } else if (op !== "") ops.push({ text: op, x, y: top, width: before + wide, height: highest(line, "height"), above: false });
      x += before + wide;
    }
    y += highest(line, "above") + highest(line, "height") + GAP;
  }
  return { boxes, ops, width, height: Math.round(height), score: score - TOO_HIGH * Math.max(0, height - room.height) };
}
