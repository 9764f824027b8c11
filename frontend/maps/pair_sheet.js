// Two maps as one sheet: how they differ, or what both of them give. Where their texts differ, units say which tokens match.

import { hiddenBy, hiddenLines, indicesOf } from "./axis.js";
import { cut } from "./cut.js";
import { firstMasked } from "./masked.js";
import { blocks, linesAt, placesWithin, pooledTo, shapeOf } from "./map_lines.js";
import { scaledCodes, topOf } from "./scales.js";
import { largestApart, scaleEnd, sinkColumns } from "./sinks.js";
import { doneOf, sharesOf, shownAxes } from "./sheet.js";
import { wordMatches } from "./word_matches.js";

/** @typedef {import("./cut.js").Plan} Plan */
/** @typedef {import("./word_matches.js").WordMatch} Match places on both axes */
/**
 * @typedef {object} PairPlan
 * @property {Axis} queries
 * @property {Axis} keys
 * @property {Plan} one
 * @property {Plan} other
 * @property {boolean} spared
 * @property {Uint8Array} sinks which columns hold a sink of either map
 */

const NEEDS_BOTH = "Matching two texts token by token needs exact values of both maps.";

/**
 * @param {Pair["kind"]} kind one - other, or the smaller of both
 * @param {Source} one
 * @param {Source} other
 * @param {Unit[] | null} units null: both have the same tokens
 * @param {Treatment} treatment
 * @returns {Sheet}
 */
export function pairSheet(kind, one, other, units, treatment) {
  const paired = pairWeights(kind, one, other, units, treatment);
  const signed = kind === "difference";
  const top = signed ? differenceTop(paired, treatment) : topOf(paired.weights, treatment, paired.sinks);
  const [mine, theirs] = [sharesOf(one), sharesOf(other)];
  return {
    ...paired,
    codes: scaledCodes(paired.weights, treatment.scale, top, signed),
    signed,
    dimmed: treatment.sinks === "dim",
    top,
    on_first: meanOf(mine.on_first, theirs.on_first),
    on_sinks: meanOf(mine.on_sinks, theirs.on_sinks),
  };
}

/** The difference of the last colour: while sinks are dimmed the largest apart from them, else as the treatment says. @param {Pick<Sheet, "weights" | "sinks">} paired @param {Treatment} treatment */
function differenceTop({ weights, sinks }, treatment) {
  const isAdapted = treatment.sinks === "dim" && treatment.range === "fixed";
  return isAdapted ? scaleEnd(largestApart(weights, sinks)) : topOf(weights, treatment, sinks);
}

/**
 * Everything but the colours and the shares of the whole maps.
 * @param {Pair["kind"]} kind
 * @param {Source} first
 * @param {Source} second
 * @param {Unit[] | null} units
 * @param {Treatment} treatment
 */
export function pairWeights(kind, first, second, units, treatment) {
  const [one, other] = units === null ? sameBlocks(first, second) : [first, second];
  const [shape, otherShape] = [shapeOf(one), shapeOf(other)];
  const block = Math.max(shape.query_block, shape.key_block, otherShape.query_block, otherShape.key_block);
  const plan =
    units === null
      ? planOfSame(one, other, treatment)
      : planOfUnits(one, other, units, { ...treatment, words: treatment.words && block === 1 });
  const done = doneOf(treatment, block, plan.one.hidden.length + plan.other.hidden.length, plan.spared);
  const mine = cut(one.weights, shape.cols, plan.one, done.renormalised);
  const theirs = cut(other.weights, otherShape.cols, plan.other, done.renormalised);
  // What only one of two models may attend to is no difference between their heads.
  const axes = { causal: Boolean(one.causal || other.causal), queries: plan.queries, keys: plan.keys };
  return {
    ...done,
    ...axes,
    weights: withoutMasked(combined(kind, mine.weights, theirs.weights), axes),
    sinks: plan.sinks,
    exact: one.exact && other.exact,
    block,
    dropped: (mine.dropped + theirs.dropped) / 2,
    limits: block > 1 && units !== null ? [NEEDS_BOTH, ...done.limits] : done.limits,
    unaligned: { one: mine.outside, other: theirs.outside },
  };
}

/**
 * Two maps of the same tokens in blocks of the same size: one may be pooled still while the other is exact.
 * @param {Source} one
 * @param {Source} other
 * @returns {[Source, Source]}
 */
function sameBlocks(one, other) {
  if (one.queries.length !== other.queries.length || one.keys.length !== other.keys.length) {
    throw new RangeError("These two maps have different tokens: they can be compared only where tokens are matched.");
  }
  if (one.weights.length > other.weights.length) return [pooledTo(one, shapeOf(other)), other];
  if (one.weights.length < other.weights.length) return [one, pooledTo(other, shapeOf(one))];
  return [one, other];
}

