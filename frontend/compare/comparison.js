// Holding side a against side b: fetching what the server says of both, once for each two questions, and what follows
// from it: which tokens stand opposite each other, how much each head changed.

import { Latest } from "../requests/latest.js";
import { isStale, isWeighted, question } from "../state/selectors.js";
import { seenFrom } from "../state/side.js";

/** @typedef {Comparison} ComparisonAnswer */
/** @typedef {import("../requests/api.js").ComparedHead} ComparedHead */
/** @typedef {import("../state/view.js").Side} Side */
/** @typedef {{one: Question, other: Question, values: "raw" | "weighted"}} Asked */

/**
 * What is to be compared; null while one of the sides has no answer to what is in its boxes.
 * @param {State} state
 * @returns {Asked | null}
 */
export function comparisonQuestion(state) {
  if (state.against === null || state.connection === "lost") return null;
  const sides = [seenFrom(state, { side: "a", stack: 0 }), seenFrom(state, { side: "b", stack: 0 })];
  if (sides.some((side) => side.analysis === null || side.run.phase !== "done" || isStale(side))) return null;
  const [one, other] = sides.map(question);
  return one && other && { one, other, values: isWeighted(state) ? "weighted" : "raw" };
}

export class Comparisons {
  /** @type {Latest<ComparisonAnswer>} */
  #latest = new Latest();

  /**
   * @param {Pick<Actions, "receiveComparison">} actions
   * @param {(asked: Asked, signal: AbortSignal) => Promise<ComparisonAnswer>} fetchComparison
   */
  constructor(actions, fetchComparison) {
    this.actions = actions;
    this.fetchComparison = fetchComparison;
  }

  /** @param {State} state */
  want(state) {
    const asked = comparisonQuestion(state);
    const key = JSON.stringify(asked);
    // What was forgotten is asked again, also when the two questions turn out to be the same; what failed is, once
    // there was nothing to ask in between: both sides are answered anew then, or the server is back.
    const isKnown = state.comparison?.asked === key && state.comparison.answer !== null;
    const fetched = asked === null || isKnown ? null : (/** @type {AbortSignal} */ signal) => this.fetchComparison(asked, signal);
    void this.#latest.want([key, isKnown], fetched, (known) => this.actions.receiveComparison({ asked: key, ...known }));
  }
}

/**
 * The focus in the tokens of a side; null where nothing stands opposite.
 * @param {State} state
 * @param {Focus | null} focus
 * @param {Side} side
 * @returns {Focus | null}
 */
export function focusOn(state, focus, side) {
  if (focus === null || focus.side === side) return focus;
  const units = state.comparison?.answer?.units;
  if (!units) return null;
  const opposite = (/** @type {number[]} */ tokens) =>
    units.flatMap((unit) => {
      const [here, there] = focus.side === "a" ? [unit.one, unit.other] : [unit.other, unit.one];
      return here.some((token) => tokens.includes(token)) ? there : [];
    });
  const [queries, keys] = [opposite(focus.queries), opposite(focus.keys)];
  // A link of which one end has nothing opposite must not become a whole row.
  const isLost = (focus.queries.length > 0 && queries.length === 0) || (focus.keys.length > 0 && keys.length === 0);
  return isLost ? null : { side, queries, keys };
}

/**
 * How much each head changed between the sides, or how like its match it is, for colours and order of the grid.
 * @param {State} state seen from a side
 * @returns {Quantity | null}
 */
export function comparedHeads(state) {
  const compared = state.comparison?.answer;
  if (!compared || state.analysis === null) return null;
  const { n_layers, n_heads, layers, stacks } = state.analysis;
  if (layers !== stacks[0].layers) return null; // only the first attention of each model is compared
  const { same_model } = compared;
  // Matches are told of the heads of side a; the heads of another model have none of their own.
  if (state.seen_from === "b" && !same_model) return null;
  const values = new Array(n_layers * n_heads).fill(null);
  for (const { layer, head, change, similarity } of compared.heads) {
    values[layer * n_heads + head] = same_model ? change : similarity;
  }
  const words = same_model
    ? { label: "Change", meaning: "The share of the head's attention that moved between A and B, over tokens that stand opposite each other." }
    : { label: "Likeness", meaning: "How much of its attention the head has in common with its most similar head of the other model." };
  return { ...words, where: "between A and B", unit: "", low: 0, high: 1, classes: null, values, n: null, baseline: null, against: "" };
}
