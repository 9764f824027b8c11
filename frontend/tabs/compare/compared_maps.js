// What the small maps of compared heads are painted with: those of A, those of B, and A minus B.

import { differencePainting, sidePainting } from "../../maps/grid_painter.js";
import { analysisOf } from "../../state/sides.js";

/** @typedef {"a" | "b" | "difference"} MapKey */
/**
 * @typedef {object} RowPaintings how each of three maps is painted, and what it is for two heads
 * @property {Record<MapKey, Painting>} looks
 * @property {(one: OneHead, other: OneHead) => Record<MapKey, SmallMap | null>} mapsOf
 */

/** @param {State} state @param {Theme} theme @returns {RowPaintings | null} null until both sides are compared */
export function rowPaintings(state, theme) {
  const [a, b] = [sidePainting(state, { side: "a", stack: 0 }, theme), sidePainting(state, { side: "b", stack: 0 }, theme)];
  const difference = differencePainting(state, theme);
  if (!a || !b || !difference) return null;
  return {
    looks: { a, b, difference },
    mapsOf(one, other) {
      const [frame, opposite] = [one, other].map(({ side, layer }) => analysisOf(state, side)?.layers.get(layer));
      return {
        a: frame ? a.mapOf(frame, one.head) : null,
        b: opposite ? b.mapOf(opposite, other.head) : null,
        difference: frame ? difference.mapOf(frame, one.head, other) : null,
      };
    },
  };
}
