// The small maps of the grid as colour steps. Most treatments only recolour a head, and that takes a table of 256
// entries; only hiding and words need its weights.

import { Memo, perObject } from "../page/memo.js";
import { headValues } from "../requests/wire.js";
import { decoded, linesAt, sourceOfFrame } from "./map_lines.js";
import { pairWeights } from "./pair_sheet.js";
import { rankPart, scaledCodes, topOf } from "./scales.js";
import { treated } from "./sheet.js";

/** @typedef {{codes: Uint8Array, rows: number, cols: number}} SmallMap */

const ALL_CODES = Uint8Array.from({ length: 256 }, (_, code) => code);

/** One head of an overview. @param {Frame} frame @param {number} head @param {Treatment} treatment @param {StackTokens} tokens */
export function gridCodes(frame, head, treatment, tokens) {
  const values = headValues(frame, head);
  const isRecoloured = treatment.hide === "none" && (!treatment.words || frame.pooled);
  if (isRecoloured && values instanceof Uint8Array) {
    return { codes: recoloured(values, treatment), rows: frame.rows, cols: frame.cols };
  }
  const { queries, keys, weights } = treated(sourceOfFrame(frame, head, tokens), treatment);
  const codes = scaledCodes(weights, treatment.scale, topOf(weights, treatment), false);
  return { codes, rows: queries.labels.length, cols: keys.labels.length };
}

/** @param {Uint8Array} codes square-root codes as the server sends them @param {Treatment} treatment */
function recoloured(codes, { scale, range }) {
  if (scale === "sqrt" && range === "fixed") return codes;
  const table = scale === "rank" ? rankTable(codes) : formulaTable(codes, scale, range);
  const steps = new Uint8Array(codes.length);
  for (let at = 0; at < codes.length; at += 1) steps[at] = table[codes[at]];
  return steps;
}

/** @param {Uint8Array} codes @param {import("./scales.js").FormulaScale} scale @param {Treatment["range"]} range */
function formulaTable(codes, scale, range) {
  let largest = 0;
  for (let at = 0; at < codes.length; at += 1) if (codes[at] > largest) largest = codes[at];
  const top = topOf(decoded(Uint8Array.of(largest)), { scale, range });
  return scaledCodes(decoded(ALL_CODES), scale, top, false);
}

/** @param {Uint8Array} codes */
function rankTable(codes) {
  const counts = new Uint32Array(256);
  for (let at = 0; at < codes.length; at += 1) counts[codes[at]] += 1;
  const n = codes.length - counts[0];
  const table = new Uint8Array(256);
  let before = 0;
  for (let code = 1; code < 256; code += 1) {
    if (counts[code] > 0) table[code] = Math.round(255 * rankPart(before, counts[code], n));
    before += counts[code];
  }
  return table;
}

/**
 * One head minus another, signed.
 * @param {Source} one
 * @param {Source} other
 * @param {Unit[] | null} units null: both have the same tokens
 * @param {Treatment} treatment
 */
export function differenceCodes(one, other, units, treatment) {
  const isWhole = treatment.hide !== "none" || treatment.scale === "rank";
  const shown = units === null || isWhole ? units : eachOnce(units, one.block, other.block);
  const { queries, keys, weights } = pairWeights("difference", one, other, shown, treatment);
  const codes = scaledCodes(weights, treatment.scale, topOf(weights, treatment), true);
  return { codes, rows: queries.labels.length, cols: keys.labels.length };
}

/** The units that were left of others. */
const thinned = perObject((/** @type {Unit[]} */ _) => /** @type {Memo<Unit[]>} */ (new Memo()));

/**
 * Of units that lie in the same pooled lines of both maps the first: the others would paint the same once more, and
 * a long text would be painted in far more cells than it came in.
 * @param {Unit[]} units
 * @param {number} blockA how many tokens a line covers
 * @param {number} blockB
 * @returns {Unit[]} the same list for the same units
 */
function eachOnce(units, blockA, blockB) {
  if (blockA === 1 && blockB === 1) return units;
  const linesOf = (/** @type {Unit} */ { one, other }) => [linesAt(one, blockA), linesAt(other, blockB)].join(" ");
  return thinned(units).get([blockA, blockB], () =>
    units.filter((unit, at) => at === 0 || linesOf(unit) !== linesOf(units[at - 1])),
  );
}
