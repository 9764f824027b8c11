// The one state object of the page: its shape and how it begins. It must not know what changes it.

import { emptyView } from "./permalink.js";
import { questionKey } from "./selectors.js";

/** @typedef {import("./api.js").Model} Model */
/** @typedef {import("./api.js").Config} Config */
/** @typedef {import("./api.js").Token} Token */
/** @typedef {import("./api.js").Problem} Problem */
/** @typedef {import("./permalink.js").View} View */
/** @typedef {import("./permalink.js").Focus} Focus */
/** @typedef {import("./permalink.js").Ask} Ask */
/** @typedef {import("./api.js").MetricsCatalogue} MetricsCatalogue */
/** @typedef {import("./api.js").Atlas} Atlas */
/** @typedef {import("./api.js").Edges} Edges */
/** @typedef {import("./api.js").Figure} Figure */
/** @typedef {import("./api.js").Opportunity} Opportunity */
/** @typedef {import("./api.js").SentenceLabel} SentenceLabel */
/** @typedef {import("./wire.js").Frame} Frame */
/** @typedef {{layer: number, head: number}} Cell */
/** @typedef {{weights: Float32Array, codes: Uint8Array}} Exact */
/** @typedef {Record<string, (number | string | null)[]>} Values per metric one value a head, null where undefined */
/** @typedef {{raw: Values, weighted: Values | null, labels: SentenceLabel[][]}} Measures of one layer on this sentence */
/** @typedef {{model: string, record: Atlas | null, problem: Problem | null}} KnownAtlas a record or why there is none */
/** @typedef {{ask: Ask, answer: Edges | null, problem: Problem | null}} KnownEdges of what was asked then */
/** @typedef {{asked: string, answer: Figure | null, problem: Problem | null}} KnownFigure */
/** @typedef {{by: string, falling: boolean}} TableOrder */
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
 * @property {Map<number, Measures>} measures what each head does on this sentence, layer by layer
 * @property {Record<string, Opportunity>} opportunities how often this sentence gives a metric something to count
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
 * @property {MetricsCatalogue | null} metrics_catalogue
 * @property {KnownAtlas | null} atlas what is known of the chosen model's heads from a corpus; null while unknown
 * @property {number} measured grows when measures arrive
 * @property {KnownEdges | null} edges the answer to what is asked of a link between tokens; null while unknown
 * @property {KnownFigure | null} figure the chart of the heads tab; null while unknown
 * @property {TableOrder} table
 */
/** @typedef {View & Surface} State */
/** @typedef {{readonly state: State, update: (patch: Partial<State>) => void}} Holder what actions are made with */

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
    metrics_catalogue: null,
    atlas: null,
    measured: 0,
    edges: null,
    figure: null,
    table: { by: "head", falling: false },
  };
}
