// What the small maps of compared heads are painted with: those of A, those of B, and A minus B.

import { differencePainting, sidePainting } from "../../maps/grid_painter.js";
import { analysisOf } from "../../state/sides.js";

/** @typedef {{map: SmallMap | null | undefined, painting: Painting}} RowMap */
/** @typedef {(one: OneHead, other: OneHead) => Record<"a" | "b" | "difference", RowMap>} RowMaps the maps of two heads */

/** @param {State} state @param {Theme} theme @returns {RowMaps | null} null until both sides are compared */
export function rowMaps(state, theme) {
  const [a, b] = [sidePainting(state, { side: "a", stack: 0 }, theme), sidePainting(state, { side: "b", stack: 0 }, theme)];
  const difference = differencePainting(state, theme);
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
