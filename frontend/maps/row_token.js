// The token whose row every tile shows.

import { focusOn } from "../compare/comparison.js";
import { shownFocus } from "../state/selectors.js";
import { analysisOf } from "../state/sides.js";
import { shownAxis } from "./axis.js";
import { stackTokens } from "./map_lines.js";

/** The one token in focus on a side, or the first piece of the one word; null: none, several, or a link. @param {State} state @param {Side} side @returns {number | null} */
export function rowToken(state, side) {
  const chosen = shownFocus(state);
  if (chosen === null || chosen.keys.length > 0) return null;
  // One token may be aligned with several of the other side: they have one row together.
  const focus = chosen.queries.length === 1 || isOneWord(state, chosen) ? focusOn(state, chosen, side) : null;
  return focus?.queries[0] ?? null;
}

/** Whether some tokens are the pieces of one word and merged. @param {State} state @param {Focus} chosen */
function isOneWord(state, { side, queries }) {
  const analysis = analysisOf(state, side);
  if (!state.words || analysis === null) return false;
  return analysis.stacks.some((stack) => {
    const tokens = stackTokens(analysis, stack);
    const { groups } = shownAxis(tokens.queries, 1, state.hide, true, tokens.typed).axis;
    return groups.some((group) => group.length === queries.length && queries.every((query) => group.includes(query)));
  });
}

/** The token whose row the tiles of an attention show; null: it is none of its queries. @param {State} state @param {Side} side @param {StackTokens} tokens */
export function queryIn(state, side, { queries }) {
  const query = rowToken(state, side);
  return query !== null && queries.some(({ index }) => index === query) ? query : null;
}
