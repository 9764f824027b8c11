// What the small maps of compared heads are painted with: those of A, those of B, and A minus B.

import { differenceCodes } from "../../maps/grid_codes.js";
import { stackTokens } from "../../maps/sources.js";
import { analysisOf } from "../../state/side.js";
import { paintingOf } from "../../views/grid/grid_painter.js";

/** @typedef {Pick<Painting, "table" | "signed" | "visible">} Look */
/**
 * @typedef {object} RowPaintings how each of three maps is painted, and what it is for two heads
 * @property {Record<"a" | "b" | "difference", Look>} looks
 * @property {(one: OneHead, other: OneHead) => Record<"a" | "b" | "difference", SmallMap | null>} mapsOf
 */

/**
 * @param {State} state
 * @param {Theme} theme
 * @returns {RowPaintings | null} null while one of the sides has no answer
 */
export function rowPaintings(state, theme) {
  // Each side by itself, whatever the grid shows.
  const alone = { ...state, grid_side: /** @type {const} */ ("a") };
  const [a, b] = /** @type {const} */ (["a", "b"]).map((side) => paintingOf(alone, { side, stack: 0 }, theme));
  const [mine, theirs] = [analysisOf(state, "a"), analysisOf(state, "b")];
  const units = state.comparison?.answer?.units;
  if (!a || !b || !mine || !theirs || !units) return null;
  const { scale, range, hide, renormalise, words } = state;
  const treatment = { scale, range, hide, renormalise, words };
  const [stackA, stackB] = [mine.stacks[0], theirs.stacks[0]];
  const [tokensA, tokensB] = [stackTokens(mine, stackA), stackTokens(theirs, stackB)];
  return {
    looks: { a, b, difference: { table: theme.diverging.table, signed: true, visible: null } },
    mapsOf(one, other) {
      const [frameA, frameB] = [stackA.layers.get(one.layer), stackB.layers.get(other.layer)];
      const difference =
        frameA && frameB
          ? differenceCodes(frameA, one.head, frameB, other.head, units, treatment, tokensA, tokensB)
          : null;
      return { a: frameA ? a.mapOf(frameA, one.head) : null, b: frameB ? b.mapOf(frameB, other.head) : null, difference };
    },
  };
}
