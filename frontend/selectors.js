// What can be computed from the state, computed here and nowhere else. Pure; it must not know the page.

import { headValues, weightOfCode } from "./wire.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Analysis} Analysis */
/** @typedef {import("./api.js").Model} Model */
/** @typedef {import("./api.js").Filter} Filter */
/** @typedef {import("./api.js").Example} Example */
/** @typedef {import("./api.js").Token} Token */
/** @typedef {import("./permalink.js").Focus} Focus */
/** @typedef {import("./permalink.js").View} View */
/** @typedef {import("./socket.js").Question} Question */

/**
 * The chosen model as the server describes it; null while unknown.
 * @param {State} state
 * @returns {Model | null}
 */
export function chosenModel(state) {
  return state.models.find((model) => model.id === state.model) ?? null;
}

/**
 * The example whose very words are in the boxes.
 * @param {State} state
 * @returns {Example | null}
 */
export function chosenExample({ config, text, text_pair }) {
  return config?.examples.find((example) => example.text === text && example.text_pair === text_pair) ?? null;
}

/**
 * What the server is to be asked, null while there is nothing to ask. A second sentence goes along only
 * for a model that takes one and when it holds more than blanks.
 * @param {State} state
 * @returns {Question | null}
 */
export function question(state) {
  if (state.model === null || state.text === null || state.text.trim() === "") return null;
  const pair = chosenModel(state)?.pairs ? state.text_pair : null;
  if (pair === null || pair.trim() === "") return { model: state.model, text: state.text };
  return { model: state.model, text: state.text, text_pair: pair };
}

/**
 * @param {Question | null} asked
 */
export function questionKey(asked) {
  return JSON.stringify(asked && [asked.model, asked.text, asked.text_pair ?? null]);
}

/**
 * Whether the maps on screen answer an older question than the one in the boxes.
 * @param {State} state
 */
export function isStale(state) {
  return state.analysis !== null && state.analysis.question !== questionKey(question(state));
}

/**
 * The focus all panels show: the locked one, else the hovered one.
 * @param {State} state
 * @returns {Focus | null}
 */
export function shownFocus(state) {
  return state.lock ?? state.hover;
}

/**
 * Whether the analysis on screen is of two sentences.
 * @param {State} state
 */
export function hasPair(state) {
  return state.analysis !== null && state.analysis.tokens.some((token) => token.segment === 1);
}

/**
 * The filter in force; without a pair nothing is filtered.
 * @param {State} state
 * @returns {Filter | null} null: everything is shown
 */
export function activeFilter(state) {
  if (!hasPair(state) || state.filter === "all") return null;
  return state.config?.filters.find((filter) => filter.id === state.filter) ?? null;
}

/**
 * @param {Filter | null} filter
 * @param {Token[]} tokens
 * @returns {(query: number, key: number) => boolean}
 */
export function allowedBy(filter, tokens) {
  if (filter === null) return () => true;
  return (query, key) =>
    isIn(tokens[query].segment, filter.query_segment) && isIn(tokens[key].segment, filter.key_segment);
}

/**
 * @param {number} segment
 * @param {number | null | undefined} wanted
 */
export function isIn(segment, wanted) {
  return wanted === null || wanted === undefined || segment === wanted;
}

/**
 * @typedef {object} HeadMap what is known of one head's pattern
 * @property {Uint8Array} codes rows x cols
 * @property {number} rows
 * @property {number} cols
 * @property {number} block how many tokens one row or column stands for
 * @property {Float32Array | null} weights the exact weights, queries x keys
 * @property {number} n_queries
 * @property {number} n_keys
 */

/**
 * The best there is of a head: exact values, else the overview, else null.
 * @param {Analysis} analysis
 * @param {number} layer
 * @param {number} head
 * @returns {HeadMap | null}
 */
export function headMap(analysis, layer, head) {
  const n = analysis.n_tokens;
  const exact = analysis.exact.get(`${layer}.${head}`);
  if (exact) {
    return { codes: exact.codes, rows: n, cols: n, block: 1, weights: exact.weights, n_queries: n, n_keys: n };
  }
  const frame = analysis.layers.get(layer);
  if (!frame || !(frame.values instanceof Uint8Array)) return null;
  const codes = /** @type {Uint8Array} */ (headValues(frame, head));
  const { rows, cols, n_queries, n_keys } = frame;
  return { codes, rows, cols, block: Math.ceil(n_queries / rows), weights: null, n_queries, n_keys };
}

/**
 * The weight from a query to a key: exact when it is known, else what the overview says.
 * @param {HeadMap} map
 * @param {number} query
 * @param {number} key
 */
export function weightAt(map, query, key) {
  if (map.weights) return map.weights[query * map.n_keys + key];
  return weightOfCode(map.codes[Math.floor(query / map.block) * map.cols + Math.floor(key / map.block)]);
}

/**
 * The part of the state that a link carries.
 * @param {State} state
 * @returns {View}
 */
export function viewOf(state) {
  const { model, text, text_pair, pins, filter, lock } = state;
  return { model, text, text_pair, pins, filter, lock };
}
