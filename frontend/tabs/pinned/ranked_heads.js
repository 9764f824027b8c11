// The heads of A ranked by a link, with those of B: which of them belongs to which, and what their numbers are.

import { comparison } from "../../compare/comparison.js";
import { otherEdges } from "../../maps/edges.js";
import { isWeighted } from "../../state/selectors.js";

/** @typedef {import("../../export/number_tables.js").RankedHead} RankedHead */

/** What the numbers of B are, or why there are none; "": nothing is compared, or they are on their way. @param {State} state */
export function wordsOfB(state) {
  const compared = comparison.of(state)?.answer;
  if (state.sides.b === null || !compared) return "";
  if (otherEdges.questions(state).length === 0) return "B has no counterpart of every token of this link: only A is ranked.";
  const known = otherEdges.of(state);
  if (known?.problem) return `Only A is ranked. B: ${known.problem.message}`;
  if (!known?.answer) return "";
  return compared.same_model
    ? "B is the weight of the same head for the aligned tokens of B."
    : "B is the weight of the most similar head of B, named below it, for the aligned tokens of B.";
}

/** The heads of A, strongest first in the maps on screen, with those of B: of the same model itself, of another its match. @param {State} state @param {Edges} edges @returns {RankedHead[]} */
export function rankedHeads(state, edges) {
  const strength = (/** @type {Edge} */ { weighted }) => weighted ?? -1;
  const heads = isWeighted(state) ? [...edges.heads].sort((one, other) => strength(other) - strength(one)) : edges.heads;
  const compared = comparison.of(state)?.answer;
  const found = new Map(otherEdges.of(state)?.answer?.heads.map((edge) => [keyOf(edge.stack, edge.layer, edge.head), edge]) ?? []);
  if (!compared || found.size === 0) return heads.map((edge) => ({ edge, other: null }));
  if (compared.same_model) return heads.map((edge) => ({ edge, other: found.get(keyOf(edge.stack, edge.layer, edge.head)) ?? null }));
  // Only the first attention of each model is compared.
  const [first, otherFirst] = [state.sides.a, state.sides.b].map((side) => side?.analysis?.stacks[0].stack);
  const matches = new Map(
    compared.heads.map((it) => [keyOf(first, it.layer, it.head), keyOf(otherFirst, it.other_layer, it.other_head)]),
  );
  return heads.map((edge) => ({ edge, other: found.get(matches.get(keyOf(edge.stack, edge.layer, edge.head)) ?? "") ?? null }));
}

/** @param {string | undefined} stack @param {number} layer @param {number} head */
function keyOf(stack, layer, head) {
  return `${stack ?? ""} ${layer}.${head}`;
}
