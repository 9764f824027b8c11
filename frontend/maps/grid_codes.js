// The small maps of the grid as colour steps. Most treatments only recolour a head, and that takes a table of 256
// entries; only hiding and words need its weights.

import { Memo, perObject } from "../page/memo.js";
import { headValues, weightOfCode } from "../requests/wire.js";
import { blocks, decoded, linesAt, placesWithin, sourceOfFrame } from "./map_lines.js";
import { pairWeights } from "./pair_sheet.js";
import { rankPart, scaledCodes, topOf } from "./scales.js";
import { treated } from "./sheet.js";
import { sinkColumns } from "./sinks.js";

/** @typedef {{codes: Uint8Array, rows: number, cols: number}} SmallMap */
/** @typedef {Pick<Treatment, "hide" | "renormalise" | "words">} Shown what changes weights, not only their colours */
/** @typedef {SmallMap & {queries: number[][]}} TreatedMap and the running indices of the tokens behind each row */

const ALL_CODES = Uint8Array.from({ length: 256 }, (_, code) => code);

/** One head of an overview. @param {Frame} frame @param {number} head @param {Treatment} treatment @param {StackTokens} tokens */
export function gridCodes(frame, head, treatment, tokens) {
  const values = plainCodes(frame, head, treatment);
  if (values) return { codes: recoloured(values, treatment, frameSinks(frame, tokens)), rows: frame.rows, cols: frame.cols };
  return treatedCodes(frame, head, treatment, tokens);
}

/**
 * What one token sees in a head of an overview, as a map of one row.
 * @param {Frame} frame
 * @param {number} head
 * @param {Treatment} treatment
 * @param {StackTokens} tokens
 * @param {number} query by its running index
 * @returns {SmallMap | null} null: this attention does not have the token among its queries, or it is hidden
 */
export function gridRow(frame, head, treatment, tokens, query) {
  const values = plainCodes(frame, head, treatment);
  if (!values) return treatedRow(frame, head, treatment, tokens, query);
  const [line] = linesAt(placesWithin(tokens.queries, [query]), Math.ceil(frame.n_queries / frame.rows));
  if (line === undefined) return null;
  const row = values.subarray(line * frame.cols, (line + 1) * frame.cols);
  return { codes: recoloured(row, treatment, frameSinks(frame, tokens)), rows: 1, cols: frame.cols };
}

/** @type {(frame: Frame, head: number, treatment: Treatment, tokens: StackTokens, query: number) => SmallMap | null} */
function treatedRow(frame, head, treatment, tokens, query) {
  const { queries, keys, weights, sinks } = treatedWeights(frame, head, treatment, tokens);
  const [at, cols] = [queries.groups.findIndex((group) => group.includes(query)), keys.labels.length];
  if (at < 0) return null;
  const row = weights.subarray(at * cols, (at + 1) * cols);
  return { codes: scaledCodes(row, treatment.scale, topOf(row, treatment, sinks), false), rows: 1, cols };
}

/** The row of a token in a map that was treated. @param {TreatedMap} map @param {number} query @returns {SmallMap | null} */
export function rowOf({ codes, cols, queries }, query) {
  const row = queries.findIndex((group) => group.includes(query));
  return row < 0 ? null : { codes: codes.subarray(row * cols, (row + 1) * cols), rows: 1, cols };
}

/** The codes of a head where a treatment only recolours them, else null. @param {Frame} frame @param {number} head @param {Shown} treatment */
export function plainCodes(frame, head, { hide, words }) {
  const values = headValues(frame, head);
  return hide === "none" && (!words || frame.pooled) && values instanceof Uint8Array ? values : null;
}

/** Which columns of a frame hold a sink. */
const sinksOfFrames = perObject((/** @type {Frame} */ _) => /** @type {Memo<Uint8Array>} */ (new Memo()));

/** @param {Frame} frame @param {StackTokens} tokens */
export function frameSinks(frame, { keys }) {
  return sinksOfFrames(frame).get([keys], () => sinkColumns(keys, blocks(keys.length, Math.ceil(frame.n_keys / frame.cols))));
}

