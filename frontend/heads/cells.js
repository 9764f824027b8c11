// What the cells of the grid show beside maps: one colour with a text, the letters of roles, which heads stand out.

import { faded } from "../maps/color.js";
import { linkTop, linkValues, lockedLink } from "../maps/link_values.js";
import { scaledCodes } from "../maps/scales.js";
import { shownSide } from "./grid_side.js";
import { chosenQuantity, partOf, shortNames, shortNumber } from "./measures.js";
import { orderOf } from "./ordering.js";
import { atlasOnScreen, groupsOf, onlyRests, rolesByHead, rolesOf } from "./roles.js";
import { shownHeads } from "./showing.js";
import { strongestHeads } from "./strongest_heads.js";

/** @typedef {{colour: string, text: string} | null} Fill null: there is nothing to show, the cell is hatched */
/**
 * @typedef {object} Signs what lies on the cells
 * @property {boolean} hasEdges whether cells are framed: where most of a map is near zero only its edge shows where it ends
 * @property {(Cell & {tone: number, letter: string})[]} badges of heads with a role, but for those that only rest
 * @property {boolean} isAbove whether badges are in the upper corner, so that a diagonal is in sight; numbers of cells are there themselves
 * @property {Cell[]} strongest heads that are underlined: those in which the token in focus attends most to another word
 * @property {Map<string, number> | null} shown the heads that stand out, by "layer.head"; null: none is veiled
 */

/** @param {Quantity} quantity @param {number | null | undefined} value @param {Pick<Theme, "scale" | "palette">} theme @returns {Fill} */
export function quantityFill(quantity, value, { scale, palette }) {
  if (value === null || value === undefined) return null;
  if (quantity.classes) return { colour: palette.tones[value % palette.tones.length], text: shortNames(quantity.classes)[value] };
  const step = Math.round((scale.css.length - 1) * partOf(quantity, value));
  return { colour: scale.css[step], text: shortNumber(value) };
}

/** The colour of a group: pale where its heads rest. @param {Pick<HeadRole, "tone" | "group">} role @param {Pick<Palette, "tones" | "surface">} palette */
export function groupColour({ tone, group }, { tones, surface }) {
  const colour = tones[tone % tones.length];
  return group.idle ? faded(colour, surface) : colour;
}

/** @param {HeadRole[]} roles @param {Pick<Theme, "palette">} theme @returns {Fill} */
function roleFill(roles, { palette }) {
  if (roles.length === 0) return null;
  const letters = groupsOf(roles).flatMap(({ group }) => (group.idle ? [] : [group.letter]));
  return { colour: groupColour(roles[0], palette), text: letters.slice(0, 3).join("") };
}

/** The weight of a link in each head, or A − B of it. @type {(state: SideView, link: Focus, theme: Theme) => (layer: number, head: number) => Fill} */
function linkFill(state, link, { scale, diverging }) {
  const isDifference = shownSide(state).side === "difference";
  const top = linkTop(state, link, isDifference);
  const valueOf = linkValues(state, link, isDifference);
  const { css } = isDifference ? diverging : scale;
  const { n_layers = 0, n_heads = 0, layers } = state.analysis ?? {};
  const values = Array.from({ length: n_layers * n_heads }, (_, at) => {
    const frame = layers?.get(Math.floor(at / n_heads));
    return frame ? valueOf(frame, at % n_heads) : null;
  });
  const codes = scaledCodes(Float32Array.from(values, (value) => value ?? 0), state.scale, top, isDifference);
  return (layer, head) => {
    const value = values[layer * n_heads + head];
    return value === null ? null : { colour: css[codes[layer * n_heads + head]], text: Math.abs(value) < 0.005 ? "" : shortNumber(value) };
  };
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
  if (isByRole(state)) return (layer, head) => roleFill(rolesOf(state, { layer, head }), theme);
  const link = lockedLink(state, state.side);
  return link && linkFill(state, link, theme);
}

/** @param {SideView} state whether the lower edge of its cells is needed for names and badges */
export function hasSigns(state) {
  return orderOf(state) !== null || (state.color_by !== "role" && atlasOnScreen(state) !== null);
}

/** @param {SideView} state @returns {Signs} */
export function signsOf(state) {
  const shown = shownHeads(state);
  return {
    hasEdges: state.side === "a" && shownSide(state).side === "difference",
    badges: badgesOf(state, shown?.roles ?? new Set()),
    isAbove: chosenQuantity(state) === null && lockedLink(state, state.side) === null,
    strongest: shownSide(state).side === "difference" ? [] : strongestHeads(state),
    shown: shown?.strengths ?? null,
  };
}

/** None where cells are coloured by role or wait for their maps. @param {SideView} state @param {Set<string>} highlighted ids of roles */
function badgesOf(state, highlighted) {
  const record = atlasOnScreen(state);
  if (record === null || state.analysis === null || state.color_by === "role") return [];
  const active = [...rolesByHead(record).values()].filter((roles) => !onlyRests(roles));
  return active.map((roles) => {
    // A highlighted head has the letter of the role it is highlighted for; that it rests at times needs none.
    const { group, tone, holder } = roles.find(({ role, group: { idle } }) => !idle && highlighted.has(role.id)) ?? roles[0];
    return { layer: holder.layer, head: holder.head, tone, letter: group.letter };
  });
}
