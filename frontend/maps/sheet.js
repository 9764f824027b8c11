// A map as it is shown: tokens hidden, rows renormalised, tokens merged to words, weights scaled to colour steps.

import { shownAxis } from "./axis.js";
import { cut } from "./cut.js";
import { shapeOf } from "./map_lines.js";
import { scaledCodes, topOf } from "./scales.js";
import { isSink, sinkColumns } from "./sinks.js";

/**
 * @typedef {object} Source a map before anything is done to it
 * @property {Float32Array} weights rows x cols
 * @property {boolean} exact whether they are the model's own, not an overview's
 * @property {number} block how many tokens a row covers; more than one: pooled by the maximum
 * @property {Token[]} queries
 * @property {Token[]} keys
 * @property {string[][]} [typed] the characters of each sentence, where they are known
 * @property {boolean} [causal] whether no query looks at a later token
 */
/**
 * @typedef {Pick<Controls, "scale" | "range" | "sinks" | "hide" | "renormalise" | "words"> & {top: number}} Treatment what is done to
 *   it; range: whether the last colour is that of all maps or the map's own largest weight; renormalise: rows that lost hidden keys
 *   are scaled up to sum to one again; top: the weight of the last colour that all maps share
 */
/**
 * @typedef {object} Axis
 * @property {string[]} labels
 * @property {number[][]} groups the running indices of the tokens behind each line
 * @property {number[][]} [groups_other] of the other map's tokens, where two maps are compared
 */
/**
 * @typedef {object} Sheet
 * @property {Axis} queries
 * @property {Axis} keys
 * @property {Float32Array} weights treated, not scaled
 * @property {Uint8Array} codes colour steps; on a signed sheet nothing at all is in the middle, at 127.5
 * @property {boolean} signed
 * @property {boolean} exact
 * @property {boolean} causal whether no query looks at a later token
 * @property {number} block the larger of the two sides'
 * @property {number} dropped which share of the shown rows' weight lay on hidden keys, 0 to 1
 * @property {boolean} renormalised
 * @property {boolean} merged whether each line is a word
 * @property {number} top the weight of the last colour
 * @property {number | null} on_first share of the whole map before hiding; null where blocks blur it
 * @property {string[]} limits a sentence for each thing that was asked and could not be done
 * @property {number | null} on_sinks
 * @property {Uint8Array} sinks per column whether it holds a special token or the first one
 * @property {boolean} dimmed whether these columns are set aside
 * @property {{name: string, sheet: Sheet}[]} [overlaid] the heads whose lines are drawn over each other
 * @property {{one: number, other: number} | null} unaligned shares on keys without a counterpart; null: one map
 */

/** @param {Source} source @param {Treatment} treatment @returns {Sheet} */
export function makeSheet(source, treatment) {
  const shown = treated(source, treatment);
  const top = topOf(shown.weights, treatment, shown.sinks);
  return {
    ...shown,
    codes: scaledCodes(shown.weights, treatment.scale, top, false),
    signed: false,
    dimmed: treatment.sinks === "dim",
    causal: source.causal ?? false,
    top,
    ...sharesOf(source),
    unaligned: null,
  };
}

/** Everything but the colours. @param {Source} source @param {Pick<Treatment, "hide" | "renormalise" | "words">} treatment */
export function treated(source, treatment) {
  const shape = shapeOf(source);
  const block = Math.max(shape.query_block, shape.key_block);
  const { queries, keys, plan, spared } = shownAxes(source, shape, treatment);
  const done = doneOf(treatment, block, plan.hidden.length, spared);
  const { weights, dropped } = cut(source.weights, shape.cols, plan, done.renormalised);
  const sinks = sinkColumns(source.keys, keys.places);
  return { queries: queries.axis, keys: keys.axis, weights, sinks, exact: source.exact, block, dropped, ...done };
}

/**
 * Both axes of a map; when one would be empty nothing is left to show, so both are.
 * @param {Source} source
 * @param {import("./map_lines.js").Shape} shape
 * @param {Pick<Treatment, "hide" | "words">} treatment
 */
export function shownAxes(source, { query_block, key_block }, { hide, words }) {
  const isWordwise = words && query_block === 1 && key_block === 1;
  const axes = [
    shownAxis(source.queries, query_block, hide, isWordwise, source.typed),
    shownAxis(source.keys, key_block, hide, isWordwise, source.typed),
  ];
  const isEmpty = axes.some(({ lines }) => lines.length === 0);
  const [queries, keys] = isEmpty ? axes.map((axis) => ({ ...axis, axis: { labels: [], groups: [] }, places: [], lines: [] })) : axes;
  const plan = { rows: queries.lines, cols: keys.lines, hidden: keys.hidden, outside: [] };
  return { queries, keys, plan, spared: queries.spared || keys.spared };
}

/**
 * What is done of what was asked: merging, hiding and renormalising need single tokens, which a pooled map does not have.
 * @param {Pick<Treatment, "renormalise" | "words">} treatment
 * @param {number} block
 * @param {number} n_hidden columns
 * @param {boolean} spared whether tokens that were to be hidden are still shown
 */
export function doneOf({ words, renormalise }, block, n_hidden, spared) {
  const renormalised = renormalise && n_hidden > 0;
  if (block === 1) return { merged: words, renormalised, limits: [] };
  const asked = { "Word merging": words, "Hiding single tokens": spared, Renormalising: renormalised };
  const limits = Object.entries(asked).flatMap(([what, isAsked]) => (isAsked ? [`${what} needs exact values.`] : []));
  return { merged: false, renormalised: false, limits };
}

/**
 * How much of a whole map lies on the first key, and on all sinks. In a causal map the first row does not count, as in the metric of the first token: it sees nothing else.
 * @param {Source} source
 * @returns {Pick<Sheet, "on_first" | "on_sinks">}
 */
export function sharesOf(source) {
  const { cols, key_block } = shapeOf(source);
  if (key_block > 1) return { on_first: null, on_sinks: null };
  const sums = new Float64Array(cols);
  const from = source.causal && source.weights.length > cols ? cols : 0;
  for (let at = from; at < source.weights.length; at += 1) sums[at % cols] += source.weights[at];
  const total = sums.reduce((all, sum) => all + sum, 0) || 1;
  const onSinks = sums.reduce((all, sum, key) => (isSink(source.keys[key], key) ? all + sum : all), 0);
  return { on_first: (sums[0] ?? 0) / total, on_sinks: onSinks / total };
}
