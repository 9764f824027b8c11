// Which rows and columns of a map there are, and which tokens are behind each: one, or a pooled block of them.

import { perObject } from "../page/memo.js";
import { headValues, weightOfCode } from "../requests/wire.js";

/** @typedef {{queries: Token[], keys: Token[], typed?: string[][]}} StackTokens the tokens that look and those looked at */
/**
 * @typedef {object} Shape
 * @property {number} rows
 * @property {number} cols
 * @property {number} query_block how many tokens a row covers
 * @property {number} key_block how many a column covers: cross-attention may pool one side only
 */

/** @type {WeakMap<Stack, StackTokens>} */
const tokensOfStacks = new WeakMap();

/**
 * The tokens that look and those looked at in a stack: the same lists for the same stack.
 * @param {Analysis} analysis
 * @param {Stack} stack
 */
export function stackTokens({ tokens, typed }, stack) {
  const within = (/** @type {[number, number]} */ [from, to]) =>
    from === 0 && to === tokens.length ? tokens : tokens.slice(from, to);
  const known = tokensOfStacks.get(stack) ?? { queries: within(stack.queries), keys: within(stack.keys), typed };
  tokensOfStacks.set(stack, known);
  return known;
}

const WEIGHTS = Float32Array.from({ length: 256 }, (_, code) => weightOfCode(code));

/** The weights behind square-root codes. @param {Uint8Array} codes */
export function decoded(codes) {
  const weights = new Float32Array(codes.length);
  for (let at = 0; at < codes.length; at += 1) weights[at] = WEIGHTS[codes[at]];
  return weights;
}

/**
 * A head of a frame as a source, exact or an overview.
 * @param {Frame} frame
 * @param {number} head counted over the whole layer
 * @param {StackTokens} tokens
 * @returns {Source}
 */
export function sourceOfFrame(frame, head, tokens) {
  const values = headValues(frame, head);
  const exact = values instanceof Float32Array;
  const block = Math.ceil(frame.n_queries / frame.rows);
  return { weights: exact ? values : decoded(values), exact, block, ...tokens, causal: frame.causal };
}

/** @param {Source} source @returns {Shape} */
export function shapeOf({ weights, block, queries, keys }) {
  const rows = Math.ceil(queries.length / block);
  const cols = rows === 0 ? 0 : weights.length / rows;
  const isAlike = cols === 0 || Math.ceil(keys.length / block) === cols;
  const key_block = isAlike ? block : Math.ceil(keys.length / cols);
  if (!Number.isInteger(cols) || (cols > 0 && Math.ceil(keys.length / key_block) !== cols)) {
    const tokens = `${queries.length} queries and ${keys.length} keys in blocks of ${block}`;
    throw new RangeError(`${weights.length} weights are no map of ${tokens}.`);
  }
  return { rows, cols, query_block: block, key_block };
}

/** The places of the tokens behind each line of an axis. @param {number} n_tokens @param {number} block @returns {number[][]} */
export function blocks(n_tokens, block) {
  return Array.from({ length: Math.ceil(n_tokens / block) }, (_, line) =>
    Array.from({ length: Math.min(block, n_tokens - line * block) }, (_, at) => line * block + at),
  );
}

/** The lines on which some places lie, each once. @param {number[]} places @param {number} block */
export function linesAt(places, block) {
  return [...new Set(places.map((place) => Math.floor(place / block)))];
}

/** The place of each token on its axis, by its running index. */
const placesOf = perObject((/** @type {Token[]} */ tokens) => new Map(tokens.map(({ index }, place) => [index, place])));

/** Where on an axis the tokens with some running indices are; others are left out. @param {Token[]} tokens @param {number[]} indices */
export function placesWithin(tokens, indices) {
  return indices.flatMap((index) => placesOf(tokens).get(index) ?? []);
}

/**
 * The source pooled to larger blocks by the maximum, as the server pools: an average would erase single links.
 * @param {Source} source of single tokens
 * @param {Shape} shape
 * @returns {Source}
 */
export function pooledTo(source, { rows, cols, query_block, key_block }) {
  const weights = new Float32Array(rows * cols);
  const n_keys = source.keys.length;
  for (let query = 0; query < source.queries.length; query += 1) {
    const row = Math.floor(query / query_block) * cols;
    for (let key = 0; key < n_keys; key += 1) {
      const at = row + Math.floor(key / key_block);
      weights[at] = Math.max(weights[at], source.weights[query * n_keys + key]);
    }
  }
  return { ...source, weights, exact: false, block: query_block };
}

/** The weight of a link in an overview, pooled where that is. @param {Frame} frame @param {number} head @param {number} query @param {number} key */
export function weightIn(frame, head, query, key) {
  const [row, col] = [Math.floor(query / Math.ceil(frame.n_queries / frame.rows)), Math.floor(key / Math.ceil(frame.n_keys / frame.cols))];
  const values = headValues(frame, head);
  const value = values[row * frame.cols + col];
  return values instanceof Uint8Array ? weightOfCode(value) : value;
}
