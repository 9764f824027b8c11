// The small maps of one grid: whose they are, raw or as a difference of two sides, treated as the controls say.

import { shownSide } from "../../heads/grid_side.js";
import { shownAxis } from "../../maps/axis.js";
import { differenceCodes, gridCodes } from "../../maps/grid_codes.js";
import { stackTokens } from "../../maps/sources.js";
import { activeFilter, isIn } from "../../state/selectors.js";
import { analysisOf, seenFrom } from "../../state/side.js";

/**
 * How the maps of a grid are to be painted.
 * @typedef {object} Painting
 * @property {Uint32Array} table
 * @property {boolean} signed
 * @property {Visible | null} visible
 * @property {(frame: Frame, head: number) => SmallMap | null} mapOf
 */

/**
 * @param {State} state
 * @param {Place} place
 * @param {Theme} theme
 * @returns {Painting | null} null while there is nothing to paint with
 */
export function paintingOf(state, place, theme) {
  const analysis = analysisOf(state, place.side);
  const stack = analysis?.stacks[place.stack];
  if (!analysis || !stack) return null;
  const { scale, range, hide, renormalise, words } = state;
  const treatment = { scale, range, hide, renormalise, words };
  const tokens = stackTokens(analysis, stack);
  if (shownSide(state).side === "difference") return differencePainting(state, treatment, tokens, theme);
  const filter = activeFilter(seenFrom(state, place));
  const segments = (/** @type {Token[]} */ list, /** @type {number} */ block, /** @type {number | null | undefined} */ wanted) =>
    Uint8Array.from(shownAxis(list, block, hide, words).axis.groups, ([first]) => Number(isIn(analysis.tokens[first].segment, wanted)));
  const [first] = stack.layers.values();
  const block = first ? Math.ceil(first.n_queries / first.rows) : 1;
  const visible = filter && {
    rows: segments(tokens.queries, block, filter.query_segment),
    cols: segments(tokens.keys, block, filter.key_segment),
    outside: theme.outside,
  };
  const mapOf = (/** @type {Frame} */ frame, /** @type {number} */ head) => gridCodes(frame, head, treatment, tokens);
  return { table: theme.scale.table, signed: false, visible, mapOf };
}

/**
 * Side a minus side b, for two answers of one model.
 * @param {State} state
 * @param {Treatment} treatment
 * @param {StackTokens} tokens of side a
 * @param {Theme} theme
 * @returns {Painting | null}
 */
function differencePainting(state, treatment, tokens, theme) {
  const other = analysisOf(state, "b");
  const units = state.comparison?.answer?.units;
  if (!other || !units) return null;
  const theirs = other.stacks[0];
  const mapOf = (/** @type {Frame} */ frame, /** @type {number} */ head) => {
    const opposite = theirs.layers.get(frame.layer);
    if (!opposite || head >= opposite.heads) return null;
    return differenceCodes(frame, head, opposite, head, units, treatment, tokens, stackTokens(other, theirs));
  };
  return { table: theme.diverging.table, signed: true, visible: null, mapOf };
}
