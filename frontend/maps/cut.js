// The part of a map that is shown: chosen rows and columns, merged where they belong together.

/**
 * @typedef {object} Plan which lines of a map make the rows and columns that are shown
 * @property {number[][]} rows per shown row the lines it is the mean of
 * @property {number[][]} cols per shown column the lines it is the sum of
 * @property {number[]} hidden columns left out on purpose
 * @property {number[]} outside columns left out because nothing is opposite them
 */

/**
 * @param {Float32Array} weights
 * @param {number} n_cols
 * @param {Plan} plan
 * @param {boolean} renormalise whether the rows are divided by what is shown of them
 * @returns the shown weights, rows x cols; dropped, outside: mean share of a shown row's weight on columns left out either way
 */
export function cut(weights, n_cols, { rows, cols, hidden, outside }, renormalise) {
  const isAlone = (/** @type {number[]} */ line, /** @type {number} */ at) => line.length === 1 && line[0] === at;
  const isWhole = cols.length === n_cols && rows.length * n_cols === weights.length && rows.every(isAlone) && cols.every(isAlone);
  // A whole map needs no copy.
  if (!renormalise && isWhole) return { weights, dropped: 0, outside: 0 };
  const shown = new Float32Array(rows.length * cols.length);
  let [droppedSum, outsideSum] = [0, 0];
  const line = new Float64Array(n_cols);
  for (let row = 0; row < rows.length; row += 1) {
    const total = meanInto(line, weights, rows[row]);
    const from = row * cols.length;
    let sum = 0;
    for (let col = 0; col < cols.length; col += 1) {
      const weight = sumOf(line, cols[col]);
      shown[from + col] = weight;
      sum += weight;
    }
    if (total > 0) {
      droppedSum += sumOf(line, hidden) / total;
      outsideSum += sumOf(line, outside) / total;
    }
    if (renormalise && sum > 0) for (let at = from; at < from + cols.length; at += 1) shown[at] /= sum;
  }
  const n = Math.max(1, rows.length);
  return { weights: shown, dropped: droppedSum / n, outside: outsideSum / n };
}

/** @param {Float64Array} line is filled @param {Float32Array} weights @param {number[]} rows @returns {number} its sum */
function meanInto(line, weights, rows) {
  line.fill(0);
  let total = 0;
  for (const row of rows) {
    const from = row * line.length;
    for (let col = 0; col < line.length; col += 1) line[col] += weights[from + col];
  }
  for (let col = 0; col < line.length; col += 1) {
    line[col] /= rows.length;
    total += line[col];
  }
  return total;
}

/** @param {Float64Array} line @param {number[]} cols */
function sumOf(line, cols) {
  let sum = 0;
  for (let at = 0; at < cols.length; at += 1) sum += line[cols[at]];
  return sum;
}
