// The link that is asked for on side B: the same question in the aligned tokens, and which of its heads belongs to which of A.

import { counterpartsOf } from "../../compare/alignment.js";
import { comparison } from "../../compare/comparison.js";
import { Memo } from "../../page/memo.js";
import { resource } from "../../requests/resource.js";
import { isAnswered, isWeighted, question } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { chosenLink } from "./edges.js";

/** @typedef {import("./edges.js").EdgesQuestion} EdgesQuestion */
/** @typedef {import("../../export/number_tables.js").RankedHead} RankedHead */

/** @type {Memo<EdgesQuestion | null>} */
const asked = new Memo();

/** What to ask of B; null unless the comparison has aligned both ends. @param {State} state */
function otherQuestion(state) {
  const units = comparison.of(state)?.answer?.units;
  if (state.sides.b === null || !units) return null;
  const text = question(onSide(state, "b"));
  const link = chosenLink(state);
  return asked.get([text, units, link], () => {
    const [queries, keys] = [link?.queries, link?.keys].map((tokens) => tokens && counterpartsOf(units, tokens));
    return text && queries && keys ? { ...text, queries, keys } : null;
  });
}

/** @type {import("../../requests/resource.js").Resource<EdgesQuestion, Edges>} */
export const otherEdges = resource("/edges", otherQuestion, {
  when: (state) => isAnswered(onSide(state, "b")),
});

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
