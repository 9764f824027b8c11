// What a person has chosen, all of it and nothing else: a link carries it, undo goes back to it, history keeps it.

/**
 * @typedef {object} Choice what is asked and how the answer is looked at
 * @property {string | null} model null: the server's default
 * @property {string | null} text null: the first example; "" is an empty sentence
 * @property {string | null} text_pair null: no second text; "" is an empty one
 * @property {number[]} continuation ids of tokens after the text, written by the model
 * @property {Sampling} sampling how the model writes on
 * @property {Against | null} against what it is compared with
 * @property {GridSide} grid_side whose maps the grid shows
 * @property {Pin[]} pins
 * @property {HeadPlace | null} detail the head whose query-key detail is open
 * @property {string} filter
 * @property {Focus | null} lock
 * @property {Values} values
 * @property {number} mass how many percent of each row's weight the lines show, 0 to 100
 * @property {Layout} layout of lines
 * @property {string} color_by "map", "role", "change" or the name of a metric
 * @property {Sort} sort
 * @property {string} show "all", "above", "group:…", "role:…" or "spec:…"
 * @property {Tab} tab
 * @property {Ask} ask
 * @property {Chart} chart
 * @property {TableOrder} table how the table of heads is sorted
 */
/** @typedef {Choice & Treatment} View */
/** @typedef {"a" | "b"} Side */
/** @typedef {Side | "difference"} GridSide */
/** @typedef {{model: string | null, text: string | null, text_pair: string | null}} Against null: as on side a */
/** @typedef {{side: Side, queries: number[], keys: number[]}} Focus tokens; an empty list: none of that kind */
/** @typedef {"raw" | "weighted" | "both"} Values */
/** @typedef {"vertical" | "horizontal"} Layout */
/** @typedef {"model" | "value"} Sort */
/** @typedef {"pinned" | "compare" | "ask" | "heads" | "corpus" | "generate"} Tab */
/** @typedef {{queries: number[], keys: number[], side: "queries" | "keys"}} Ask tokens; `side` gets the next one */
/** @typedef {{kind: ChartKind, x: string, y: string, color: string, source: "sentence" | "corpus"}} Chart */
/** @typedef {"scatter" | "map" | "layers"} ChartKind */
/** @typedef {{by: string, falling: boolean}} TableOrder by "head", "roles" or a column */
/**
 * @typedef {object} Sampling
 * @property {number} temperature 0: the most probable token each time
 * @property {number | null} top_k drawn from so many most probable tokens; null: from all
 * @property {number} seed
 * @property {number} n how many tokens are written at once
 */

/** Nothing asked of a link yet. @type {Ask} */
export const NOTHING_ASKED = { queries: [], keys: [], side: "queries" };
/** @type {Chart} */
export const FIRST_CHART = { kind: "scatter", x: "distance", y: "entropy", color: "layer", source: "sentence" };

/** The order of the model. @type {TableOrder} */
export const FIRST_ORDER = { by: "head", falling: false };

/** @type {Sampling} */
export const GREEDY = { temperature: 0, top_k: null, seed: 0, n: 20 };

/** What the server takes at most: a test holds these against its own numbers. A link is read before it has said any. */
export const MOST = { temperature: 10, n: 200, seed: Number.MAX_SAFE_INTEGER };

/** @returns {View} */
export function emptyView() {
  return {
    model: null,
    text: null,
    text_pair: null,
    continuation: [],
    sampling: GREEDY,
    against: null,
    grid_side: "a",
    pins: [],
    detail: null,
    filter: "all",
    lock: null,
    values: "raw",
    scale: "sqrt",
    range: "fixed",
    hide: "none",
    renormalise: false,
    words: false,
    mass: 50,
    layout: "vertical",
    color_by: "map",
    sort: "model",
    show: "all",
    tab: "pinned",
    ask: NOTHING_ASKED,
    chart: FIRST_CHART,
    table: FIRST_ORDER,
  };
}

const VIEW_KEYS = /** @type {(keyof View)[]} */ (Object.keys(emptyView()));

/**
 * The part of a larger object that is a view.
 * @param {View} whole
 * @returns {View}
 */
export function viewOf(whole) {
  return /** @type {View} */ (Object.fromEntries(VIEW_KEYS.map((key) => [key, whole[key]])));
}
