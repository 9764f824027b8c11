// The REST side of the server: descriptions and exact values. It must not know state or the page.

import { FrameError, PATTERN, decodeFrame } from "./wire.js";

export const BASE = "/api/v1";
const FRAME_TYPE = "application/vnd.headscope.frame";

/**
 * @typedef {object} Model
 * @property {string} id
 * @property {string} name
 * @property {string | null} family
 * @property {string | null} kind
 * @property {number | null} n_layers
 * @property {number | null} n_heads
 * @property {number | null} n_kv_heads
 * @property {number | null} d_model
 * @property {number | null} d_head
 * @property {number | null} max_tokens
 * @property {string} licence
 * @property {string} source
 * @property {boolean} available
 * @property {boolean} loaded
 * @property {string | null} reason why it is not available, or what happens on first use
 * @property {string} about
 * @property {boolean} pairs whether it takes a second sentence
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
 */
/** @typedef {{title: string, text: string, text_pair: string | null, hint: string}} Example */
/** @typedef {{id: string, label: string, query_segment?: number | null, key_segment?: number | null}} Filter */
/**
 * @typedef {object} Config
 * @property {string} default_model
 * @property {Example[]} examples
 * @property {{max_tokens: number, max_characters: number}} limits
 * @property {Filter[]} filters
 */
/** @typedef {{code: string, message: string, details: unknown}} Problem the one error shape */

/** The server answered with an error. */
export class ServerError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function request(path, options) {
  const response = await fetch(`${BASE}${path}`, options);
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  const message = `The server answered ${response.status} ${response.statusText}.`;
  throw new ServerError(body?.error ?? { code: "internal", message, details: null });
}

/** @returns {Promise<Model[]>} */
export async function fetchModels() {
  return (await request("/models")).json();
}

/** @returns {Promise<Config>} */
export async function fetchConfig() {
  return (await request("/config")).json();
}

/**
 * The exact weights of one head, queries x keys.
 * @param {string} id of the analysis
 * @param {number} layer
 * @param {number} head
 * @param {AbortSignal} signal
 * @returns {Promise<Float32Array>}
 */
export async function fetchHead(id, layer, head, signal) {
  const path = `/analyses/${encodeURIComponent(id)}/heads/${layer}/${head}`;
  const response = await request(path, { headers: { Accept: FRAME_TYPE }, signal });
  const frame = decodeFrame(await response.arrayBuffer());
  if (frame.kind !== PATTERN || !(frame.values instanceof Float32Array)) {
    throw new FrameError("Exact values were asked for, an overview came.");
  }
  return frame.values;
}
