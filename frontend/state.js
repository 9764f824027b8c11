// The one state object of the page: its shape and how it begins. It must not know what changes it.

import { emptyView } from "./permalink.js";
import { questionKey } from "./selectors.js";

/** @typedef {import("./api.js").Model} Model */
/** @typedef {import("./api.js").Config} Config */
/** @typedef {import("./api.js").Token} Token */
/** @typedef {import("./api.js").Problem} Problem */
/** @typedef {import("./permalink.js").View} View */
/** @typedef {import("./permalink.js").Focus} Focus */
/** @typedef {import("./wire.js").Frame} Frame */
/** @typedef {{layer: number, head: number}} Cell */
/** @typedef {{weights: Float32Array, codes: Uint8Array}} Exact */
/**
 * @typedef {object} Analysis one answer of the server
 * @property {string} id
 * @property {string} question the key of the question it answers
 * @property {string} model
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {Token[]} tokens
 * @property {number} n_tokens
 * @property {Map<number, Frame>} layers the overview, layer by layer
 * @property {Map<string, Exact>} exact by "layer.head"
 */
/**
 * @typedef {object} Run where the current question stands
 * @property {"idle" | "pending" | "streaming" | "done" | "failed"} phase
 * @property {{message: string, done: number, total: number} | null} progress
 * @property {Problem | null} problem
 * @property {Record<string, number> | null} timing
 * @property {number} layers how many layers have arrived
 */
/**
 * @typedef {object} Surface
 * @property {Model[]} models
 * @property {Config | null} config
 * @property {"connecting" | "open" | "lost"} connection
 * @property {boolean} typing whether the last change of the question came from typing
 * @property {string} asked the key of the question last put to the server
 * @property {Focus | null} hover
 * @property {Cell | null} cursor the grid cell the pointer or the arrow keys are on
 * @property {Run} run
 * @property {Analysis | null} analysis
 * @property {number} exact grows when exact values arrive
 * @property {Map<string, string>} refused why the exact values of a head could not be had
 */
/** @typedef {View & Surface} State */

/** Where every question begins. @type {Run} */
export const IDLE = { phase: "idle", progress: null, problem: null, timing: null, layers: 0 };

/** @returns {State} */
export function initialState() {
  return {
    ...emptyView(),
    models: [],
    config: null,
    connection: "connecting",
    typing: false,
    asked: questionKey(null),
    hover: null,
    cursor: null,
    run: IDLE,
    analysis: null,
    exact: 0,
    refused: new Map(),
  };
}
