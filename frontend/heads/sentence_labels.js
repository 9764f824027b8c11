// The labels of a head on this sentence alone, in words, and the labels that the sentence is too short for.

import { numberText } from "./measures.js";
import { rolesByHead } from "./roles.js";

/** @param {SideView} state @param {Cell} cell @returns {string} empty where the head has none */
export function labelsInWords({ analysis }, { layer, head }) {
  const labels = analysis?.measures.get(layer)?.labels[head] ?? [];
  return labels.map(({ label, value, n }) => `${label} (${numberText(value)}, n = ${n})`).join("; ");
}

/**
 * Why labels of this sentence are other ones than the roles of the head.
 * @param {SideView} state
 * @param {Cell} cell
 * @param {Atlas} record
 * @returns {string} empty where there is no other label
 */
export function whyOtherLabels({ analysis }, { layer, head }, record) {
  const roles = rolesByHead(record).get(`${layer}.${head}`) ?? [];
  const labels = analysis?.measures.get(layer)?.labels[head] ?? [];
  const others = labels.filter(({ metric }) => !roles.some(({ role }) => rolesOfMetric(metric).includes(role.id)));
  if (others.length === 0) return "";
  if (roles.length > 0) {
    const { role, holder } = roles[0];
    return `One sentence says little: the role “${role.label}” was measured on ${holder.n.toLocaleString("en")} cases (${holder.split}).`;
  }
  const [{ label, metric }] = others;
  // The measure that decides on the role: of a sink, the first token in windows of one length.
  const deciding = rolesOfMetric(metric).find((name) => name in record.measures);
  const measure = record.measures[deciding ?? metric];
  const value = measure?.values[layer * record.model.n_heads + head] ?? null;
  if (value === null || measure.n === null) return "One sentence says little, and the corpus proves no role.";
  return `One sentence says little: on the corpus “${label}” has ${numberText(value)} (n = ${measure.n.toLocaleString("en")}), and no role is proven.`;
}

/** The roles that say on a corpus what a label says on one sentence. @param {string} metric of the label */
function rolesOfMetric(metric) {
  const name = metric.replace(/_hits$/, "");
  return name === "first" ? ["sink64"] : [name, `synthetic_${name}`];
}

/**
 * What no head can be called on so few tokens, by how many cases that would need; strict variants go without saying.
 * @param {SideView} state
 * @returns {string} empty where the sentence is long enough
 */
export function tooShortInWords({ analysis, metrics_catalogue }) {
  /** @type {Map<number | null, string[]>} */
  const byNeed = new Map();
  for (const { name, called } of metrics_catalogue?.metrics ?? []) {
    const opportunity = analysis?.opportunities?.[name];
    if (!called || called.replaces !== null || !opportunity?.too_short) continue;
    const others = byNeed.get(opportunity.least_n) ?? [];
    byNeed.set(opportunity.least_n, [...others, `${called.label} (n = ${opportunity.n})`]);
  }
  const needs = [...byNeed].map(([least_n, labels]) => `${least_n} cases: ${labels.join(", ")}`);
  return needs.length > 0 ? `This sentence is too short for labels that need ${needs.join("; ")}.` : "";
}
