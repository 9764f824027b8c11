// Made-up texts and maps, the same in every run: tokens as the server describes them, rows that sum to one.

/** Tokens of a text of words of one to three pieces, with special ones at both ends where asked. */
export function randomTokens(n, random, { special = true, from = 0 } = {}) {
  let [word, left] = [-1, 0];
  return Array.from({ length: n }, (_, place) => {
    const index = from + place;
    if (special && (place === 0 || place === n - 1)) {
      return { index, text: place === 0 ? "[CLS]" : "[SEP]", kind: "special", word: null, segment: 0 };
    }
    const starts = left === 0;
    if (starts) [word, left] = [word + 1, 1 + random.below(3)];
    left -= 1;
    const [letter, kind] = starts ? ["w", "word_start"] : ["p", "continuation"];
    return { index, text: `${letter}${index}`, kind, word, segment: 0 };
  });
}

/** Weights whose rows sum to one; a causal map has nothing above its diagonal. */
export function randomWeights(rows, cols, random, causal = false) {
  const weights = new Float32Array(rows * cols);
  for (let row = 0; row < rows; row += 1) {
    const seen = causal ? Math.min(cols, row + 1) : cols;
    const values = Array.from({ length: seen }, () => random.next() ** 4 + 1e-4);
    const sum = values.reduce((total, value) => total + value, 0);
    values.forEach((value, col) => (weights[row * cols + col] = value / sum));
  }
  return weights;
}

/** An exact map of a text with itself. */
export function randomSource(n, random, { special = true, causal = false, tokens = null } = {}) {
  tokens ??= randomTokens(n, random, { special });
  return { weights: randomWeights(n, n, random, causal), exact: true, block: 1, queries: tokens, keys: tokens, causal };
}

/** An overview as it comes over the socket: coded, and pooled by the maximum where it is said. */
export function randomFrame(n, heads, random, { block = 1, causal = false } = {}) {
  const side = Math.ceil(n / block);
  const values = new Uint8Array(heads * side * side);
  for (let head = 0; head < heads; head += 1) {
    const weights = randomWeights(n, n, random, causal);
    weights.forEach((weight, at) => {
      const [row, col] = [Math.floor(at / n), at % n].map((place) => Math.floor(place / block));
      const cell = head * side * side + row * side + col;
      values[cell] = Math.max(values[cell], Math.round(255 * Math.sqrt(weight)));
    });
  }
  const shape = { rows: side, cols: side, n_queries: n, n_keys: n };
  return { kind: 1, stack: "encoder", layer: 0, first_head: 0, heads, pooled: block > 1, causal, ...shape, values };
}

/** How a map is shown when nobody chose anything, with changes. */
export function treatment(changes = {}) {
  return { scale: "sqrt", range: "fixed", hide: "none", renormalise: false, words: false, ...changes };
}

export function rowSums(weights, cols) {
  return Array.from({ length: weights.length / cols }, (_, row) =>
    weights.subarray(row * cols, (row + 1) * cols).reduce((sum, weight) => sum + weight, 0),
  );
}

/** Whether two numbers are as near as float32 sums can be. */
export function near(one, other, tolerance = 1e-5) {
  return Math.abs(one - other) <= tolerance;
}
