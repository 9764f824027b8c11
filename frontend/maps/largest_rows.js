// The largest weights of a layer apart from sinks, row by row: found once, so that pointing at a token only looks its row up.

import { Memo, perObject } from "../page/memo.js";
import { frameSinks, plainCodes, treatedWeights } from "./grid_codes.js";
import { decoded, linesAt, placesWithin } from "./map_lines.js";
import { largestApart } from "./sinks.js";

/** @typedef {import("./grid_codes.js").Shown} Shown */
/**
 * @typedef {object} LargestRows
 * @property {Float32Array} rows the largest weight of any head in each row
 * @property {number} all the largest of these
 * @property {(query: number) => number} of a token by its running index; 0: it has no row
 */

const known = perObject((/** @type {Frame} */ _) => /** @type {Memo<LargestRows>} */ (new Memo()));

/** @param {Frame} frame @param {Shown} treatment @param {StackTokens} tokens */
export function largestRows(frame, treatment, tokens) {
  const { hide, renormalise, words } = treatment;
  return known(frame).get([tokens, hide, renormalise, words], () => {
    const isPlain = plainCodes(frame, frame.first_head, treatment) !== null;
    const { rows, rowOf } = isPlain ? ofCodes(frame, tokens) : ofTreated(frame, treatment, tokens);
    const all = rows.reduce((largest, row) => Math.max(largest, row), 0);
    return { rows, all, of: (query) => rows[rowOf(query) ?? -1] ?? 0 };
  });
}

/** @param {Frame} frame @param {StackTokens} tokens */
function ofCodes(frame, tokens) {
  const { values, rows, cols } = frame;
  const sinks = frameSinks(frame, tokens);
  const codes = new Uint8Array(rows);
  for (let line = 0; line * cols < values.length; line += 1) {
    const row = line % rows;
    for (let col = 0; col < cols; col += 1) {
      const code = values[line * cols + col];
      if (code > codes[row] && sinks[col] === 0) codes[row] = code;
    }
  }
  const block = Math.ceil(frame.n_queries / rows);
  const rowOf = (/** @type {number} */ query) => linesAt(placesWithin(tokens.queries, [query]), block)[0];
  return { rows: decoded(codes), rowOf };
}

/** @param {Frame} frame @param {Shown} treatment @param {StackTokens} tokens */
function ofTreated(frame, treatment, tokens) {
  const maps = Array.from({ length: frame.heads }, (_, at) => treatedWeights(frame, frame.first_head + at, treatment, tokens));
  const { groups } = maps[0].queries;
  const rows = Float32Array.from(groups, (_, row) => {
    return Math.max(...maps.map(({ weights, sinks }) => largestApart(weights.subarray(row * sinks.length, (row + 1) * sinks.length), sinks)));
  });
  return { rows, rowOf: (/** @type {number} */ query) => groups.findIndex((group) => group.includes(query)) };
}
