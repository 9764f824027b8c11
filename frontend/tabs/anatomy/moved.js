// What edits moved: every head's scores and pattern, the length of the output, the prediction before and after.

import { shortNumber } from "../../anatomy/figures.js";
import { element } from "../../page/dom.js";
import { bar } from "../../views/parts/bar.js";

/** @typedef {import("../../anatomy/walk.js").About} About */
/** @typedef {import("../../anatomy/walk.js").Prediction} Prediction */

const MOST_NEXT = 5;

/**
 * A bar for each head.
 * @param {string} title
 * @param {number[]} values by head
 * @param {object} [options]
 * @param {number} [options.top] of the bars; without it the largest value
 * @param {number | null} [options.chosen] head
 * @param {string} [options.kind] a class
 */
export function headBars(title, values, { top = Math.max(...values.map(Math.abs), 1e-12), chosen = null, kind = "" } = {}) {
  const rows = values.map((value, head) => {
    const drawn = bar(Math.min(1, Math.abs(value) / top));
    drawn.classList.toggle("negative", value < 0);
    return element("li", { "data-head": head, "data-value": value, class: head === chosen ? "chosen" : null }, element("span", {}, `H${head}`), drawn, element("span", { class: "number" }, shortNumber(value)));
  });
  return element("figure", { class: `head-bars ${kind}`.trim() }, element("figcaption", {}, title), element("ol", { class: rows.length > 6 ? "two-columns" : null }, ...rows));
}

/** The most probable next tokens, with what they were before. @param {Prediction} prediction @param {Prediction | null} before @param {string} after the token they follow */
export function predictionBars({ candidates, why_none }, before, after) {
  if (candidates.length === 0) return element("p", { class: "quiet" }, why_none ?? "");
  const old = new Map((before?.candidates ?? []).map(({ id, probability }) => [id, probability]));
  const rows = candidates.slice(0, MOST_NEXT).map(({ id, text, probability }) => {
    const was = old.get(id) ?? null;
    const words = before ? `${percent(probability)}${was === null ? "" : `, was ${percent(was)}`}` : percent(probability);
    return element("li", { "data-token": text, "data-probability": probability }, element("span", { class: "next-token" }, text), bar(probability, was), element("span", { class: "number" }, words));
  });
  const first = before?.candidates[0];
  const change = first && first.id !== candidates[0].id ? `, before the change “${first.text}”` : "";
  return element("figure", { class: "next-bars" }, element("figcaption", {}, `Most probable after “${after}”: “${candidates[0].text}”${change}`), element("ol", {}, ...rows));
}

/** @param {number} part */
const percent = (part) => (part > 0 && part < 0.0005 ? "<0.1\u00a0%" : `${(100 * part).toFixed(part < 0.0995 ? 1 : 0)}\u00a0%`);

/** @param {About} about @param {string[]} tokens @returns {HTMLElement[]} */
export function movedParts(about, tokens) {
  const { changes, token, head, prediction } = about;
  if (changes === null) return [];
  const at = tokens[token];
  const length = `Output at “${at}”: moved by ${shortNumber(changes.attention_out[token])}; its length ${shortNumber(changes.norms_before[token])} → ${shortNumber(changes.norms_after[token])}. Last hidden state: moved by ${shortNumber(changes.final[token])}.`;
  return [
    headBars("Largest change of a score, by head", changes.scores, { chosen: head, kind: "moved-scores" }),
    headBars("Largest change of a weight, by head", changes.pattern, { top: 1, chosen: head, kind: "moved-pattern" }),
    ...(changes.scores.every((change) => change === 0) && changes.pattern.every((change) => change === 0)
      ? [element("p", { class: "hint" }, "No score of this layer changes: what is changed comes after the softmax. What later layers read does.")]
      : []),
    element("p", { class: "moved-length" }, length),
    predictionBars(prediction, changes.prediction_before, at),
  ];
}
