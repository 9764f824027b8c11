// What the legend of the grid says, on screen and in figures.

import { edgesOf, isMaskedChoice } from "../maps/edges.js";
import { exactRows, exactRowsKnown } from "../maps/exact_rows.js";
import { isOfLink, lockedLink } from "../maps/link_values.js";
import { rowToken } from "../maps/row_token.js";
import { legendTicks } from "../maps/scales.js";
import { SIDES } from "../state/view.js";
import { shownSide } from "./grid_side.js";
import { CHANGE, partOf, valueText } from "./measures.js";
import { listed } from "./ranking.js";
import { groupsOf, rolesByHead } from "./roles.js";

export const OTHER_WEIGHTS = "These roles were measured with other weights than the ones loaded here.";

/** The ticks of a grid of maps, which may have a top each. @param {Pick<State, "scale" | "range"> & {top: number}} scaling @param {boolean} isSigned */
export function ticksOf({ scale, range, top }, isSigned) {
  if (scale === "rank" || range === "fixed") return legendTicks({ scale }, top, isSigned);
  if (!isSigned) return [{ part: 0, text: "0" }, { part: 1, text: "maximum of each map" }];
  return [{ part: 0, text: "most negative" }, { part: 0.5, text: "0" }, { part: 1, text: "most positive" }];
}

/** Whose attention the tiles show, where it is not that of all tokens, such as "of “it”"; "": of all. @param {SideView} seen */
export function chosenWords(seen) {
  if (seen.analysis === null) return "";
  const { tokens } = seen.analysis;
  const [token, link] = [rowToken(seen, seen.side), lockedLink(seen, seen.side)];
  if (link) return `from ${listed(tokens, link.queries)} to ${listed(tokens, link.keys)}`;
  return token === null ? "" : `of ${listed(tokens, [token])}`;
}

/** What tiles show of weights: blocks of tokens, rows that are renormalised; "": each weight as it is. @param {SideView} seen */
export function poolingWords(seen) {
  const [first] = seen.analysis?.layers.values() ?? [];
  const block = first ? Math.ceil(first.n_queries / first.rows) : 1;
  const renormalised = seen.hide !== "none" && seen.renormalise ? "; rows renormalised" : "";
  if (block === 1) return lockedLink(seen, seen.side) ? "" : renormalised;
  if (lockedLink(seen, seen.side)) return linkWaitWords(seen);
  const token = rowToken(seen, seen.side);
  if (token === null) return `; long text: each cell shows the largest of ${block} × ${block} weights`;
  const isExact = shownSide(seen).side !== "difference" && exactRows.questions(seen).some(({ query }) => query === token);
  const stack = seen.analysis?.stacks.findIndex(({ queries: [from, end] }) => from <= token && token < end) ?? 0;
  const known = isExact ? exactRowsKnown(seen, { side: seen.side, stack }, token) : null;
  if (known?.answer) return `; each stripe shows the largest weight of its tokens${renormalised}`;
  return `; ${isExact && !known ? "for now " : ""}each stripe shows the largest of ${block} weights`;
}

/** Why the tiles of a long text do not show a link that is chosen; "": they show it. @param {SideView} seen */
function linkWaitWords(seen) {
  if (isMaskedChoice(seen)) return "; hatched: no head can have this link";
  const sides = shownSide(seen).side === "difference" ? SIDES : [seen.side];
  return sides.map((side) => waitWordsOf(seen, side)).find((words) => words !== "") ?? "";
}

/** @param {State} state @param {Side} side */
function waitWordsOf(state, side) {
  const resource = edgesOf(side);
  const known = resource.of(state);
  if (known?.problem) return `; hatched: ${known.problem.message}`;
  const isAsked = side === "a" || resource.questions(state).length > 0;
  if (!isAsked || (known?.answer && !isOfLink(known.answer, lockedLink(state, side)))) return "; hatched: A and B are not aligned here";
  return known?.answer ? "" : "; hatched until the exact weights are here";
}

/** What cells that are coloured by a quantity show. @param {SideView} state of the side whose heads they are @param {Quantity} quantity */
export function quantityWords(state, quantity) {
  const missing = quantity.values.some((value) => value === null) && quantity.n === 0 ? `; hatched: ${valueText(quantity, null)}` : "";
  const unit = quantity.unit === "" || quantity.classes ? "" : ` (${quantity.unit})`;
  const ofSide = !state.compared || state.color_by === CHANGE ? "" : `, ${state.side.toUpperCase()}`;
  return `${quantity.label}${unit} ${quantity.where}${ofSide}${missing}`;
}

/** @param {Quantity} quantity @returns {Tick[]} */
export function quantityTicks(quantity) {
  const { low, high } = quantity;
  const values = low < 0 ? [low, low / 2, 0, high / 2, high] : [0, 0.25, 0.5, 0.75, 1].map((part) => low + part * (high - low));
  return values.map((value) => ({ part: partOf(quantity, value), text: String(Number(value.toPrecision(3))) }));
}

/** @param {Atlas} record the groups that some head of the model has, with their tones */
export function foundGroups(record) {
  const found = new Set([...rolesByHead(record).values()].flatMap((roles) => groupsOf(roles).map(({ tone }) => tone)));
  return record.groups.flatMap((group, tone) => (found.has(tone) ? [{ tone, group }] : []));
}

/** @param {Atlas} record @param {string} sign what a head without a role has, or lacks */
export function unassignedWords({ counts: { heads, with_role } }, sign) {
  return `${sign}: no role proven (${headsText(heads - with_role)})`;
}

/** @param {Atlas} record @param {string} sign what a head has, or lacks, that rests on the first token or on delimiters and has no other role */
export function restingWords({ counts: { with_role, beyond_idle } }, sign) {
  return `${sign}: only sink or delimiter (${headsText(with_role - beyond_idle)})`;
}

/** How many heads have a letter, or a dot, and why the others have none. @param {Atlas} record @param {"letter" | "dot"} mark */
export function markedWords({ counts: { heads, with_role, beyond_idle } }, mark) {
  const resting = with_role - beyond_idle;
  const only = resting === 0 ? "" : resting === 1 ? "; 1 more is a sink or delimiter only and has none" : `; ${resting} more are sinks or delimiters only and have none`;
  return `A ${mark} marks ${beyond_idle} of ${headsText(heads)}${only}; ${heads - with_role} have no proven role. A head can have several roles.`;
}

/** @param {number} count */
function headsText(count) {
  return `${count} ${count === 1 ? "head" : "heads"}`;
}
