// Whose maps the grid shows at this moment, and why not those that were chosen.

import { comparison } from "../compare/comparison.js";
import { differencePainting, differencesTop, gridTop, sidePainting } from "../maps/grid_painter.js";
import { linkTop, lockedLink } from "../maps/link_values.js";
import { differenceOf, whatKey } from "../state/pins.js";
import { onSide } from "../state/sides.js";
import { SIDES } from "../state/view.js";
import { CHANGE, chosenQuantity } from "./measures.js";
import { atlasOnScreen } from "./roles.js";

/** @param {State} state @returns {{side: GridSide, why: string}} why it is not the chosen one; "": it is */
export function shownSide(state) {
  if (state.sides.b === null) return { side: "a", why: "" };
  if (state.grid_side !== "difference") return { side: state.grid_side, why: "" };
  const why = whyNoDifference(state);
  if (why !== "") return { side: "a", why: `${why} The grid shows A.` };
  // Only maps are subtracted; what changed between both sides is reported for the heads of A.
  if (state.color_by === CHANGE) return { side: "a", why: "" };
  const a = onSide(state, "a");
  const isByRole = state.color_by === "role" && atlasOnScreen(a) !== null;
  if (isByRole || chosenQuantity(a) !== null) return { side: "a", why: "Only maps are subtracted: these colours are of A." };
  return { side: "difference", why: comparison.of(state) === null ? "A − B follows when both sides have answered." : "" };
}

/** Why the maps of side b cannot be taken from those of side a. @param {State} state @returns {string} "": they can, or soon will */
export function whyNoDifference(state) {
  const [a, b] = bothSides(state);
  if (a.model !== b.model) return "A − B needs the same heads on both sides, and these are two models.";
  const problem = comparison.of(state)?.problem;
  if (problem) return `A and B could not be compared: ${problem.message}`;
  if (b.run.phase === "failed") return "A − B needs both sides, and B has no answer.";
  return "";
}

/** The side whose heads, names and roles the grid shows. @param {State} state @returns {Side} */
export function headsSide(state) {
  return shownSide(state).side === "b" ? "b" : "a";
}

/** @param {State} state the side whose heads the grid shows */
export function headsOnScreen(state) {
  return onSide(state, headsSide(state));
}

/** @param {State} state whether the grid shows what was learnt by comparing both sides */
export function isOfBoth(state) {
  return comparison.of(state) !== null && (state.color_by === CHANGE || shownSide(state).side === "difference");
}

/**
 * The pinned heads that the grid of a place marks: its own, or those whose difference is pinned while A − B is shown.
 * @param {State} state
 * @param {Place} place
 * @returns {(Cell & {at: number})[]} at: the pin's number in the row, from 0
 */
export function pinsInGrid(state, { side, stack }) {
  const isDifference = side === "a" && shownSide(state).side === "difference";
  return state.pins.flatMap((pin, at) => {
    const head = isDifference && pin.kind === "difference" ? pin.one : pin;
    if (head.kind !== "head" || head.side !== side || head.stack !== stack) return [];
    const { layer, head: number } = head;
    const wanted = isDifference ? differenceOf(head) : head;
    return whatKey(pin) === whatKey(wanted) ? [{ layer, head: number, at }] : [];
  });
}

/** How a grid's maps are painted; null while there is nothing to paint. @param {State} state @param {Place} place @param {Theme} theme */
export function paintingOf(state, place, theme) {
  return shownSide(state).side === "difference" ? differencePainting(state, theme) : sidePainting(state, place, theme);
}

/**
 * The scale of the colours of the grid's maps, rows or links; top: the weight of the last colour that all heads share.
 * @param {State} state
 * @returns {Pick<Controls, "scale" | "range" | "sinks"> & {top: number, within: string}} within: among what ranks are
 */
export function shownScale(state) {
  const { scale, range, sinks } = state;
  const seen = headsOnScreen(state);
  const link = lockedLink(state, seen.side);
  const isDifference = shownSide(state).side === "difference";
  if (!link) return { scale, range, sinks, top: isDifference ? differencesTop(state) : gridTop(state), within: "this map" };
  const top = linkTop(seen, link, isDifference);
  return { scale, range: "fixed", sinks: top === 1 ? "show" : sinks, top, within: "all heads" };
}

/** Whether what the grid of a side is to show must wait for both sides to be compared. @param {State} state @param {Side} side */
export function awaitsComparison(state, side) {
  if (state.sides.b === null || comparison.of(state) !== null) return false;
  const [a, b] = bothSides(state);
  if (a.run.phase === "failed" || b.run.phase === "failed") return false;
  if (state.color_by === CHANGE) return side === "a" || a.model === b.model;
  return side === "a" && shownSide(state).side === "difference";
}

/** @param {State} state */
export function bothSides(state) {
  return SIDES.map((side) => onSide(state, side));
}
