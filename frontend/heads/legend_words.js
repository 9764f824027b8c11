// What the legend of the grid says, on screen and in figures.

import { legendTicks } from "../maps/scales.js";
import { CHANGE, partOf } from "./measures.js";
import { groupsOf, rolesByHead } from "./roles.js";

export const OTHER_WEIGHTS = "These roles were measured on other weights than the ones loaded here.";

/** The ticks of a grid of maps, which may have a top each. @param {Pick<State, "scale" | "range">} state @param {boolean} isSigned */
export function ticksOf(state, isSigned) {
  if (state.scale === "rank" || state.range === "fixed") return legendTicks(state, 1, isSigned);
  if (!isSigned) return [{ part: 0, text: "0" }, { part: 1, text: "each map's largest" }];
  return [{ part: 0, text: "largest fall" }, { part: 0.5, text: "0" }, { part: 1, text: "largest rise" }];
}

/** What cells that are coloured by a quantity show. @param {SideView} state of the side whose heads they are @param {Quantity} quantity */
export function quantityWords(state, quantity) {
  const missing = quantity.values.some((value) => value === null) && quantity.n === 0 ? "; hatched: not exercised" : "";
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

/** @param {Atlas} record @param {string} [sign] what a head without a role has, or lacks */
export function unassignedWords(record, sign = "no letter") {
  return `${sign}: unassigned (${record.model.n_layers * record.model.n_heads - rolesByHead(record).size} heads)`;
}
