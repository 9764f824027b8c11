// By what the heads of the grid are ordered at this moment.

import { strongestFirst } from "./arrangement.js";
import { CHANGE, CORPUS, chosenQuantity, hasAllLayers } from "./measures.js";
import { atlasOnScreen, roleStrength, rolesByHead } from "./roles.js";
import { shownHeads } from "./showing.js";

/** What the chosen colour or the chosen heads would order the grid by, in words; null: nothing. @param {SideView} state */
export function orderedBy(state) {
  const quantity = chosenQuantity(state);
  if (quantity !== null) return quantity.label;
  if (shownHeads(state) !== null) return "the chosen role";
  return state.color_by === "role" && atlasOnScreen(state) !== null ? "role" : null;
}

/**
 * The order of the grid; null: as in the model. Layers that are still on their way would make cells jump,
 * so a metric of the sentence orders them only when all are here.
 * @param {SideView} state
 * @returns {Order | null}
 */
export function orderOf(state) {
  const { analysis } = state;
  if (state.sort !== "value" || analysis === null) return null;
  const { n_layers, n_heads } = analysis;
  const quantity = chosenQuantity(state);
  if (quantity !== null) {
    const isComplete = state.color_by.startsWith(CORPUS) || state.color_by === CHANGE || hasAllLayers(state);
    if (!isComplete || quantity.values.length !== n_layers * n_heads) return null;
    // Classes have no strength: their heads stay together, in the order of the classes' names.
    return strongestFirst(quantity.classes ? quantity.values.map((at) => at && -at) : quantity.values);
  }
  const strengths = roleStrengths(state);
  if (strengths === null) return null;
  const strengthAt = (/** @type {number} */ at) => strengths.get(`${Math.floor(at / n_heads)}.${at % n_heads}`) ?? null;
  return strongestFirst(Array.from({ length: n_layers * n_heads }, (_, at) => strengthAt(at)));
}

/** @param {SideView} state @returns {Map<string, number> | null} by "layer.head" */
function roleStrengths(state) {
  const shown = shownHeads(state);
  if (shown !== null) return shown.strengths;
  const record = atlasOnScreen(state);
  if (record === null || state.color_by !== "role") return null;
  // Groups stay together, in their own order, and within each the strongest role comes first.
  return new Map([...rolesByHead(record)].map(([name, [{ tone, holder }]]) => [name, (roleStrength(holder) ?? 0) - 10 * tone]));
}
