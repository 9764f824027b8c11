// The one state object of the page: its shape and how it begins.

import { NO_BUILD } from "../actions/build.js";
import { NO_CORPUS } from "../actions/corpus.js";
import { questionKey } from "./selectors.js";
import { emptyView } from "./view.js";

/** @typedef {import("../requests/api.js").Atlas} Atlas */
/** @typedef {import("../requests/api.js").Figure} Figure */
/** @typedef {import("../requests/api.js").SentenceLabel} SentenceLabel */
/** @typedef {{layer: number, head: number}} Cell */
/** @typedef {Record<string, (number | string | null)[]>} Values per metric one value a head, null where undefined */
/**
 * @typedef {object} Measures of one layer on this sentence
 * @property {Values} raw
 * @property {Values | null} weighted of value-weighted maps; null unless these were asked for
 * @property {SentenceLabel[][]} labels of each head, from its raw map
 */
/** @typedef {{model: string, record: Atlas | null, problem: Problem | null}} KnownAtlas a record or why there is none */
/** @typedef {{ask: Ask, answer: Edges | null, problem: Problem | null}} KnownEdges of what was asked then */
/** @typedef {{asked: string, answer: Figure | null, problem: Problem | null}} KnownFigure */
/** @typedef {{asked: string, answer: Comparison | null, problem: Problem | null}} KnownComparison */
/** @typedef {import("../actions/generation.js").KnownNext} KnownNext */
/** @typedef {import("../actions/generation.js").KnownQueryKey} KnownQueryKey */
/** @typedef {import("../actions/generation.js").Writing} Writing */
/**
 * @typedef {object} Stack one attention of a model, and what has come of it: most models have one of them
 * @property {"encoder" | "decoder" | "cross"} stack
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {[number, number]} queries which tokens look, from and up to
 * @property {[number, number]} keys which are looked at
 * @property {boolean} causal
 * @property {Map<number, Frame>} layers the overview, layer by layer
 * @property {Map<number, Measures>} measures what each head does on this sentence, layer by layer
 * @property {Record<string, Opportunity> | null} opportunities how often this sentence gives a metric something to
 *   count; null: heads of cross-attention are not measured
 */
/**
 * @typedef {object} Answer one answer of the server
 * @property {string} id
 * @property {string} question the key of the question it answers
 * @property {string} model
 * @property {string} revision which weights, exactly
 * @property {string} device
 * @property {string} dtype
 * @property {"raw" | "weighted"} values whose overview it is
 * @property {boolean} value_weights whether its maps and metrics can be value-weighted
 * @property {Token[]} tokens
 * @property {string[][]} typed the characters of each sentence: places of tokens count them, not their halves
 * @property {number} n_tokens
 * @property {Stack[]} stacks
 * @property {Map<string, Source>} exact by what is shown, see sources.js
 */
/** @typedef {Answer & Pick<Stack, "n_layers" | "n_heads" | "layers" | "measures" | "opportunities">} Analysis seen at one of its stacks */
/**
 * @typedef {object} Run where the current question stands
 * @property {"idle" | "pending" | "streaming" | "done" | "failed"} phase
 * @property {{message: string, done: number, total: number} | null} progress
 * @property {Problem | null} problem
 * @property {Record<string, number> | null} timing
 * @property {number} layers how many layers have arrived
 */
/**
 * @typedef {object} Standing how the question of one side stands
 * @property {string} asked the key of the question last put to the server
 * @property {Run} run
 * @property {Analysis | null} analysis
 * @property {number} exact grows when exact values arrive
 * @property {Map<string, string>} refused why exact values could not be had, by what is shown
 * @property {KnownAtlas | null} atlas what is known of the chosen model's heads from a corpus; null while unknown
 * @property {number} measured grows when measures arrive
 */
/**
 * @typedef {object} Surface
 * @property {Model[]} models
 * @property {Config | null} config
 * @property {"connecting" | "open" | "lost"} connection
 * @property {boolean} typing whether the last change of the question came from typing
 * @property {Focus | null} hover
 * @property {HeadPlace | null} cursor the grid cell the pointer or the arrow keys are on
 * @property {Standing} other side b
 * @property {import("./view.js").Side} seen_from whose standing this is, see side.js
 * @property {KnownComparison | null} comparison of both sides; null while unknown
 * @property {MetricsCatalogue | null} metrics_catalogue
 * @property {KnownEdges | null} edges the answer to what is asked of a link between tokens; null while unknown
 * @property {KnownFigure | null} figure the chart of the heads tab; null while unknown
 * @property {KnownQueryKey | null} query_key the steps behind one weight; null while unknown
 * @property {KnownNext | null} next what may come after the text; null while unknown
 * @property {Writing | null} writing what the model is writing, or wrote last; null: nothing of this text
 * @property {Map<string, import("../generate/branches.js").Branch[]>} branches how texts were gone on with, see branches.js
 * @property {import("../actions/corpus.js").CorpusWork} corpus what is typed in the Corpus tab, and its answer
 * @property {import("../actions/build.js").BuildWork} build how a model's heads are measured on a corpus
 * @property {import("../storage/notes.js").Notes | null} notes on single heads; null where nobody can write any
 */
/** @typedef {View & Standing & Surface} State */
/** @typedef {{readonly state: State, update: (patch: Partial<State>) => void}} Holder what actions are made with */

/** Where every question begins. @type {Run} */
export const IDLE = { phase: "idle", progress: null, problem: null, timing: null, layers: 0 };

/** @returns {Standing} */
export function initialStanding() {
  return {
    asked: questionKey(null),
    run: IDLE,
    analysis: null,
    exact: 0,
    refused: new Map(),
    atlas: null,
    measured: 0,
  };
}

/** @returns {State} */
export function initialState() {
  return {
    ...emptyView(),
    ...initialStanding(),
    models: [],
    config: null,
    connection: "connecting",
    typing: false,
    hover: null,
    cursor: null,
    other: initialStanding(),
    seen_from: "a",
    comparison: null,
    metrics_catalogue: null,
    edges: null,
    figure: null,
    query_key: null,
    next: null,
    writing: null,
    branches: new Map(),
    corpus: NO_CORPUS,
    build: NO_BUILD,
    notes: null,
  };
}
