// The heads in which the token in focus attends most to another word: they stand out in the grid.

import { hiddenBy } from "../maps/axis.js";
import { exactRowsOf } from "../maps/exact_rows.js";
import { rowToken } from "../maps/row_token.js";
import { blocks } from "../maps/map_lines.js";
import { headValues } from "../requests/wire.js";
import { chosenQuantity } from "./measures.js";

const MOST = 5;
/** A weaker link is no reason to stand out. */
const LEAST_WEIGHT = 0.1;

/** @param {SideView} state @returns {Cell[]} strongest first; none where no single token is in focus */
export function strongestHeads(state) {
  const { analysis, side } = state;
  const query = rowToken(state, side);
  if (query === null || analysis === null || state.color_by === "role" || chosenQuantity(state) !== null) return [];
  const at = Math.max(0, analysis.stacks.findIndex(({ layers }) => layers === analysis.layers));
  const { queries: [first, end], keys: [firstKey] } = analysis.stacks[at];
  if (query < first || query >= end) return [];
  const isSink = hiddenBy("both");
  const isNoWord = (/** @type {number} */ key) => firstKey + key === query || isSink(analysis.tokens[firstKey + key], key);
  const exact = exactRowsOf(state, { side, stack: at }, query);
  const found = exact ? exactStrengths(exact, isNoWord) : overviewStrengths(analysis.layers, query - first, isNoWord);
  return found.filter(({ weight }) => weight >= LEAST_WEIGHT).sort((one, other) => other.weight - one.weight).slice(0, MOST);
}

/** @typedef {Cell & {weight: number}} Strength of its strongest link to another word */

/** @param {import("../requests/wire.js").ExactRows} rows @param {(key: number) => boolean} isLeftOut @returns {Strength[]} */
function exactStrengths({ layers, heads, n_keys, weights }, isLeftOut) {
  return Array.from({ length: layers * heads }, (_, at) => {
    const weight = largest(weights, at * n_keys, n_keys, isLeftOut);
    return { layer: Math.floor(at / heads), head: at % heads, weight };
  });
}

/** @param {Map<number, Frame>} layers @param {number} query among the queries of this attention @param {(key: number) => boolean} isLeftOut */
function overviewStrengths(layers, query, isLeftOut) {
  return [...layers.values()].flatMap((frame) => {
    const { rows, cols, n_queries, n_keys } = frame;
    const row = Math.floor(query / Math.ceil(n_queries / rows));
    const block = Math.ceil(n_keys / cols);
    const leftOut = blocks(n_keys, block).map((keys) => keys.some(isLeftOut));
    return Array.from({ length: frame.heads }, (_, at) => {
      const head = frame.first_head + at;
      const values = headValues(frame, head);
      const found = largest(values, row * cols, cols, (col) => leftOut[col]);
      return { layer: frame.layer, head, weight: values instanceof Uint8Array ? (found / 255) ** 2 : found };
    });
  });
}

/** @param {ArrayLike<number>} values @param {number} from @param {number} length @param {(at: number) => boolean} isLeftOut */
function largest(values, from, length, isLeftOut) {
  let found = 0;
  for (let at = 0; at < length; at += 1) if (values[from + at] > found && !isLeftOut(at)) found = values[from + at];
  return found;
}
