// Whose maps the grid shows at this moment, and why not those that were chosen.

import { CHANGE, chosenQuantity } from "./measures.js";
import { atlasOnScreen } from "./roles.js";
import { seenFrom } from "../state/side.js";

/** @typedef {import("../state/view.js").Side} Side */

/**
 * @param {State} state
 * @returns {{side: GridSide, why: string}} why it is not the chosen one; "": it is
 */
export function shownSide(state) {
  if (state.against === null) return { side: "a", why: "" };
  if (state.grid_side !== "difference") return { side: state.grid_side, why: "" };
  const why = whyNoDifference(state);
  if (why !== "") return { side: "a", why: `${why} The grid shows A.` };
  // Only maps are subtracted; what changed between both sides is told of the heads of A.
  const isByRole = state.color_by === "role" && atlasOnScreen(state) !== null;
  if (state.color_by === CHANGE) return { side: "a", why: "" };
  if (isByRole || chosenQuantity(state) !== null) return { side: "a", why: "Only maps are subtracted: these colours are of A." };
  return { side: "difference", why: state.comparison === null ? "A − B follows when both sides have answered." : "" };
}

/**
 * Why the maps of side b cannot be taken from those of side a.
 * @param {State} state
 * @returns {string} "": they can, or soon will
 */
export function whyNoDifference(state) {
  const [a, b] = bothSides(state);
  if (a.model !== b.model) return "A − B needs the same heads on both sides, and these are two models.";
  if (state.comparison?.problem) return `A and B could not be compared: ${state.comparison.problem.message}`;
  if (b.run.phase === "failed") return "A − B needs both sides, and B has no answer.";
  return "";
}

/**
 * The side whose heads, names and roles the grid speaks of.
 * @param {State} state
 * @returns {Side}
 */
export function headsSide(state) {
  return shownSide(state).side === "b" ? "b" : "a";
}

/**
 * Whether what the grid of a side is to show must wait for both sides to be compared.
 * @param {State} state
 * @param {Side} side
 */
export function awaitsComparison(state, side) {
  if (state.against === null || state.comparison !== null) return false;
  const [a, b] = bothSides(state);
  if (a.run.phase === "failed" || b.run.phase === "failed") return false;
  if (state.color_by === CHANGE) return side === "a" || a.model === b.model;
  return side === "a" && shownSide(state).side === "difference";
}

/** @param {State} state */
export function bothSides(state) {
  return /** @type {const} */ (["a", "b"]).map((side) => seenFrom(state, { side, stack: 0 }));
}
