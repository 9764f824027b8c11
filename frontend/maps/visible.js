// Which rows and columns of a map the filter between two sentences shows.

import { Memo, perObject } from "../page/memo.js";
import { isIn } from "../state/selectors.js";

/**
 * Which rows and columns a filter shows; those of several tokens count by their first.
 * @param {Filter} filter
 * @param {Token[]} tokens of the analysis
 * @param {Pick<Sheet, "queries" | "keys">} axes
 * @param {Theme} theme
 */
export function visibleOn(filter, tokens, { queries, keys }, { outside }) {
  const flags = (/** @type {Axis} */ { groups }, /** @type {number | null | undefined} */ wanted) =>
    Uint8Array.from(groups, ([first]) => Number(isIn(tokens[first].segment, wanted)));
  return { rows: flags(queries, filter.query_segment), cols: flags(keys, filter.key_segment), outside };
}

/** What a filter leaves of the sheet it was last asked for. */
const visibleOf = perObject((/** @type {Sheet} */ _) => /** @type {Memo<Visible>} */ (new Memo()));

/** The same object while nothing changes. @type {(filter: Filter | null, tokens: Token[], sheet: Sheet, theme: Theme) => Visible | null} */
export function visibleLines(filter, tokens, sheet, theme) {
  return filter && visibleOf(sheet).get([filter, tokens, theme.outside], () => visibleOn(filter, tokens, sheet, theme));
}
