// Which share of the attention sinks take, in what the grid shows: the mean over heads and queries, or over the heads' rows
// of the token in focus. It is that of the maps as the model has them, whatever is hidden or merged. In a causal map the first
// row counts only when it is in focus: it sees nothing but the first token.

import { perObject } from "../page/memo.js";
import { isWeighted } from "../state/selectors.js";
import { exactRowsOf } from "./exact_rows.js";
import { frameSinks } from "./grid_codes.js";
import { queryIn } from "./row_token.js";
import { linesAt, placesWithin, stackTokens } from "./map_lines.js";
import { stackPlaces } from "./shared_top.js";
import { isSink } from "./sinks.js";
import { isSpecial } from "./words.js";

/** @typedef {{sum: number, count: number}} Part so many heads or rows, and the sum of their shares */

/**
 * @param {State} state
 * @param {Side} side
 * @param {boolean} inRows whether only the rows of the token in focus count
 * @returns {number | null} 0 to 1; null while it is not known
 */
export function sinkShare(state, side, inRows) {
  const parts = stackPlaces(state, side).map((found) => partOf(state, found, inRows));
  const [sum, count] = [parts.reduce((all, part) => all + part.sum, 0), parts.reduce((all, part) => all + part.count, 0)];
  return count === 0 ? null : sum / count;
}

/** @param {State} state @param {ReturnType<typeof stackPlaces>[number]} found @param {boolean} inRows @returns {Part} */
function partOf(state, { analysis, stack, place }, inRows) {
  const tokens = stackTokens(analysis, stack);
  const query = inRows ? queryIn(state, place.side, tokens) : null;
  if (inRows && query === null) return { sum: 0, count: 0 };
  const exact = query === null ? null : exactRowsOf(state, place, query);
  if (exact) return { sum: exactShares(exact, tokens), count: exact.layers * exact.heads };
  const frames = [...stack.layers.values()];
  if (frames.some(({ pooled }) => pooled)) return query === null ? measuredPart(state, stack, tokens) : { sum: 0, count: 0 };
  const rows = query === null ? null : linesAt(placesWithin(tokens.queries, [query]), 1);
  const shares = frames.map((frame) => rowShares(frame, frameSinks(frame, tokens)));
  const shown = rows === null ? shares.map((all) => [...all.slice(stack.causal && all.length > 1 ? 1 : 0)]) : shares.map((all) => rows.map((row) => all[row]));
  return { sum: shown.flat().reduce((sum, share) => sum + share, 0), count: shown.flat().length };
}

/** The shares of sinks in the rows of a frame, each the mean over its heads. */
const knownShares = perObject((/** @type {Frame} */ _) => /** @type {WeakMap<Uint8Array, Float64Array>} */ (new WeakMap()));

/** @param {Frame} frame of square-root codes @param {Uint8Array} sinks */
function rowShares(frame, sinks) {
  const known = knownShares(frame).get(sinks);
  if (known) return known;
  const { values, rows, cols, heads } = frame;
  const shares = new Float64Array(rows);
  for (let line = 0; line < heads * rows; line += 1) {
    let [onSinks, total] = [0, 0];
    for (let col = 0; col < cols; col += 1) {
      const weight = values[line * cols + col] ** 2;
      total += weight;
      if (sinks[col] === 1) onSinks += weight;
    }
    if (total > 0) shares[line % rows] += onSinks / total / heads;
  }
  knownShares(frame).set(sinks, shares);
  return shares;
}

/** @param {import("./exact_rows.js").ExactRows} rows of all heads @param {StackTokens} tokens @returns {number} the sum of their shares */
function exactShares({ n_keys, weights }, { keys }) {
  let [sum, total] = [0, 0];
  const sinks = keys.flatMap((token, place) => (isSink(token, place) ? [place] : []));
  for (let from = 0; from < weights.length; from += n_keys) {
    const onSinks = sinks.reduce((all, place) => all + weights[from + place], 0);
    total = 0;
    for (let key = 0; key < n_keys; key += 1) total += weights[from + key];
    if (total > 0) sum += onSinks / total;
  }
  return sum;
}

/** What the server measured: the blocks of a pooled map hide whose weights they are. @param {State} state @param {Stack} stack @param {StackTokens} tokens @returns {Part} */
function measuredPart(state, { measures }, { keys }) {
  const shares = [...measures.values()].flatMap(({ raw, weighted }) => {
    const { first = [], special = [] } = (isWeighted(state) ? weighted : raw) ?? {};
    // A first token that is special is counted already.
    return first.map((share, head) => Number(special[head] ?? 0) + (isSpecial(keys[0]) ? 0 : Number(share ?? 0)));
  });
  return { sum: shares.reduce((sum, share) => sum + share, 0), count: shares.length };
}
