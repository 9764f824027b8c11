// Attention sinks: which columns of a map belong to them, and how large weights are apart from them.

import { hiddenBy } from "./axis.js";

/** Whether a token is a sink: a special token, or the first one of all keys. */
export const isSink = hiddenBy("both");

/**
 * Which columns hold a sink, one flag each. A block of pooled tokens or a word that holds one counts as well: its weight is
 * mostly the sink's.
 * @param {Token[]} keys
 * @param {number[][]} columns the places of the tokens behind each
 */
export function sinkColumns(keys, columns) {
  return Uint8Array.from(columns, (places) => Number(places.some((place) => isSink(keys[place], place))));
}

/** Where every column counts. */
export const NO_SINKS = new Uint8Array(1);

/** The largest weight, by its size, outside of the sinks' columns. @param {ArrayLike<number>} weights @param {Uint8Array} sinks */
export function largestApart(weights, sinks) {
  const n = sinks.length;
  let largest = 0;
  for (let at = 0; at < weights.length; at += 1) {
    const size = Math.abs(weights[at]);
    if (size > largest && sinks[at % n] === 0) largest = size;
  }
  return largest;
}

/** The end of a scale up to a weight: hundredths, so that a legend can write it. @param {number} largest @returns {number} 1 where there is no weight */
export function scaleEnd(largest) {
  return largest > 0 ? Math.min(1, Math.ceil(100 * largest - 1e-3) / 100) : 1;
}
