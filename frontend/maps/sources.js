// The maps there are of what a panel shows: exact values once they are here, the overview of one head until then.

import { comparison } from "../compare/comparison.js";
import { Memo, perObject } from "../page/memo.js";
import { isPair } from "../state/pins.js";
import { activeFilter, allowedBy } from "../state/selectors.js";
import { analysisOf } from "../state/sides.js";
import { exactOf } from "./exact.js";
import { sourceOfFrame, stackTokens } from "./map_lines.js";
import { overlaySheet, whyNotOverlaid } from "./overlay.js";
import { pairSheet } from "./pair_sheet.js";
import { sharedTop } from "./shared_top.js";
import { makeSheet } from "./sheet.js";

/** @typedef {import("./exact.js").Weighting} Weighting */

/** The overview as weights, made once a head. */
const roughSources = perObject((/** @type {Frame} */ _) => /** @type {Map<number, Source>} */ (new Map()));

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
  const heads = roughSources(frame);
  const known = heads.get(what.head) ?? sourceOfFrame(frame, what.head, stackTokens(analysis, stack));
  heads.set(what.head, known);
  return known;
}

/** Which tokens match, as seen from `one`; null: the same tokens, undefined: not known yet. @param {State} state @param {Pair} pair */
function unitsOf(state, { one, other }) {
  if (one.side === other.side) return null;
  const units = comparison.of(state)?.answer?.units;
  if (one.side === "a") return units;
  return units?.map((unit) => ({ ...unit, one: unit.other, other: unit.one, text: unit.other_text, other_text: unit.text }));
}

/** @param {State} state @returns {Treatment} */
export function treatmentOf(state) {
  const { scale, range, sinks, hide, renormalise, words } = state;
  return { scale, range, sinks, hide, renormalise, words, top: sharedTop(state) };
}

const newSheets = () => perObject((/** @type {Source} */ _) => /** @type {Memo<Sheet>} */ (new Memo()));
/** The sheet made last of each map. */
const sheets = newSheets();
/** Those of pairs, by their second map: a map may be in several pairs at once. */
const pairSheets = perObject((/** @type {Source} */ _) => ({ difference: newSheets(), agreement: newSheets() }));

/**
 * What is seen of something, treated as the controls say.
 * @param {State} state
 * @param {What} what
 * @param {Weighting} values
 * @returns {Sheet | null} null while something of it is missing
 */
export function sheetOf(state, what, values) {
  const treatment = treatmentOf(state);
  const from = Object.values(treatment);
  if (what.kind === "overlay") {
    const found = what.heads.map((head) => sheetOf(state, head, values)).filter((sheet) => sheet !== null);
    const isWhole = found.length === what.heads.length && whyNotOverlaid(state, what.heads) === "";
    return isWhole ? overlaySheet(what, found) : null;
  }
  if (!isPair(what)) {
    const source = sourceOf(state, what, values);
    return source && sheets(source).get(from, () => makeSheet(source, treatment));
  }
  const [one, other] = [sourceOf(state, what.one, values), sourceOf(state, what.other, values)];
  const units = unitsOf(state, what);
  // A link may compare maps that have no cells in common.
  if (one === null || other === null || units === undefined || !isComparable(state, what.one, what.other)) return null;
  const made = pairSheets(other)[what.kind](one);
  return made.get([...from, comparison.of(state)], () => pairSheet(what.kind, one, other, units, treatment));
}

/**
 * What the filter between two sentences shows of a sheet.
 * @param {SideView} state on the side whose tokens the sheet shows
 * @param {Sheet} sheet
 * @returns {(row: number, col: number) => boolean}
 */
export function allowedOn(state, { queries, keys }) {
  const tokens = state.analysis?.tokens ?? [];
  const allowed = allowedBy(activeFilter(state), tokens);
  return (row, col) => allowed(queries.groups[row][0], keys.groups[col][0]);
}

/** Whether two maps are of the same tokens, or of aligned ones. @param {State} state @param {Simple} one @param {Simple} other */
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
