// What the tiles of one attention of one side show, or of side a minus side b: whole maps, or the row of the token that is
// pointed at; treated as the controls say.

import { comparison } from "../compare/comparison.js";
import { activeFilter, isIn } from "../state/selectors.js";
import { Memo, perObject } from "../page/memo.js";
import { analysisOf, atPlace, sidesOf } from "../state/sides.js";
import { shownAxis } from "./axis.js";
import { exactRowsOf } from "./exact_rows.js";
import { differenceCodes, differenceWeights, gridCodes, gridRow, rowOf } from "./grid_codes.js";
import { largestRows } from "./largest_rows.js";
import { sourceOfFrame, stackTokens } from "./map_lines.js";
import { queryIn, rowToken } from "./row_token.js";
import { scaledCodes, topOf } from "./scales.js";
import { sharedTop, largestOfMaps, stackPlaces } from "./shared_top.js";
import { NO_SINKS, largestApart, scaleEnd, sinkColumns } from "./sinks.js";
import { treatmentOf } from "./sources.js";
import { visibleOn } from "./visible.js";

/** @typedef {import("./exact_rows.js").ExactRows} ExactRows */
/**
 * @typedef {import("./maps.js").Colouring & {mapOf: (frame: Frame, head: number, other?: Cell) => SmallMap | null}} Painting how small maps
 *   are painted; other: of a difference the head of side b, without it the same one
 */

/** @param {State} state @param {Place} place @param {Theme} theme @returns {Painting | null} null while there is nothing to paint */
export function sidePainting(state, place, theme) {
  const analysis = analysisOf(state, place.side);
  const stack = analysis?.stacks[place.stack];
  if (!analysis || !stack) return null;
  const treatment = { ...treatmentOf(state), top: gridTop(state) };
  const tokens = stackTokens(analysis, stack);
  const [first] = stack.layers.values();
  const block = first ? Math.ceil(first.n_queries / first.rows) : 1;
  const query = queryIn(state, place.side, tokens);
  const exact = query === null ? null : exactRowsOf(state, place, query);
  const keyBlock = exact || !first ? 1 : Math.ceil(first.n_keys / first.cols);
  const { hide, words } = treatment;
  const queries = shownAxis(tokens.queries, block, hide, words);
  const keys = shownAxis(tokens.keys, keyBlock, hide, words && (exact !== null || block === 1));
  const filter = activeFilter(atPlace(state, place));
  const visible = filter && visibleOn(filter, analysis.tokens, { queries: queries.axis, keys: keys.axis }, theme);
  const dimmed = state.sinks === "dim" ? { cols: sinkColumns(tokens.keys, keys.places), table: theme.scale.dimmed.table } : null;
  const colouring = { table: theme.scale.table, signed: false, dimmed };
  if (query === null) return { ...colouring, visible, mapOf: (frame, head) => gridCodes(frame, head, treatment, tokens) };
  const ofRow = visible && { ...visible, rows: Uint8Array.of(Number(isShownQuery(filter, analysis.tokens[query]))) };
  if (exact) return { ...colouring, visible: ofRow, mapOf: ({ layer }, head) => exactRow(exact, layer, head, treatment, tokens) };
  return { ...colouring, visible: ofRow, mapOf: (frame, head) => gridRow(frame, head, treatment, tokens, query) };
}

/** @typedef {{cols: number, weights: Float32Array, sinks: Uint8Array, largest: number}} ShownRows the rows of all heads as they are shown */
const shownRows = perObject((/** @type {ExactRows} */ _) => /** @type {Memo<ShownRows>} */ (new Memo()));

/** Rows of exact weights: hidden keys left out, what is left renormalised, pieces merged. @param {ExactRows} rows @param {Pick<Treatment, "hide" | "renormalise" | "words">} treatment @param {StackTokens} tokens */
function treatedRows(rows, { hide, renormalise, words }, { keys, typed }) {
  return shownRows(rows).get([keys, hide, renormalise, words], () => {
    const { lines, places } = shownAxis(keys, 1, hide, words, typed);
    const [cols, n_rows] = [lines.length, rows.layers * rows.heads];
    const weights = new Float32Array(n_rows * cols);
    for (let at = 0; at < weights.length; at += 1) {
      const from = Math.floor(at / cols) * rows.n_keys;
      weights[at] = lines[at % cols].reduce((sum, key) => sum + rows.weights[from + key], 0);
    }
    const isRenormalised = renormalise && places.flat().length < keys.length;
    for (let from = 0; isRenormalised && from < weights.length; from += cols) {
      const row = weights.subarray(from, from + cols);
      const sum = row.reduce((all, weight) => all + weight, 0);
      if (sum > 0) row.forEach((weight, at) => (row[at] = weight / sum));
    }
    const sinks = sinkColumns(keys, places);
    return { cols, weights, sinks, largest: largestApart(weights, sinks) };
  });
}

/** One row of exact weights, where the overview is pooled. @type {(rows: ExactRows, layer: number, head: number, treatment: Treatment, tokens: StackTokens) => SmallMap} */
function exactRow(rows, layer, head, treatment, tokens) {
  const { cols, weights, sinks } = treatedRows(rows, treatment, tokens);
  const at = layer * rows.heads + head;
  const row = weights.subarray(at * cols, (at + 1) * cols);
  return { codes: scaledCodes(row, treatment.scale, topOf(row, treatment, sinks), false), rows: 1, cols };
}

