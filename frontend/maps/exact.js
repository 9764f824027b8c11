// The exact values of what is pinned, or open in detail: each map asked for once, when the run of its side is over.

import { perObject } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { FRAME_TYPE } from "../requests/wire.js";
import { differenceOf, oneHead, partsOf, whatKey } from "../state/pins.js";
import { isAnswered, questionOfKey } from "../state/selectors.js";
import { analysisOf, onSide } from "../state/sides.js";

/** @typedef {import("../requests/api.js").ExactWeights} ExactWeights */
/** @typedef {"raw" | "weighted"} Weighting */

/** The values a panel shows; rollout has raw ones alone. @param {Pick<State, "values">} state @param {What} what @returns {Weighting[]} */
export function shownValues({ values }, what) {
  if (partsOf(what).some(({ kind }) => kind === "rollout")) return ["raw"];
  return values === "both" ? ["raw", "weighted"] : [values];
}

/** The questions about the maps of an analysis, so that each is the same object every time. */
const questionsAbout = perObject((/** @type {Analysis} */ _) => /** @type {Map<string, MapQuestion>} */ (new Map()));

/** One map as the server is asked for it. @param {Analysis} analysis @param {Simple} what @param {Weighting} values */
export function mapQuestion(analysis, what, values) {
  const known = questionsAbout(analysis);
  const key = `${values} ${whatKey(what)}`;
  const question = known.get(key) ?? makeQuestion(analysis, what, values);
  known.set(key, question);
  return question;
}

/** @param {Analysis} analysis @param {Simple} what @param {Weighting} values @returns {MapQuestion} */
function makeQuestion({ question, stacks }, what, values) {
  const stack = stacks.length > 1 ? { stack: stacks[what.stack].stack } : {};
  const asked = { .../** @type {Question} */ (questionOfKey(question)), ...stack, combine: what.kind };
  if (what.kind === "rollout") return { ...asked, up_to: what.layer };
  const cells = what.kind === "head" ? [{ layer: what.layer, head: what.head }] : what.cells;
  return { ...asked, ...(cells.length > 0 ? { cells } : {}), ...(values === "raw" ? {} : { values }) };
}

/**
 * Every map whose exact values are wanted: what is pinned, the head in focus unless the pointer only passes over it, and the
 * head whose detail is open, which uses raw weights alone.
 * @param {State} state
 * @returns {MapQuestion[]}
 */
function exactQuestions(state) {
  const { cursor, rested, pins, seen } = state;
  const inFocus = cursor === null ? (pins.length === 0 ? seen : null) : cursor === rested ? cursor : null;
  /** @type {What[]} */
  const shown = inFocus === null ? pins : [...pins, restingOn(state, inFocus)];
  const pinned = shown.flatMap((pin) => partsOf(pin).flatMap((what) => shownValues(state, pin).map((values) => ({ what, values }))));
  /** @type {{what: Simple, values: Weighting}[]} */
  const wanted = state.detail === null ? pinned : [...pinned, { what: { kind: "head", ...state.detail }, values: "raw" }];
  return wanted.flatMap(({ what, values }) => {
    const analysis = analysisOf(state, what.side);
    const isReady = analysis?.stacks[what.stack] && isAnswered(onSide(state, what.side));
    return isReady ? [mapQuestion(analysis, what, values)] : [];
  });
}

/** What is shown of the head in focus; while A − B is shown both of its maps are needed. @param {State} state @param {HeadPlace} seen @returns {What} */
function restingOn(state, seen) {
  const isDifference = state.sides.b !== null && state.grid_side === "difference" && seen.side === "a";
  const isSameModel = onSide(state, "a").model === onSide(state, "b").model;
  return isDifference && isSameModel ? differenceOf(oneHead(seen)) : oneHead(seen);
}

/** @typedef {import("../requests/resource.js").Resource<MapQuestion, ExactWeights>} ExactMaps */
/** Maps that were unpinned are kept for a while: they come back at once. @type {ExactMaps} */
export const exactMaps = resource("/maps", exactQuestions, { accept: FRAME_TYPE, keep: 32 });

/** What is known of the exact values of a map. @param {State} state @param {Simple} what @param {Weighting} values */
export function exactOf(state, what, values) {
  const analysis = analysisOf(state, what.side);
  return analysis?.stacks[what.stack] ? exactMaps.find(state, mapQuestion(analysis, what, values)) : null;
}
