// The numbers of one head: what it does on this sentence beside what it does on the corpus.

import { AWAITED, NOT_MEASURED, absence, layerValues, numberText } from "../../heads/measures.js";
import { element } from "../../page/dom.js";
import { TERM_OF_METRIC } from "../../page/glossary.js";
import { headName } from "../../page/labels.js";
import { isWeighted } from "../../state/selectors.js";
import { term } from "../parts/term.js";

/** @typedef {{text: string, title: string, n?: string}} NumberCell n: how many cases it rests on */

const N_MEANS = "n is the number of cases in this sentence. Without a case there is no number, with few cases no label.";
const CORPUS_MEANS = "Point at a number of the corpus for its n and, of raw attention, its 95 % interval.";
const NOTHING = { text: "–", title: "Measured on a corpus only" };

/** @param {SideView} state @param {Cell} cell @param {Atlas | null} record */
export function headNumbers(state, cell, record) {
  const metrics = state.metrics_catalogue?.metrics ?? [];
  const names = new Set(metrics.map(({ name }) => name));
  const corpusOnly = Object.entries(record?.measures ?? {}).filter(([name]) => !names.has(name));
  const weighted = isWeighted(state);
  const corpus = (/** @type {string} */ name) => record && onCorpus(record, cell, name, weighted);
  const rows = [
    ...metrics.map(({ name, label, meaning }) => row(named(name, label), meaning, onSentence(state, cell, name), corpus(name))),
    ...corpusOnly.map(([name, { label, meaning }]) => row(label, meaning, NOTHING, corpus(name))),
  ];
  const titles = [{ text: "this sentence" }, { text: "n", title: N_MEANS }, ...(record ? [{ text: "corpus" }] : [])];
  const headings = titles.map(({ text, title }) => element("th", { scope: "col", title }, text));
  const corner = element("td", { class: "quiet" }, weighted ? term("weighted", "value-weighted") : "");
  const table = element("table", {}, element("thead", {}, element("tr", {}, corner, ...headings)), element("tbody", {}, ...rows));
  const name = `Numbers of ${headName(cell.layer, cell.head)}`;
  return element(
    "div",
    {},
    element("div", { class: "numbers", tabindex: 0, role: "region", "aria-label": name }, table),
    element("p", { class: "hint" }, record ? `${N_MEANS} ${CORPUS_MEANS}` : N_MEANS),
  );
}

/** @param {SideView} state @param {Cell} cell @param {string} name of a metric @returns {NumberCell} */
export function onSentence(state, { layer, head }, name) {
  const { analysis } = state;
  if (analysis?.opportunities === null) return { text: NOT_MEASURED, title: "" };
  const values = layerValues(state, layer);
  if (values === null) return { text: AWAITED, title: "" };
  const value = values[name]?.[head] ?? null;
  const { n = null, baseline = null } = analysis?.opportunities[name] ?? {};
  const text = value === null ? absence(n) : typeof value === "string" ? value : numberText(value);
  return { text, title: baseline === null ? "" : `uniform attention: ${numberText(baseline)}`, n: String(n ?? "") };
}

/**
 * A number of the corpus: value-weighted where that was measured, else it is said to be raw.
 * @param {Atlas} record
 * @param {Cell} cell
 * @param {string} name
 * @param {boolean} weighted
 * @returns {NumberCell}
 */
export function onCorpus(record, { layer, head }, name, weighted) {
  const measure = record.measures[name];
  if (!measure) return { text: "–", title: "Not measured on the corpus" };
  const at = layer * record.model.n_heads + head;
  const byValue = weighted ? measure.weighted : null;
  const value = (byValue ?? measure.values)[at];
  // Interval and baseline are those of raw attention.
  const [low, high, baseline] = byValue ? [] : [measure.low?.[at], measure.high?.[at], measure.baseline];
  const title = [
    ...(measure.n === null ? [] : [`n = ${measure.n.toLocaleString("en")}`]),
    ...(low == null || high == null ? [] : [`95 % interval ${numberText(low)} to ${numberText(high)}`]),
    ...(baseline == null ? [] : [`baseline ${numberText(baseline)}`]),
  ].join(", ");
  const text = value == null ? absence(measure.n, "corpus") : `${numberText(value)}${weighted && !byValue ? " raw" : ""}`;
  return { text, title };
}

/** A metric's label, explained where it is a term of the field. @param {string} name @param {string} label */
function named(name, label) {
  const id = TERM_OF_METRIC[name];
  return id ? term(id, label) : label;
}

/** @param {string | HTMLElement} label @param {string} meaning @param {NumberCell} sentence @param {NumberCell | null} corpus */
function row(label, meaning, sentence, corpus) {
  const cell = (/** @type {string} */ text, /** @type {string} */ title) =>
    element("td", { title: title || null, class: /^[\d.−]/.test(text) ? null : "quiet" }, text);
  return element(
    "tr",
    {},
    element("th", { scope: "row", title: meaning }, label),
    cell(sentence.text, sentence.title),
    cell(sentence.n ?? "", ""),
    ...(corpus ? [cell(corpus.text, corpus.title)] : []),
  );
}
