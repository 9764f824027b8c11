// The weight of the last colour that maps share while sinks are dimmed: the largest apart from sinks of any head on screen,
// so that maps stay comparable.

import { perObject } from "../page/memo.js";
import { analysisOf, sidesOf } from "../state/sides.js";
import { largestRows } from "./largest_rows.js";
import { stackTokens } from "./map_lines.js";
import { scaleEnd } from "./sinks.js";

/** The largest weight of each state's maps. */
const tops = perObject((/** @type {State} */ state) => {
  const largest = sidesOf(state).flatMap((side) => stackPlaces(state, side).map(({ analysis, stack }) => largestOfMaps(state, analysis, stack)));
  return scaleEnd(Math.max(0, ...largest));
});

/** Of whole maps, on all sides; 1 where sinks are as strong as others. @param {State} state */
export function sharedTop(state) {
  return state.sinks === "dim" ? tops(state) : 1;
}

/** The attentions that a side has answers of. @param {State} state @param {Side} side */
export function stackPlaces(state, side) {
  const analysis = analysisOf(state, side);
  return analysis === null ? [] : analysis.stacks.map((stack, at) => ({ analysis, stack, place: { side, stack: at } }));
}

/** @param {State} state @param {Analysis} analysis @param {Stack} stack */
export function largestOfMaps(state, analysis, stack) {
  const tokens = stackTokens(analysis, stack);
  return Math.max(0, ...[...stack.layers.values()].map((frame) => largestRows(frame, state, tokens).all));
}