/** @param {Source} one @param {Source} other @param {Treatment} treatment @returns {PairPlan} */
function planOfSame(one, other, treatment) {
  const { queries, keys, plan, spared } = shownAxes(one, shapeOf(one), treatment);
  return {
    queries: { ...queries.axis, groups_other: indicesOf(other.queries, queries.places) },
    keys: { ...keys.axis, groups_other: indicesOf(other.keys, keys.places) },
    one: plan,
    other: plan,
    spared,
    sinks: sinkColumns(one.keys, keys.places),
  };
}

/** @param {Source} one @param {Source} other @param {Unit[]} units @param {Treatment} treatment @returns {PairPlan} */
function planOfUnits(one, other, units, treatment) {
  const queries = matched(one, other, "queries", units, treatment);
  const keys = matched(one, other, "keys", units, treatment);
  const isEmpty = queries.length === 0 || keys.length === 0;
  const [rows, cols] = isEmpty ? [[], []] : [queries, keys];
  const [mine, theirs] = [sinkColumns(one.keys, cols.map((match) => match.one)), sinkColumns(other.keys, cols.map((match) => match.other))];
  return {
    queries: axisOf(one.queries, other.queries, rows),
    keys: axisOf(one.keys, other.keys, cols),
    one: planOfSide(one, treatment.hide, rows.map((match) => match.one), cols.map((match) => match.one)),
    other: planOfSide(other, treatment.hide, rows.map((match) => match.other), cols.map((match) => match.other)),
    spared: false,
    sinks: mine.map((flag, col) => flag | theirs[col]),
  };
}

/**
 * The units that have shown tokens on both sides of an axis, merged to words where that is wanted.
 * @param {Source} one
 * @param {Source} other
 * @param {"queries" | "keys"} end
 * @param {Unit[]} units
 * @param {Treatment} treatment
 * @returns {Match[]}
 */
function matched(one, other, end, units, { hide, words }) {
  const isHidden = hiddenBy(hide);
  const [mine, theirs] = [one, other].map((source) => ({ tokens: source[end], typed: source.typed }));
  const shown = (/** @type {Token[]} */ tokens, /** @type {number[]} */ indices) =>
    placesWithin(tokens, indices).filter((place) => !isHidden(tokens[place], place));
  const matches = units.map((unit) => ({ ...unit, one: shown(mine.tokens, unit.one), other: shown(theirs.tokens, unit.other) }));
  const found = words ? wordMatches(mine, theirs, matches) : matches;
  return found.filter((match) => match.one.length > 0 && match.other.length > 0);
}

/** @param {Token[]} one @param {Token[]} other @param {Match[]} matches @returns {Axis} */
function axisOf(one, other, matches) {
  return {
    labels: matches.map(({ text, other_text }) => (text === other_text ? text : `${text} / ${other_text}`)),
    groups: indicesOf(one, matches.map((match) => match.one)),
    groups_other: indicesOf(other, matches.map((match) => match.other)),
  };
}

/**
 * @param {Source} source
 * @param {Treatment["hide"]} hide
 * @param {number[][]} rows places of each shown row's tokens
 * @param {number[][]} cols
 * @returns {Plan}
 */
function planOfSide(source, hide, rows, cols) {
  const shape = shapeOf(source);
  const shown = cols.map((places) => linesAt(places, shape.key_block));
  const hidden = hiddenLines(source.keys, blocks(source.keys.length, shape.key_block), hide);
  const counted = new Set([...shown.flat(), ...hidden]);
  return {
    rows: rows.map((places) => linesAt(places, shape.query_block)),
    cols: shown,
    hidden,
    outside: Array.from({ length: shape.cols }, (_, line) => line).filter((line) => !counted.has(line)),
  };
}

/** @param {Pair["kind"]} kind @param {Float32Array} one @param {Float32Array} other */
function combined(kind, one, other) {
  const weights = new Float32Array(one.length);
  if (kind === "difference") for (let at = 0; at < one.length; at += 1) weights[at] = one[at] - other[at];
  else for (let at = 0; at < one.length; at += 1) weights[at] = Math.min(one[at], other[at]);
  return weights;
}

/** @param {Float32Array} weights @param {Pick<Sheet, "causal" | "queries" | "keys">} axes */
function withoutMasked(weights, axes) {
  const cols = axes.keys.groups.length;
  if (axes.causal) axes.queries.groups.forEach((_, row) => weights.fill(0, row * cols + firstMasked(axes, row), (row + 1) * cols));
  return weights;
}

/** @param {number | null} one @param {number | null} other */
function meanOf(one, other) {
  return one === null || other === null ? null : (one + other) / 2;
}