/** What was made last of each head: a token that is pointed at needs a row of each. */
const treatedHeads = perObject((/** @type {Frame} */ _) => {
  return /** @type {Map<number, {weights: Memo<ReturnType<typeof treated>>, codes: Memo<TreatedMap>}>} */ (new Map());
});

/** @param {Frame} frame @param {number} head */
function memosOf(frame, head) {
  const known = treatedHeads(frame);
  const memos = known.get(head) ?? { weights: new Memo(), codes: new Memo() };
  known.set(head, memos);
  return memos;
}

/** A head's weights as they are shown. @param {Frame} frame @param {number} head @param {Shown} treatment @param {StackTokens} tokens */
export function treatedWeights(frame, head, treatment, tokens) {
  const { hide, renormalise, words } = treatment;
  return memosOf(frame, head).weights.get([tokens, hide, renormalise, words], () => treated(sourceOfFrame(frame, head, tokens), treatment));
}

/** @param {Frame} frame @param {number} head @param {Treatment} treatment @param {StackTokens} tokens @returns {TreatedMap} */
function treatedCodes(frame, head, treatment, tokens) {
  return memosOf(frame, head).codes.get([tokens, ...Object.values(treatment)], () => {
    const { queries, keys, weights, sinks } = treatedWeights(frame, head, treatment, tokens);
    const codes = scaledCodes(weights, treatment.scale, topOf(weights, treatment, sinks), false);
    return { codes, rows: queries.labels.length, cols: keys.labels.length, queries: queries.groups };
  });
}

/** The colour steps of all codes on the scale that all maps share: made when that changes, not for each head. @type {Memo<Uint8Array>} */
const sharedTable = new Memo();

/**
 * @param {Uint8Array} codes square-root codes as the server sends them
 * @param {Treatment} treatment
 * @param {Uint8Array} sinks which columns hold one
 */
function recoloured(codes, treatment, sinks) {
  const { scale, range } = treatment;
  const top = treatment.sinks === "dim" ? treatment.top : 1;
  if (scale === "sqrt" && range === "fixed" && top === 1) return codes;
  const table =
    scale === "rank" ? rankTable(codes)
    : range === "fixed" ? sharedTable.get([scale, top], () => formulaTable(scale, top))
    : formulaTable(scale, ownTop(codes, treatment, sinks));
  const steps = new Uint8Array(codes.length);
  for (let at = 0; at < codes.length; at += 1) steps[at] = table[codes[at]];
  return steps;
}

/** @param {import("./scales.js").FormulaScale} scale @param {number} top */
function formulaTable(scale, top) {
  return scaledCodes(decoded(ALL_CODES), scale, top, false);
}

/** The largest weight of a map itself. @param {Uint8Array} codes @param {Treatment} treatment @param {Uint8Array} sinks */
function ownTop(codes, treatment, sinks) {
  return weightOfCode(topOf(codes, treatment, sinks));
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
 * @param {number | null} top the difference of the last colour; null: as the treatment says
 */
export function differenceCodes(one, other, units, treatment, top) {
  const { weights, sinks, ...shape } = differenceWeights(one, other, units, treatment);
  return { ...shape, sinks, codes: scaledCodes(weights, treatment.scale, top ?? topOf(weights, treatment, sinks), true) };
}

/** What `differenceCodes` paints. @param {Source} one @param {Source} other @param {Unit[] | null} units @param {Treatment} treatment */
export function differenceWeights(one, other, units, treatment) {
  const isWhole = treatment.hide !== "none" || treatment.scale === "rank";
  const shown = units === null || isWhole ? units : eachOnce(units, one.block, other.block);
  const { queries, keys, weights, sinks } = pairWeights("difference", one, other, shown, treatment);
  return { weights, sinks, rows: queries.labels.length, cols: keys.labels.length, queries: queries.groups };
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
