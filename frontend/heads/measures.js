// What is measured of the heads, on this sentence or on a corpus, and how its numbers are written. A value that is not
// there is null, never 0.

import { comparedHeads, comparison } from "../compare/comparison.js";
import { Memo, perObject } from "../page/memo.js";
import { isWeighted } from "../state/selectors.js";
import { atlasOnScreen } from "./roles.js";

/** @typedef {import("../requests/api.js").Metric} Metric */
/**
 * @typedef {object} Quantity one number or class a head, which cells are coloured and ordered by
 * @property {string} label
 * @property {string} where on what it was measured, in words
 * @property {string} unit
 * @property {string} meaning
 * @property {number} low the value the scale begins with
 * @property {number} high
 * @property {string[] | null} classes the names behind the values of a class, else null
 * @property {(number | null)[]} values layer by layer; of a class the number of its name
 * @property {number | null} n
 * @property {number | null} baseline what it is compared with
 * @property {string} against what the baseline is, in words
 * @property {string} [missing] what is shown in place of a missing value, if that is more than undefined
 */

export const CORPUS = "corpus:";
/** The colour that shows how much each head changed between two sides. */
export const CHANGE = "change";
/** Shown for every head of a stack without measures. */
export const NOT_MEASURED = "not measured for cross-attention";
/** Shown where a text has nothing that a metric looks at. */
export const NO_CASE = { sentence: "no case in this sentence", corpus: "no case in the corpus" };
/** Shown where a value has not arrived yet. */
export const AWAITED = "…";

/** The metric of the sentence that cells are coloured by. @param {Pick<SideView, "metrics_catalogue" | "color_by">} state */
export function chosenMetric({ metrics_catalogue, color_by }) {
  return metrics_catalogue?.metrics.find(({ name }) => name === color_by) ?? null;
}

/** Whether maps and metrics can be value-weighted; null while no answer has come. @param {Pick<SideView, "analysis">} state */
export function hasWeighted({ analysis }) {
  return analysis?.value_weights ?? null;
}

/**
 * What is measured of a layer's maps, raw or value-weighted as chosen; null until it arrives. Value-weighted metrics
 * come only with value-weighted maps: after a switch they are missing until the second answer.
 * @param {Pick<SideView, "analysis" | "values">} state
 * @param {number} layer
 */
export function layerValues(state, layer) {
  const measures = state.analysis?.measures.get(layer);
  return (isWeighted(state) ? measures?.weighted : measures?.raw) ?? null;
}

/** Whether the chosen values of every layer have arrived. @param {Pick<SideView, "analysis" | "values">} state */
export function hasAllLayers(state) {
  const layers = Array.from({ length: state.analysis?.n_layers ?? 0 }, (_, layer) => layer);
  return layers.every((layer) => layerValues(state, layer) !== null);
}

/** Quantities of each analysis, by name and values. */
const quantities = perObject((/** @type {object} */ _analysis) => /** @type {Map<string, Memo<Quantity | null>>} */ (new Map()));
const NO_ANALYSIS = {};

/**
 * What the cells are coloured by, null when by maps, by role or by something that is not known here.
 * @param {SideView} state
 * @returns {Quantity | null} the same object while nothing changes
 */
export function chosenQuantity(state) {
  const { analysis, color_by, values, measured, metrics_catalogue } = state;
  const made = quantities(analysis ?? NO_ANALYSIS);
  const name = `${values} ${color_by}`;
  const memo = made.get(name) ?? new Memo();
  made.set(name, memo);
  const compared = color_by === CHANGE ? comparison.of(state) : null;
  return memo.get([measured, metrics_catalogue, atlasOnScreen(state), compared], () => quantityOf(state));
}

