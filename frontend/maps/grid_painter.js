// The small maps of one attention of one side, or of side a minus side b, treated as the controls say.

import { comparison } from "../compare/comparison.js";
import { activeFilter } from "../state/selectors.js";
import { analysisOf, atPlace } from "../state/sides.js";
import { shownAxis } from "./axis.js";
import { differenceCodes, gridCodes } from "./grid_codes.js";
import { sourceOfFrame } from "./map_lines.js";
import { stackTokens, treatmentOf } from "./sources.js";
import { visibleOn } from "./visible.js";

/**
 * @typedef {import("./maps.js").Colouring & {mapOf: (frame: Frame, head: number, other?: Cell) => SmallMap | null}} Painting how small maps
 *   are painted; other: of a difference the head of side b, without it the same one
 */

/** @param {State} state @param {Place} place @param {Theme} theme @returns {Painting | null} null while there is nothing to paint */
export function sidePainting(state, place, theme) {
  const analysis = analysisOf(state, place.side);
  const stack = analysis?.stacks[place.stack];
  if (!analysis || !stack) return null;
  const treatment = treatmentOf(state);
  const tokens = stackTokens(analysis, stack);
  const [first] = stack.layers.values();
  const block = first ? Math.ceil(first.n_queries / first.rows) : 1;
  const axisOf = (/** @type {Token[]} */ list) => shownAxis(list, block, treatment.hide, treatment.words).axis;
  const filter = activeFilter(atPlace(state, place));
  const visible = filter && visibleOn(filter, analysis.tokens, { queries: axisOf(tokens.queries), keys: axisOf(tokens.keys) }, theme);
  return { table: theme.scale.table, signed: false, visible, mapOf: (frame, head) => gridCodes(frame, head, treatment, tokens) };
}

/** Side a minus side b, in their first stacks; null until compared. @param {State} state @param {Theme} theme @returns {Painting | null} */
export function differencePainting(state, theme) {
  const [a, b] = [analysisOf(state, "a"), analysisOf(state, "b")];
  const units = comparison.of(state)?.answer?.units;
  if (!a || !b || !units) return null;
  const treatment = treatmentOf(state);
  const theirs = b.stacks[0];
  const [tokensA, tokensB] = [stackTokens(a, a.stacks[0]), stackTokens(b, theirs)];
  /** @type {Painting["mapOf"]} */
  const mapOf = (frame, head, other = { layer: frame.layer, head }) => {
    const opposite = theirs.layers.get(other.layer);
    if (!opposite || other.head >= opposite.heads) return null;
    return differenceCodes(sourceOfFrame(frame, head, tokensA), sourceOfFrame(opposite, other.head, tokensB), units, treatment);
  };
  return { table: theme.diverging.table, signed: true, visible: null, mapOf };
}