/**
 * The weight of the last colour of the tiles, which all heads share: 1, or where sinks are dimmed the largest apart from
 * them of what the tiles show. It is looked up, not searched for, while the pointer moves.
 * @param {State} state
 */
export function gridTop(state) {
  if (state.sinks !== "dim") return 1;
  if (sidesOf(state).every((side) => rowToken(state, side) === null)) return sharedTop(state);
  const largest = sidesOf(state).flatMap((side) =>
    stackPlaces(state, side).map(({ analysis, stack, place }) => {
      const tokens = stackTokens(analysis, stack);
      const query = queryIn(state, side, tokens);
      if (query === null) return largestOfMaps(state, analysis, stack);
      const exact = exactRowsOf(state, place, query);
      if (exact) return treatedRows(exact, state, tokens).largest;
      return Math.max(0, ...[...stack.layers.values()].map((frame) => largestRows(frame, state, tokens).of(query)));
    }),
  );
  return scaleEnd(Math.max(0, ...largest));
}

/** @param {Filter | null} filter @param {Token} token */
function isShownQuery(filter, { segment }) {
  return filter === null || isIn(segment, filter.query_segment);
}

/**
 * Side a minus side b, in their first stacks.
 * @param {State} state
 * @param {Theme} theme
 * @param {number | null} [top] the difference of the last colour; null: as the controls say
 * @returns {Painting | null} null until compared
 */
export function differencePainting(state, theme, top = null) {
  const found = comparedSources(state);
  if (found === null) return null;
  const treatment = { ...treatmentOf(state), top: differencesTop(state) };
  const query = rowToken(state, "a");
  /** Flags of the columns that are set aside; the maps of all heads have the same. */
  const cols = state.sinks === "dim" ? differenceSinks(found, treatment) : null;
  /** @type {Painting["mapOf"]} */
  const mapOf = (frame, head, other = { layer: frame.layer, head }) => {
    const sources = found.sourcesOf(frame, head, other);
    const map = sources && differenceCodes(...sources, found.units, treatment, top);
    return map && query !== null ? rowOf(map, query) : map;
  };
  return { table: theme.diverging.table, signed: true, visible: null, dimmed: cols && { cols, table: theme.diverging.dimmed.table }, mapOf };
}

/** @param {NonNullable<ReturnType<typeof comparedSources>>} found @param {Treatment} treatment */
function differenceSinks({ layers, sourcesOf, units }, treatment) {
  for (const frame of layers.values()) {
    const sources = sourcesOf(frame, frame.first_head, { layer: frame.layer, head: frame.first_head });
    if (sources) return differenceWeights(...sources, units, treatment).sinks;
  }
  return null;
}

/** The largest difference of all heads, found once for a comparison and what is shown of it. */
const differenceTops = perObject((/** @type {Unit[]} */ _) => /** @type {Memo<number>} */ (new Memo()));

/** The difference of the last colour that all tiles share: 1, or where sinks are dimmed the largest apart from them. @param {State} state */
export function differencesTop(state) {
  const found = comparedSources(state);
  if (found === null || state.sinks !== "dim") return 1;
  const { hide, renormalise, words } = state;
  const { a, b } = found;
  return differenceTops(found.units).get([a, b, a.layers.size, b.layers.size, hide, renormalise, words], () => {
    const cells = [...found.layers.values()].flatMap(({ layer, heads, first_head }) =>
      Array.from({ length: heads }, (_, at) => ({ layer, head: first_head + at })),
    );
    return largestDifference(state, cells.map((cell) => ({ one: cell, other: cell })));
  });
}

/** The largest |a − b| in the small maps of these heads, rounded up to hundredths. @param {State} state @param {{one: Cell, other: Cell}[]} pairs */
export function largestDifference(state, pairs) {
  const found = comparedSources(state);
  const treatment = treatmentOf(state);
  let largest = 0;
  if (found === null) return 1;
  for (const { one, other } of pairs) {
    const frame = found.layers.get(one.layer);
    const sources = frame && found.sourcesOf(frame, one.head, other);
    if (!sources) continue;
    const { weights, sinks } = differenceWeights(...sources, found.units, treatment);
    largest = Math.max(largest, largestApart(weights, state.sinks === "dim" ? sinks : NO_SINKS));
  }
  return scaleEnd(largest);
}

/** The small maps of both sides as sources of a difference. @param {State} state */
function comparedSources(state) {
  const [a, b] = [analysisOf(state, "a"), analysisOf(state, "b")];
  const units = comparison.of(state)?.answer?.units;
  if (!a || !b || !units) return null;
  const theirs = b.stacks[0];
  const [tokensA, tokensB] = [stackTokens(a, a.stacks[0]), stackTokens(b, theirs)];
  /** @type {(frame: Frame, head: number, other: Cell) => [Source, Source] | null} */
  const sourcesOf = (frame, head, other) => {
    const opposite = theirs.layers.get(other.layer);
    if (!opposite || other.head >= opposite.heads) return null;
    return [sourceOfFrame(frame, head, tokensA), sourceOfFrame(opposite, other.head, tokensB)];
  };
  return { a, b, units, layers: a.stacks[0].layers, sourcesOf };
}
