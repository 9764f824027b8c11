// From weights to colour steps, and how a legend says which scale and range are in use.

import { FORMULAS } from "../state/scales.js";
import { NO_SINKS, largestApart, scaleEnd } from "./sinks.js";

/** @typedef {keyof typeof FORMULAS} FormulaScale a scale that needs one weight, not all of them */
/** @typedef {Pick<Controls, "scale" | "range" | "sinks">} Scaling */
/** @typedef {{part: number, text: string}} Tick where on the colour bar, 0 to 1, and what is written there */

/** Two mirrored arms around 127.5, nothing at all being 128. @param {number} part of the colours, 0 to 1 @param {boolean} isNegative */
function signedCode(part, isNegative) {
  const code = Math.round(127.5 + 127.5 * part);
  return isNegative ? 255 - code : code;
}

/**
 * Where a rank is among the colours, ties sharing their average one.
 * @param {number} before how many are smaller
 * @param {number} ties how many are as large, itself included
 * @param {number} n how many there are
 * @returns {number} the part of the colours, 0 to 1
 */
export function rankPart(before, ties, n) {
  return (before + (ties + 1) / 2) / n;
}

/**
 * The weight of the last colour; ranks have no fixed range. Where sinks are dimmed they do not count, and a map that goes
 * beyond the scale which all maps share gets a longer one.
 * @param {ArrayLike<number>} weights
 * @param {Scaling & {top: number}} scaling top: of the shared scale
 * @param {Uint8Array} sinks which columns are sinks
 */
export function topOf(weights, { scale, range, sinks: treatment, top }, sinks) {
  const isShared = range === "fixed" && scale !== "rank";
  const isDimmed = treatment === "dim";
  if (isShared && !isDimmed) return 1;
  const largest = largestApart(weights, isDimmed ? sinks : NO_SINKS);
  if (largest === 0) return isShared ? top : 1;
  return isShared ? Math.max(top, scaleEnd(largest)) : largest;
}

/** A map as colour steps. @param {Float32Array} weights @param {Controls["scale"]} scale @param {number} top @param {boolean} isSigned */
export function scaledCodes(weights, scale, top, isSigned) {
  const parts = scale === "rank" ? rankParts(weights) : formulaParts(weights, scale, top);
  const codes = new Uint8Array(weights.length);
  for (let at = 0; at < weights.length; at += 1) {
    codes[at] = isSigned ? signedCode(parts[at], weights[at] < 0) : Math.round(255 * parts[at]);
  }
  return codes;
}

/** @param {Float32Array} weights @param {FormulaScale} scale @param {number} top */
function formulaParts(weights, scale, top) {
  const { curve } = FORMULAS[scale];
  const parts = new Float64Array(weights.length);
  for (let at = 0; at < weights.length; at += 1) parts[at] = curve(Math.min(1, Math.abs(weights[at]) / top));
  return parts;
}

/** Where each magnitude ranks among those that are not zero; zero itself has no rank and stays 0. @param {Float32Array} weights */
function rankParts(weights) {
  const magnitudes = new Float32Array(weights.length);
  for (let at = 0; at < weights.length; at += 1) magnitudes[at] = Math.abs(weights[at]);
  const order = ascending(magnitudes);
  const parts = new Float64Array(weights.length);
  let first = 0;
  while (first < order.length && magnitudes[order[first]] === 0) first += 1;
  const n = order.length - first;
  for (let from = first; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && magnitudes[order[to]] === magnitudes[order[from]]) to += 1;
    const part = rankPart(from - first, to - from, n);
    for (; from < to; from += 1) parts[order[from]] = part;
  }
  return parts;
}

const DIGIT_BITS = 11;

/**
 * The places of numbers from the smallest to the largest. A grid ranks millions of cells, and sorting by digits is
 * several times quicker than comparing: the bits of floats that are not negative rise with the floats.
 * @param {Float32Array} magnitudes
 */
