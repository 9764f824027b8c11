// The maps there are of what a panel shows: exact values once they are here, the overview of one head until then.

import { comparison } from "../compare/comparison.js";
import { isPair } from "../state/pins.js";
import { activeFilter, allowedBy } from "../state/selectors.js";
import { analysisOf } from "../state/sides.js";
import { exactOf } from "./exact.js";
import { sourceOfFrame } from "./map_lines.js";
import { pairSheet } from "./pair_sheet.js";
import { makeSheet } from "./sheet.js";

/** @typedef {import("./exact.js").Weighting} Weighting */

/** @type {WeakMap<Stack, StackTokens>} */
const tokensOfStacks = new WeakMap();

/**
 * The tokens that look and those looked at in a stack: the same lists for the same stack.
 * @param {Analysis} analysis
 * @param {Stack} stack
 */
export function stackTokens({ tokens, typed }, stack) {
  const within = (/** @type {[number, number]} */ [from, to]) =>
    from === 0 && to === tokens.length ? tokens : tokens.slice(from, to);
  const known = tokensOfStacks.get(stack) ?? { queries: within(stack.queries), keys: within(stack.keys), typed };
  tokensOfStacks.set(stack, known);
  return known;
}

/** The overview as weights, made once a head. @type {WeakMap<Frame, Map<number, Source>>} */
const rough = new WeakMap();

/** @type {WeakMap<import("./exact.js").ExactWeights, Source>} */
const exactSources = new WeakMap();

/** @param {import("./exact.js").ExactWeights} answer @param {Analysis} analysis @param {Stack} stack @returns {Source} */
function exactSource(answer, analysis, stack) {
  const known = exactSources.get(answer) ?? { ...answer, block: 1, causal: stack.causal, ...stackTokens(analysis, stack) };
  exactSources.set(answer, known);
  return known;
}

/** @param {State} state @param {Simple} what @param {Weighting} values @returns {Source | null} null while nothing of it is here */
export function sourceOf(state, what, values) {
  const analysis = analysisOf(state, what.side);
  const stack = analysis?.stacks[what.stack];
  if (!analysis || !stack) return null;
  const exact = exactOf(state, what, values)?.answer;
  if (exact) return exactSource(exact, analysis, stack);
  const frame = what.kind === "head" && values === analysis.values ? stack.layers.get(what.layer) : undefined;
  if (what.kind !== "head" || !frame || !(frame.values instanceof Uint8Array)) return null;
  if (what.head >= frame.first_head + frame.heads) return null;
  const heads = rough.get(frame) ?? new Map();
  rough.set(frame, heads);
  const known = heads.get(what.head) ?? sourceOfFrame(frame, what.head, stackTokens(analysis, stack));
  heads.set(what.head, known);
  return known;
}

/**
 * Which tokens of one side stand opposite which of the other, as seen from `one`; null: the same tokens.
 * @param {State} state
 * @param {Pair} pair
 * @returns {Unit[] | null | "unknown"}
 */
function unitsOf(state, { one, other }) {
  if (one.side === other.side) return null;
  const units = comparison.of(state)?.answer?.units;
  if (!units) return "unknown";
  if (one.side === "a") return units;
  return units.map((unit) => ({ ...unit, one: unit.other, other: unit.one, text: unit.other_text, other_text: unit.text }));
}

/** @typedef {WeakMap<Source, {from: unknown[], sheet: Sheet}>} Made the sheet made last of each map */
/** @type {Made} */
const sheets = new WeakMap();
/** Those of pairs, by their second map: a map may stand in several pairs at once. @type {WeakMap<Source, Record<Pair["kind"], Made>>} */
const pairSheets = new WeakMap();

/**
 * What is seen of something, treated as the controls say.
 * @param {State} state
 * @param {What} what
 * @param {Weighting} values
 * @returns {Sheet | null} null while something of it is missing
 */
export function sheetOf(state, what, values) {
  const { scale, range, hide, renormalise, words } = state;
  const treatment = { scale, range, hide, renormalise, words };
  const from = Object.values(treatment);
  if (!isPair(what)) {
    const source = sourceOf(state, what, values);
    return source && remembered(sheets, source, from, () => makeSheet(source, treatment));
  }
  const [one, other] = [sourceOf(state, what.one, values), sourceOf(state, what.other, values)];
  const units = unitsOf(state, what);
  // A link may hold maps against each other that have no cells in common.
  if (one === null || other === null || units === "unknown" || !isComparable(state, what.one, what.other)) return null;
  const made = pairSheets.get(other) ?? { difference: new WeakMap(), agreement: new WeakMap() };
  pairSheets.set(other, made);
  return remembered(made[what.kind], one, [...from, comparison.of(state)], () => pairSheet(what.kind, one, other, units, treatment));
}

/** @type {(made: Made, source: Source, from: unknown[], make: () => Sheet) => Sheet} */
function remembered(made, source, from, make) {
  const last = made.get(source);
  if (last?.from.every((item, at) => item === from[at])) return last.sheet;
  const sheet = make();
  made.set(source, { from, sheet });
  return sheet;
}

/**
 * What the filter between two sentences shows of a sheet.
 * @param {SideView} state on the side whose tokens the sheet speaks of
 * @param {Sheet} sheet
 * @returns {(row: number, col: number) => boolean}
 */
export function allowedOn(state, { queries, keys }) {
  const tokens = state.analysis?.tokens ?? [];
  const allowed = allowedBy(activeFilter(state), tokens);
  return (row, col) => allowed(queries.groups[row][0], keys.groups[col][0]);
}

/**
 * Whether two maps can be compared cell by cell: both of the same tokens, or of tokens that were aligned.
 * @param {State} state
 * @param {Simple} one
 * @param {Simple} other
 */
export function isComparable(state, one, other) {
  const stacks = [one, other].map((what) => analysisOf(state, what.side)?.stacks[what.stack]);
  if (!stacks[0] || !stacks[1]) return false;
  if (one.side !== other.side) return one.stack === 0 && other.stack === 0;
  const ranges = stacks.map((stack) => JSON.stringify([stack?.queries, stack?.keys]));
  return ranges[0] === ranges[1];
}

/** Why two maps cannot be compared; "": they can, or it is not known yet. @param {State} state @param {Simple} one @param {Simple} other */
export function whyIncomparable(state, one, other) {
  const isKnown = [one, other].every(({ side, stack }) => analysisOf(state, side)?.stacks[stack]);
  if (!isKnown || isComparable(state, one, other)) return "";
  return "These two maps are of different tokens: they have no cells in common.";
}
