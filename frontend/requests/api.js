// The REST side of the server: descriptions and exact values.

import { ServerError } from "./answer_questions.js";
import { SAFETENSORS, readSafetensors } from "./safetensors.js";
import { BASE, FRAME_TYPE, FrameError, PATTERN, ROWS, decodeFrame, rowsOfFrame } from "./wire.js";

/**
 * @typedef {object} Model
 * @property {string} id
 * @property {string} name
 * @property {string | null} kind
 * @property {number | null} n_layers
 * @property {number | null} n_heads
 * @property {number | null} n_kv_heads
 * @property {number | null} d_model
 * @property {number | null} [d_head]
 * @property {number | null} max_tokens
 * @property {string} licence
 * @property {"ready" | "not installed" | "broken"} state
 * @property {boolean} available
 * @property {boolean} loaded
 * @property {string | null} reason why it is not available, or what happens on first use
 * @property {string} about
 * @property {boolean} pairs whether it takes a second sentence
 * @property {boolean} chat_template whether a text can be wrapped in its chat template
 * @property {string[]} examples texts for a model that knows only the words of its training; others read any text
 * @property {string | null} no_atlas how to build the atlas it has not; null: there is one
 */
/**
 * @typedef {object} Token
 * @property {number} index
 * @property {number} id
 * @property {string} text
 * @property {string} piece
 * @property {"special" | "punctuation" | "word_start" | "continuation"} kind
 * @property {number | null} word
 * @property {number | null} start
 * @property {number | null} end
 * @property {number} segment
 * @property {boolean} [unknown] whether the vocabulary lacks its characters: the model sees only its piece, such as [UNK]
 */
/** @typedef {{title: string, text: string, text_pair: string | null, hint: string, against: string | null,
 *   model: string | null, tab: string | null}} Example model and tab: what it is for, null: any */
/** @typedef {{id: string, label: string, query_segment?: number | null, key_segment?: number | null}} Filter */
/**
 * @typedef {object} Config
 * @property {string} version of HeadScope
 * @property {string} default_model
 * @property {Example[]} examples
 * @property {{max_tokens: number, max_characters: number, max_corpus_characters: number, max_snapshot_cells: number}} limits
 * @property {{texts: string[], from_word: string, to_word: string}} corpus_example texts and a link worth trying
 * @property {Filter[]} filters
 * @property {{text: string, source: string}[]} limits_of_attention what a map of attention does not show
 */
/**
 * @typedef {object} Metric
 * @property {string} name
 * @property {string} label
 * @property {string} unit
 * @property {[number | null, number | null]} range null: no bound
 * @property {string} meaning
 * @property {"number" | "class"} kind
 * @property {{label: string, replaces: string | null} | null} called replaces: the metric whose label says the same less strictly
 */
/** @typedef {{metrics: Metric[], shapes: string[]}} MetricsCatalogue */
/**
 * @typedef {object} Opportunity what a text lets a metric show
 * @property {number} n cases
 * @property {number | null} baseline
 * @property {number | null} least_n cases without which no head gets its label; null: it has none
 * @property {boolean} too_short whether the text has too few tokens for that many cases
 */
/** @typedef {{label: string, metric: string, value: number, n: number}} SentenceLabel */
/** @typedef {{stack?: string, layer: number, head: number, weight: number, by_position: number | null, by_others: number | null, weighted: number | null}} Edge */
/** @typedef {{queries: number[], keys: number[], uniform: number, elsewhere: number, others: number, heads: Edge[]}} Edges best head first */
/**
 * @typedef {Question & {stack?: string, combine: "head" | "mean" | "max" | "rollout", up_to?: number,
 *   cells?: {layer: number, head: number | null}[], values?: "raw" | "weighted"}} MapQuestion one map
 */
/** @typedef {{one: number[], other: number[], text: string, other_text: string, same: boolean}} Unit tokens aligned with each other */
/**
 * @typedef {object} ComparedHead a head of one side, and the one of the other side it is compared with
 * @property {number} layer
 * @property {number} head
 * @property {number} other_layer
 * @property {number} other_head
 * @property {number} change the share of its attention that moved, 0 to 1
 * @property {number} similarity how much of it they have in common, 0 to 1
 * @property {number} share_one how much of its attention could be compared
 * @property {number} share_other
 * @property {number | null} typical its mean similarity to all heads of another model
 * @property {ChangedLink[]} links those whose weights differ most, the largest difference first
 */
/**
 * @typedef {object} ChangedLink a link between aligned tokens; weights are summed over keys, mean over queries
 * @property {number[]} query tokens of one
 * @property {number[]} key
 * @property {number[]} other_query tokens of other
 * @property {number[]} other_key
 * @property {string} query_text
 * @property {string} key_text
 * @property {string} other_query_text
 * @property {string} other_key_text
 * @property {number} one weight
 * @property {number} other
 */
/** @typedef {{units: Unit[], same_model: boolean, heads: ComparedHead[]}} Comparison sorted by change, or by similarity */
/** @typedef {{data: object[], layout: Record<string, unknown>}} Figure as Plotly reads it */
/** @typedef {{weights: Float32Array, exact: boolean}} ExactWeights of one map; a snapshot has some of them less exact */
/** @typedef {{code: string, message: string, details: unknown}} Problem the one error shape */

/** @param {string} path @param {RequestInit} [options] */
export async function request(path, options) {
  const response = await fetch(`${BASE}${path}`, options);
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  const message = `The server answered ${response.status} ${response.statusText}.`;
  throw new ServerError(body?.error ?? { code: "internal", message, details: null });
}

/** @param {string} path @returns {Promise<any>} */
export async function fetchJson(path) {
  return (await request(path)).json();
}

/** @param {string} path @param {object} body @param {AbortSignal} [signal] @param {Record<string, string>} [headers] */
export function post(path, body, signal, headers = {}) {
  const sent = { "Content-Type": "application/json", ...headers };
  return request(path, { method: "POST", headers: sent, body: JSON.stringify(body), signal });
}

/** Ask the server the question of a resource. @type {import("./answer_questions.js").Send} */
export async function sendQuestion({ path, method, body, accept }, question, signal) {
  const [to, headers] = [path(question), { Accept: accept }];
  const response = await (method === "GET" ? request(to, { headers, signal }) : post(to, body(question), signal, headers));
  if (accept === SAFETENSORS) return readSafetensors(await response.arrayBuffer());
  return accept === FRAME_TYPE ? exactValues(decodeFrame(await response.arrayBuffer())) : response.json();
}

/** What an exact frame holds: one map, queries x keys, or one row of every head. @param {Frame} frame */
function exactValues(frame) {
  return frame.kind === ROWS ? rowsOfFrame(frame) : exactWeights(frame);
}

/** @param {Frame} frame @returns {ExactWeights} */
function exactWeights(frame) {
  if (frame.kind !== PATTERN || !(frame.values instanceof Float32Array)) {
    throw new FrameError("Exact values were asked for, an overview came.");
  }
  return { weights: frame.values, exact: true };
}