function ascending(magnitudes) {
  const bits = new Uint32Array(magnitudes.buffer, magnitudes.byteOffset, magnitudes.length);
  let order = new Uint32Array(bits.length);
  let next = new Uint32Array(bits.length);
  for (let place = 0; place < bits.length; place += 1) order[place] = place;
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    const digit = (/** @type {number} */ place) => (bits[place] >>> shift) & (2 ** DIGIT_BITS - 1);
    const ends = new Uint32Array(2 ** DIGIT_BITS);
    for (let place = 0; place < bits.length; place += 1) ends[digit(place)] += 1;
    for (let value = 1; value < ends.length; value += 1) ends[value] += ends[value - 1];
    for (let at = order.length - 1; at >= 0; at -= 1) {
      const place = order[at];
      next[(ends[digit(place)] -= 1)] = place;
    }
    [order, next] = [next, order];
  }
  return order;
}

/** What is written along the colour bar. @param {Pick<Controls, "scale">} scaling @param {number} top @param {boolean} isSigned @returns {Tick[]} */
export function legendTicks({ scale }, top, isSigned) {
  if (scale === "rank") {
    const texts = isSigned ? ["most negative", "0", "most positive"] : ["lowest", "middle", "highest"];
    return texts.map((text, at) => ({ part: at / 2, text }));
  }
  const { curve, marked, marked_arm } = FORMULAS[scale];
  /** @param {number} share of the top @returns {Tick} placed where the rounded number is, not the exact one */
  const tick = (share) => {
    const text = shortNumber(share * top);
    return { part: share === 1 ? 1 : curve(Number(text) / top), text };
  };
  if (!isSigned) {
    const [lowest, ...others] = marked.map(tick);
    // The lowest colour of a scale that does not begin at zero is that of all smaller weights as well.
    return [marked[0] > 0 ? { part: 0, text: `≤${lowest.text}` } : lowest, ...others];
  }
  const arm = marked_arm.map(tick);
  return [
    ...arm.map(({ part, text }) => ({ part: 0.5 - part / 2, text: `−${text}` })).reverse(),
    { part: 0.5, text: "0" },
    ...arm.map(({ part, text }) => ({ part: 0.5 + part / 2, text: `+${text}` })),
  ];
}

/** @param {number} value two digits, three for what is near the top of a map: 0.25, 0.093, 0.371 */
function shortNumber(value) {
  const digits = value >= 0.1 ? 3 : 2;
  return Number(value.toPrecision(digits)).toString();
}

/** The scale of one map: that of tiles is another while they show one token or one link. @param {Controls["scale"]} scale @param {Pick<Sheet, "top" | "signed" | "causal">} sheet */
export function mapScaleWords(scale, { top, signed, causal }) {
  const masked = causal ? " Blank: later tokens, which are masked." : "";
  if (scale === "rank") return `Colours: rank within this map.${masked}`;
  const from = signed ? `−${shortNumber(top)}` : legendTicks({ scale }, top, false)[0].text;
  return `Colours: ${FORMULAS[scale].name}, ${from} to ${shortNumber(top)}.${masked}`;
}

/**
 * The legend in words, such as "attention weight, square-root scale, 0 to 0.68 (the largest apart from sinks)".
 * @param {Scaling} scaling
 * @param {boolean} isSigned
 * @param {object} [said]
 * @param {number | null} [said.top] of a shared scale; null: it is not said
 * @param {string} [said.end] what the shared scale ends at; without it the largest weight
 * @param {string} [said.within] among what ranks are
 * @param {string} [said.chosen] whose attention it is, such as "of “it”"; without it that of all tokens
 */
export function scaleWords({ scale, range, sinks }, isSigned, { top = null, end: ending = "", chosen = "", within = "this map" } = {}) {
  const what = `${isSigned ? "difference of attention" : "attention"} ${chosen || (isSigned ? "weights" : "weight")}`;
  if (scale === "rank") return `${what}, ranked within ${within}`;
  const apart = sinks === "dim" ? " apart from sinks" : "";
  const own = isSigned ? `up to this map's largest difference${apart}` : `0 to this map's largest weight${apart}`;
  const fixed = isSigned ? "fixed −1 to 1" : "fixed 0 to 1";
  const end = top === null ? `the largest${apart}` : `${shortNumber(top)} (${ending || `the largest${apart}`})`;
  const adapted = `${isSigned ? "up" : "0"} to ${end}`;
  return `${what}, ${FORMULAS[scale].name}, ${range !== "fixed" ? own : sinks === "dim" ? adapted : fixed}`;
}
