// Which heads of the grid stand out: those of a role, or those above a metric's baseline.

import { AWAITED, chosenQuantity, numberText } from "./measures.js";
import { headsOfRoles } from "./roles.js";

/** The menu entry for heads above the baseline of what the cells are coloured by. */
export const ABOVE = "above";

/** The chosen quantity, if it has a baseline to compare its values with, else null. @param {SideView} state */
export function comparedQuantity(state) {
  const quantity = chosenQuantity(state);
  return quantity !== null && quantity.baseline !== null && quantity.classes === null ? quantity : null;
}

/** The heads that the chosen entry highlights; null: all heads. @param {SideView} state @returns {ReturnType<typeof headsOfRoles>} */
export function shownHeads(state) {
  if (state.show !== ABOVE) return headsOfRoles(state);
  const quantity = comparedQuantity(state);
  const n_heads = state.analysis?.n_heads;
  if (quantity === null || !n_heads) return null;
  const { values, baseline, label, against, where } = quantity;
  /** @type {Map<string, number>} */
  const strengths = new Map();
  values.forEach((value, place) => {
    if (value === null || value <= Number(baseline)) return;
    strengths.set(`${Math.floor(place / n_heads)}.${place % n_heads}`, value);
  });
  const bar = `${against} (${numberText(Number(baseline))})`;
  const count = quantity.missing === AWAITED ? AWAITED : strengths.size;
  return { strengths, roles: new Set(), text: `${label} ${where}, above ${bar}: ${count} of ${values.length} heads.` };
}
