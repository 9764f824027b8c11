// Comparing side a with side b: the server's answer, the focus on the other side's tokens, how much each head changed.

import { Memo, perObject } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { askedKey, isAnswered, isWeighted, question } from "../state/selectors.js";
import { onSide, sidesOf } from "../state/sides.js";

/** @typedef {{one: Question, other: Question, values: "raw" | "weighted"}} ComparisonQuestion */

/** @type {Memo<ComparisonQuestion | null>} */
const asked = new Memo();

/** @type {import("../requests/resource.js").Resource<ComparisonQuestion, Comparison>} */
export const comparison = resource("/compare", (state) => {
  const sides = sidesOf(state).map((side) => onSide(state, side));
  // Until both sides have a whole answer to what is in their boxes, what is known is of other tokens.
  if (sides.length < 2 || !sides.every(isAnswered)) return null;
  const [one, other] = sides.map(question);
  const values = isWeighted(state) ? "weighted" : "raw";
  return asked.get([one, other, values], () => one && other && { one, other, values });
});

/** Whether both sides ask the very same. @param {State} state */
export function isSameQuestion(state) {
  return askedKey(onSide(state, "a")) === askedKey(onSide(state, "b"));
}

/** A focus in the tokens of the other side: the same object while nothing changes. */
const opposites = perObject((/** @type {Focus} */ _) => /** @type {Memo<Focus | null>} */ (new Memo()));

/** The focus in the tokens of a side; null if aligned with none. @param {State} state @param {Focus | null} focus @param {Side} side */
export function focusOn(state, focus, side) {
  if (focus === null || focus.side === side) return focus;
  const units = comparison.of(state)?.answer?.units;
  return units ? opposites(focus).get([units, side], () => oppositeOf(focus, units, side)) : null;
}

/** @param {Focus} focus @param {Unit[]} units @param {Side} side @returns {Focus | null} */
function oppositeOf(focus, units, side) {
  const opposite = (/** @type {number[]} */ tokens) =>
    units.flatMap((unit) => {
      const [here, there] = focus.side === "a" ? [unit.one, unit.other] : [unit.other, unit.one];
      return here.some((token) => tokens.includes(token)) ? there : [];
    });
  const [queries, keys] = [opposite(focus.queries), opposite(focus.keys)];
  // A link of which one end is aligned with nothing must not become a whole row.
  const isLost = (focus.queries.length > 0 && queries.length === 0) || (focus.keys.length > 0 && keys.length === 0);
  return isLost ? null : { side, queries, keys };
}

/** How much each head changed between the sides, or how similar its match is. @param {SideView} state @returns {Quantity | null} */
export function comparedHeads(state) {
  const compared = comparison.of(state)?.answer;
  if (!compared || state.analysis === null) return null;
  const { n_layers, n_heads, layers, stacks } = state.analysis;
  if (layers !== stacks[0].layers) return null; // only the first attention of each model is compared
  const { same_model } = compared;
  // Matches are reported for the heads of side a; the heads of another model have none of their own.
  if (state.side === "b" && !same_model) return null;
  const values = new Array(n_layers * n_heads).fill(null);
  for (const { layer, head, change, similarity } of compared.heads) {
    values[layer * n_heads + head] = same_model ? change : similarity;
  }
  const words = same_model
    ? { label: "Change", meaning: "The share of the head's attention that moved between A and B, over aligned tokens." }
    : { label: "Similarity", meaning: "How much of its attention the head has in common with its most similar head of the other model." };
  return { ...words, where: "between A and B", unit: "", low: 0, high: 1, classes: null, values, n: null, baseline: null, against: "" };
}
