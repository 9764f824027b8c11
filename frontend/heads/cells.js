// What the cells of the grid show beside maps: one colour with a text, the letters of roles, which heads stand out.

import { shownSide } from "./grid_side.js";
import { chosenQuantity, partOf, shortNames, shortNumber } from "./measures.js";
import { orderOf } from "./ordering.js";
import { atlasOnScreen, groupsOf, rolesByHead, rolesOf } from "./roles.js";
import { shownHeads } from "./showing.js";

/** @typedef {{colour: string, text: string} | null} Fill null: there is nothing to show, the cell is hatched */
/**
 * @typedef {object} Signs what lies on the cells
 * @property {boolean} hasEdges whether cells are framed: where most of a map is near zero only its edge shows where it ends
 * @property {(Cell & {tone: number, letter: string})[]} badges of heads with roles
 * @property {boolean} isAbove whether badges are in the upper corner: in the lower one the maps of a causal model end
 * @property {Map<string, number> | null} shown the heads that stand out, by "layer.head"; null: none is veiled
 */

/** @param {Quantity} quantity @param {number | null | undefined} value @param {Pick<Theme, "scale" | "palette">} theme @returns {Fill} */
export function quantityFill(quantity, value, { scale, palette }) {
  if (value === null || value === undefined) return null;
  if (quantity.classes) return { colour: palette.tones[value % palette.tones.length], text: shortNames(quantity.classes)[value] };
  const step = Math.round((scale.css.length - 1) * partOf(quantity, value));
  return { colour: scale.css[step], text: shortNumber(value) };
}

/** @param {HeadRole[]} roles @param {Pick<Theme, "palette">} theme @returns {Fill} */
function roleFill(roles, { palette }) {
  if (roles.length === 0) return null;
  const letters = groupsOf(roles).map(({ group }) => group.letter);
  return { colour: palette.tones[roles[0].tone % palette.tones.length], text: letters.slice(0, 3).join("") };
}

/** @param {SideView} state whether cells are coloured by the roles of their heads */
export function isByRole(state) {
  return state.color_by === "role" && atlasOnScreen(state) !== null;
}

/** The fill of cells; null: maps. @param {SideView} state @param {Theme} theme @returns {((layer: number, head: number) => Fill) | null} */
export function flatFill(state, theme) {
  if (state.analysis === null) return null;
  const { n_heads } = state.analysis;
  const quantity = chosenQuantity(state);
  if (quantity !== null) return (layer, head) => quantityFill(quantity, quantity.values[layer * n_heads + head], theme);
  return isByRole(state) ? (layer, head) => roleFill(rolesOf(state, { layer, head }), theme) : null;
}

/** @param {SideView} state whether the lower edge of its cells is needed for names and badges */
export function hasSigns(state) {
  return orderOf(state) !== null || (state.color_by !== "role" && atlasOnScreen(state) !== null);
}

/** @param {SideView} state @returns {Signs} */
export function signsOf(state) {
  const shown = shownHeads(state);
  const [first] = state.analysis?.layers.values() ?? [];
  return {
    hasEdges: state.side === "a" && shownSide(state).side === "difference",
    badges: badgesOf(state, shown?.roles ?? new Set()),
    isAbove: first?.causal === true && chosenQuantity(state) === null,
    shown: shown?.strengths ?? null,
  };
}

/** None where cells are coloured by role or wait for their maps. @param {SideView} state @param {Set<string>} highlighted ids of roles */
function badgesOf(state, highlighted) {
  const record = atlasOnScreen(state);
  if (record === null || state.analysis === null || state.color_by === "role") return [];
  return [...rolesByHead(record).values()].map((roles) => {
    // A highlighted head has the letter of the role it is highlighted for.
    const { group, tone, holder } = roles.find(({ role }) => highlighted.has(role.id)) ?? roles[0];
    return { layer: holder.layer, head: holder.head, tone, letter: group.letter };
  });
}
