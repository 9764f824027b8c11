// Which rows and columns of a sheet the filter between two sentences shows.

import { isIn } from "../state/selectors.js";

/** What a filter leaves of the sheet it was last asked for. @type {WeakMap<Sheet, {from: unknown[], visible: Visible}>} */
const visibleOf = new WeakMap();

/**
 * Which rows and columns of a sheet a filter shows; those of several tokens count by their first.
 * @param {Filter | null} filter
 * @param {Token[]} tokens of the analysis
 * @param {Sheet} sheet
 * @param {Pick<Theme, "outside">} theme
 * @returns {Visible | null} the same object while nothing changes
 */
export function visibleLines(filter, tokens, sheet, { outside }) {
  if (filter === null) return null;
  const known = visibleOf.get(sheet);
  const from = [filter, tokens, outside];
  if (known?.from.every((item, at) => item === from[at])) return known.visible;
  const flags = (/** @type {number[][]} */ groups, /** @type {number | null | undefined} */ wanted) =>
    Uint8Array.from(groups, ([first]) => Number(isIn(tokens[first].segment, wanted)));
  const rows = flags(sheet.queries.groups, filter.query_segment);
  const visible = { rows, cols: flags(sheet.keys.groups, filter.key_segment), outside };
  visibleOf.set(sheet, { from, visible });
  return visible;
}