/** @param {SideView} state @returns {Quantity | null} */
function quantityOf(state) {
  if (state.color_by === CHANGE) return comparedHeads(state);
  const metric = chosenMetric(state);
  if (metric !== null) return onSentence(state, metric);
  if (!state.color_by.startsWith(CORPUS)) return null;
  const name = state.color_by.slice(CORPUS.length);
  const measure = atlasOnScreen(state)?.measures[name];
  if (!measure) return null;
  const { label, unit, meaning, n, baseline, values } = measure;
  const [low, high] = boundsOf(chosenMetric({ ...state, color_by: name })?.range ?? [null, null], values);
  const missing = absence(n, "corpus");
  return { label, where: "on the corpus", unit, meaning, low, high, classes: null, values, n, baseline, against: "baseline", missing };
}

/** @param {SideView} state @param {Metric} metric @returns {Quantity} */
function onSentence(state, { name, label, unit, meaning, range, kind }) {
  const { analysis, metrics_catalogue } = state;
  const classes = kind === "class" ? (metrics_catalogue?.shapes ?? []) : null;
  const [n_layers, n_heads] = [analysis?.n_layers ?? 0, analysis?.n_heads ?? 0];
  const values = Array.from({ length: n_layers * n_heads }, (_, place) => {
    const found = layerValues(state, Math.floor(place / n_heads))?.[name]?.[place % n_heads] ?? null;
    if (typeof found !== "string") return found;
    const at = (classes ?? []).indexOf(found);
    return at < 0 ? null : at;
  });
  const [low, high] = classes ? [0, Math.max(1, classes.length - 1)] : boundsOf(range, values);
  const { n = null, baseline = null } = analysis?.opportunities?.[name] ?? {};
  const where = isWeighted(state) ? "on this sentence, value-weighted" : "on this sentence";
  const isAwaited = n !== 0 && !hasAllLayers(state);
  const missing = analysis?.opportunities === null ? NOT_MEASURED : isAwaited ? AWAITED : undefined;
  return { label, where, unit, meaning, low, high, classes, values, n, baseline, against: "uniform attention", missing };
}

/**
 * Where a scale begins and ends: at the bounds there are, else at the values themselves.
 * @param {[number | null, number | null]} range
 * @param {(number | null)[]} values
 * @returns {[number, number]}
 */
function boundsOf([low, high], values) {
  const known = values.filter((value) => value !== null);
  const least = low ?? Math.min(0, ...known);
  const most = high ?? Math.max(1, roundUp(Math.max(...known, least)));
  return [least, most > least ? most : least + 1];
}

/** The next one, two or five times a power of ten; of zero and below 1. @param {number} value */
export function roundUp(value) {
  if (value <= 0) return 1;
  const steps = [1, 2, 5, 10].map((step) => step * 10 ** Math.floor(Math.log10(value)));
  // What is a rounding error above a round number is that number.
  return steps.find((step) => value <= step * (1 + 1e-9)) ?? steps[3];
}

/** Where on the scale a value lies, 0 to 1. @param {Quantity} quantity @param {number} value */
export function partOf({ low, high }, value) {
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** Why a head has no value here. @param {number | null | undefined} n @param {keyof typeof NO_CASE} [where] */
export function absence(n, where = "sentence") {
  return n === 0 ? NO_CASE[where] : "undefined";
}

/** @param {number} value with three decimals, fewer where it is large */
export function numberText(value) {
  const decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  return value.toFixed(decimals).replace("-", "−");
}

/** @param {number} value as short as a small cell needs it */
export function shortNumber(value) {
  const text = Math.abs(value) >= 9.95 ? value.toFixed(0) : value.toFixed(Math.abs(value) < 0.995 ? 2 : 1);
  return text.replace("-", "−").replace("0.", ".");
}

/** A quantity's value for one head in words. @param {Quantity} quantity @param {number | null} value */
export function valueText(quantity, value) {
  if (value === null) return quantity.missing ?? absence(quantity.n);
  return quantity.classes ? quantity.classes[value] : numberText(value);
}

/** The fewest first letters, two at least, that tell names apart. @param {string[]} names */
export function shortNames(names) {
  const longest = Math.max(2, ...names.map((name) => name.length));
  let length = 2;
  while (length < longest && new Set(names.map((name) => name.slice(0, length))).size < names.length) length += 1;
  return names.map((name) => name.slice(0, length));
}
