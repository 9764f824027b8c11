// What the small maps of compared heads are painted with: those of A, those of B, and A minus B.

import { differencePainting, largestDifference, sidePainting } from "../../maps/grid_painter.js";
import { analysisOf } from "../../state/sides.js";

/** @typedef {{map: SmallMap | null | undefined, painting: Painting}} RowMap */
/** @typedef {(one: OneHead, other: OneHead) => Record<"a" | "b" | "difference", RowMap>} RowMaps the maps of two heads */

/** @param {State} state @param {Theme} theme @param {number | null} top of the differences @returns {RowMaps | null} null until compared */
export function rowMaps(state, theme, top) {
  // Whole maps, also while a token is in focus: the links that are listed are those of any token.
  const whole = { ...state, hover: null, lock: null };
  const [a, b] = [sidePainting(whole, { side: "a", stack: 0 }, theme), sidePainting(whole, { side: "b", stack: 0 }, theme)];
  const difference = differencePainting(whole, theme, top);
  if (!a || !b || !difference) return null;
  return (one, other) => {
    const [frame, opposite] = [one, other].map(({ side, layer }) => analysisOf(state, side)?.layers.get(layer));
    return {
      a: { map: frame && a.mapOf(frame, one.head), painting: a },
      b: { map: opposite && b.mapOf(opposite, other.head), painting: b },
      difference: { map: frame && difference.mapOf(frame, one.head, other), painting: difference },
    };
  };
}

/** The difference of the last colour, the same for all rows; null: each map has its own. @param {State} state @param {{one: OneHead, other: OneHead}[]} rows */
export function differenceTop(state, rows) {
  return state.scale === "rank" || state.range !== "fixed" ? null : largestDifference(state, rows);
}
