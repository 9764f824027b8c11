// The labels of a head on this sentence alone, in words, and the labels that the sentence is too short for.

import { numberText } from "./measures.js";

/** @param {SideView} state @param {Cell} cell @returns {string} empty where the head has none */
export function labelsInWords({ analysis }, { layer, head }) {
  const labels = analysis?.measures.get(layer)?.labels[head] ?? [];
  return labels.map(({ label, value, n }) => `${label} (${numberText(value)}, n = ${n})`).join("; ");
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
