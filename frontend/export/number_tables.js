// The tables of numbers that can be saved: the ranking by a link, the table of all heads, the comparison of A with B.

import { writtenLinks } from "../compare/changed_links.js";
import { valueText } from "../heads/measures.js";
import { listed } from "../heads/ranking.js";

/** @typedef {import("./number_files.js").NumberTable} NumberTable */
/** @typedef {{edge: Edge, other: Edge | null}} RankedHead a head of A, and the head of B it is compared with */

const RANKING = ["rank", "stack", "layer", "head", "weight", "by_position", "by_others", "value_weighted"];
const RANKING_OF_B = ["b_layer", "b_head", "b_weight", "b_value_weighted", "a_minus_b"];
const COMPARISON = ["rank", "layer", "head", "other_layer", "other_head", "change", "similarity", "share_one", "share_other", "typical"];
const LINKS = [1, 2, 3];

/** A difference without the noise of its subtraction. @param {number} value */
const rounded = (value) => Number(value.toFixed(6));

/** @param {Token[]} tokens of A @param {Edges} edges @param {RankedHead[]} ranked @param {boolean} isCompared @param {boolean} isWeighted by which weights they are ranked @returns {NumberTable} */
export function rankingTable(tokens, { queries, keys, uniform, elsewhere, others }, ranked, isCompared, isWeighted) {
  const rows = ranked.map(({ edge, other }, at) => {
    const { stack = null, layer, head, weight, by_position, by_others, weighted } = edge;
    const own = [at + 1, stack, layer, head, weight, by_position, by_others, weighted];
    if (!isCompared) return own;
    return [...own, ...(other ? [other.layer, other.head, other.weight, other.weighted, rounded(weight - other.weight)] : [null, null, null, null, null])];
  });
  return {
    id: "link-ranking",
    title: `heads ranked by the ${isWeighted ? "value-weighted " : ""}attention of a link`,
    values: "raw; the columns value_weighted are value-weighted",
    facts: { from: listed(tokens, queries), to: listed(tokens, keys), queries, keys, uniform, by_position_pairs: elsewhere, by_others_tokens: others },
    columns: isCompared ? [...RANKING, ...RANKING_OF_B] : RANKING,
    rows,
  };
}

/**
 * @param {{name: string, quantity: Quantity}[]} columns
 * @param {{layer: number, head: number, roles: HeadRole[], values: (number | null)[]}[]} rows
 * @param {string} source sentence or corpus
 * @returns {NumberTable}
 */
export function headsTable(columns, rows, source) {
  const written = rows.map(({ layer, head, roles, values }) => [
    ...[layer, head, roles.map(({ role }) => role.label).join("; ")],
    ...columns.map(({ quantity }, at) => (quantity.classes === null || values[at] === null ? values[at] : valueText(quantity, values[at]))),
  ]);
  const meanings = columns.map(({ name, quantity }) => [name, `${quantity.meaning} (${quantity.where})`]);
  const names = columns.map(({ name }) => name);
  return {
    ...{ id: "heads", title: "all heads of A", facts: Object.fromEntries(meanings) },
    ...(source === "corpus" ? { values: "raw, measured on the corpus and not on the sentence" } : {}),
    ...{ columns: ["layer", "head", "roles", ...names], rows: written },
  };
}

/** @param {Comparison} comparison @returns {NumberTable} */
export function comparisonTable({ heads, units, same_model }) {
  const rows = heads.map((head, at) => {
    const { layer, other_layer, other_head, change, similarity, share_one, share_other, typical } = head;
    const written = writtenLinks(head.links, units);
    const links = LINKS.flatMap((_, place) => {
      const link = head.links[place];
      return link ? [written[place].from, written[place].to, link.one, link.other] : [null, null, null, null];
    });
    return [at + 1, layer, head.head, other_layer, other_head, change, similarity, share_one, share_other, typical, ...links];
  });
  const linkColumns = LINKS.flatMap((n) => ["from", "to", "a", "b"].map((part) => `link_${n}_${part}`));
  const order = same_model ? "each head with itself, most changed first" : "each head of A with the most similar head of B";
  return { id: "comparison", title: `A compared with B: ${order}`, columns: [...COMPARISON, ...linkColumns], rows };
}
