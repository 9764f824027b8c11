// The small maps of one attention of one side, or of side a minus side b, treated as the controls say.

import { comparison } from "../compare/comparison.js";
import { activeFilter, isIn } from "../state/selectors.js";
import { analysisOf, atPlace } from "../state/sides.js";
import { shownAxis } from "./axis.js";
import { differenceCodes, gridCodes } from "./grid_codes.js";
import { stackTokens } from "./sources.js";

/**
 * @typedef {import("./maps.js").Colouring & {mapOf: (frame: Frame, head: number, other?: Cell) => SmallMap | null}} Painting how small maps
 *   are painted; other: of a difference the head of side b, without it the same one
 */

/** @param {State} state @returns {Treatment} */
function treatmentOf({ scale, range, hide, renormalise, words }) {
  return { scale, range, hide, renormalise, words };
}

/** @param {State} state @param {Place} place @param {Theme} theme @returns {Painting | null} null while there is nothing to paint */
export function sidePainting(state, place, theme) {
  const analysis = analysisOf(state, place.side);
  const stack = analysis?.stacks[place.stack];
  if (!analysis || !stack) return null;
  const { hide, words } = state;
  const treatment = treatmentOf(state);
  const tokens = stackTokens(analysis, stack);
  const filter = activeFilter(atPlace(state, place));
  const segments = (/** @type {Token[]} */ list, /** @type {number} */ block, /** @type {number | null | undefined} */ wanted) =>
    Uint8Array.from(shownAxis(list, block, hide, words).axis.groups, ([first]) => Number(isIn(analysis.tokens[first].segment, wanted)));
  const [first] = stack.layers.values();
  const block = first ? Math.ceil(first.n_queries / first.rows) : 1;
  const visible = filter && {
    rows: segments(tokens.queries, block, filter.query_segment),
    cols: segments(tokens.keys, block, filter.key_segment),
    outside: theme.outside,
  };
  return { table: theme.scale.table, signed: false, visible, mapOf: (frame, head) => gridCodes(frame, head, treatment, tokens) };
}

/**
 * Side a minus side b, of their first attentions.
 * @param {State} state
 * @param {Theme} theme
 * @returns {Painting | null} null until both sides are compared
 */
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
    return differenceCodes(frame, head, opposite, other.head, units, treatment, tokensA, tokensB);
  };
  return { table: theme.diverging.table, signed: true, visible: null, mapOf };
}
