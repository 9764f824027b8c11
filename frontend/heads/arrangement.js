// The order of heads in the grid: as in the model, or one sequence with the strongest first.

/**
 * @typedef {object} Order heads and slots, both counted row by row
 * @property {number[]} places which head each slot holds
 * @property {number[]} slots which slot holds each head
 */

/**
 * Heads by falling strength; those without one come last, and equals keep the model's order.
 * @param {(number | null)[]} strengths of each head, layer by layer
 * @returns {Order}
 */
export function strongestFirst(strengths) {
  const strength = (/** @type {number} */ place) => strengths[place] ?? -Infinity;
  // Two heads without a strength differ by NaN; sorting is stable.
  const places = strengths.map((_, place) => place).sort((one, other) => strength(other) - strength(one) || 0);
  const slots = new Array(places.length);
  places.forEach((place, slot) => (slots[place] = slot));
  return { places, slots };
}

/** The slot that shows a head. @param {Order | null} order null: as in the model @param {Cell} cell @param {number} n_heads in each row */
export function slotOf(order, { layer, head }, n_heads) {
  const place = layer * n_heads + head;
  const slot = order ? order.slots[place] : place;
  return { row: Math.floor(slot / n_heads), column: slot % n_heads };
}

/** The head that a slot shows. @param {Order | null} order @param {{row: number, column: number}} slot @param {number} n_heads */
export function cellIn(order, { row, column }, n_heads) {
  const slot = row * n_heads + column;
  const place = order ? order.places[slot] : slot;
  return { layer: Math.floor(place / n_heads), head: place % n_heads };
}
