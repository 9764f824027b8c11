// The view as a URL fragment and back: `#model=…&text=…&pins=0.3h,2.5l&focus=4.2&filter=ab&color=entropy&tab=heads`.
// Reading never fails: what it cannot understand it leaves out. It must not know the page.

/**
 * @typedef {object} View what a link carries
 * @property {string | null} model null: the server's default
 * @property {string | null} text null: the first example; "" is an empty sentence
 * @property {string | null} text_pair null: no second sentence; "" is an empty one
 * @property {Pin[]} pins
 * @property {string} filter
 * @property {Focus | null} lock
 * @property {string} color_by "map", "role" or the name of a metric
 * @property {boolean} weighted whether metrics are those of value-weighted attention
 * @property {Sort} sort
 * @property {string} show "all", "above", "group:…", "role:…" or "spec:…"
 * @property {Tab} tab
 * @property {Ask} ask
 * @property {Chart} chart
 */
/** @typedef {{layer: number, head: number, mode: Mode}} Pin */
/** @typedef {"heatmap" | "lines"} Mode */
/** @typedef {{query: number | null, key: number | null}} Focus */
/** @typedef {"model" | "value"} Sort */
/** @typedef {"pinned" | "ask" | "heads"} Tab */
/** @typedef {{queries: number[], keys: number[], side: "queries" | "keys"}} Ask tokens; `side` gets the next one */
/** @typedef {{kind: ChartKind, x: string, y: string, color: string, source: "sentence" | "corpus"}} Chart */
/** @typedef {"scatter" | "map" | "layers"} ChartKind */

/** @type {Record<Mode, string>} */
const LETTERS = { heatmap: "h", lines: "l" };

/** Longer texts are left out: browsers and chat programs cut long addresses, and a cut text is another text. */
export const LONGEST_LINKED = 20_000;

/**
 * Whether a link can carry the texts of a view.
 * @param {View} view
 */
export function isLinkable({ text, text_pair }) {
  return (text?.length ?? 0) + (text_pair?.length ?? 0) <= LONGEST_LINKED;
}

/** Nothing asked of a link yet. @type {Ask} */
export const NOTHING_ASKED = { queries: [], keys: [], side: "queries" };
/** @type {Chart} */
const FIRST_CHART = { kind: "scatter", x: "distance", y: "entropy", color: "layer", source: "sentence" };

/** @returns {View} */
export function emptyView() {
  return {
    model: null,
    text: null,
    text_pair: null,
    pins: [],
    filter: "all",
    lock: null,
    color_by: "map",
    weighted: false,
    sort: "model",
    show: "all",
    tab: "pinned",
    ask: NOTHING_ASKED,
    chart: FIRST_CHART,
  };
}

/**
 * Half a surrogate pair cannot be written in a URL or in UTF-8.
 * @param {string} text
 */
export function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/**
 * @param {View} view without texts too long for a link, and then without the focus on their tokens
 * @returns {string} a fragment without its "#"
 */
export function writeLink(view) {
  if (!isLinkable(view)) return writeLink({ ...view, text: null, text_pair: null, lock: null, ask: NOTHING_ASKED });
  /** @type {[string, string][]} */
  const parts = [];
  if (view.model !== null) parts.push(["model", view.model]);
  if (view.text !== null) parts.push(["text", view.text]);
  if (view.text_pair !== null) parts.push(["text_pair", view.text_pair]);
  if (view.pins.length > 0) {
    parts.push(["pins", view.pins.map((pin) => `${pin.layer}.${pin.head}${LETTERS[pin.mode]}`).join(",")]);
  }
  if (view.lock !== null) parts.push(["focus", `${view.lock.query ?? ""}.${view.lock.key ?? ""}`]);
  if (view.filter !== "all") parts.push(["filter", view.filter]);
  if (view.color_by !== "map") parts.push(["color", view.color_by]);
  if (view.weighted) parts.push(["weighted", "true"]);
  if (view.sort !== "model") parts.push(["sort", view.sort]);
  if (view.show !== "all") parts.push(["show", view.show]);
  if (view.tab !== "pinned") parts.push(["tab", view.tab]);
  const asked = `${view.ask.queries.join(",")}/${view.ask.keys.join(",")}`;
  if (asked !== "/") parts.push(["ask", asked]);
  const chart = writeChart(view.chart);
  if (chart !== writeChart(FIRST_CHART)) parts.push(["chart", chart]);
  return parts.map(([name, value]) => `${name}=${escaped(wellFormed(value))}`).join("&");
}

/** @param {string} value what a fragment may hold as it is stays readable */
function escaped(value) {
  return encodeURIComponent(value).replaceAll("%2C", ",").replaceAll("%2F", "/").replaceAll("%3A", ":");
}

/** @param {Chart} chart */
function writeChart({ kind, x, y, color, source }) {
  return [kind, x, y, color, source].join(",");
}

/**
 * @param {string} fragment with or without its "#"
 * @returns {View}
 */
export function readLink(fragment) {
  const view = emptyView();
  for (const part of fragment.replace(/^#/, "").split("&")) {
    const [name, ...rest] = part.split("=");
    const value = rest.length > 0 ? decoded(rest.join("=")) : null;
    if (value === null) continue;
    if (name === "model" || name === "text" || name === "text_pair") view[name] = value;
    else if (name === "filter" && value !== "") view.filter = value;
    else if (name === "pins") view.pins = readPins(value);
    else if (name === "focus") view.lock = readFocus(value);
    else if (name === "color" && value !== "") view.color_by = value;
    else if (name === "weighted") view.weighted = value === "true";
    else if (name === "sort") view.sort = value === "value" ? "value" : "model";
    else if (name === "show" && value !== "") view.show = value;
    else if (name === "tab") view.tab = value === "ask" || value === "heads" ? value : "pinned";
    else if (name === "ask") view.ask = readAsk(value);
    else if (name === "chart") view.chart = readChart(value);
  }
  return view;
}

/**
 * @param {string} value
 * @returns {string | null}
 */
function decoded(value) {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/**
 * @param {string} value
 * @returns {Pin[]}
 */
function readPins(value) {
  /** @type {Map<string, Pin>} */
  const pins = new Map();
  for (const word of value.split(",")) {
    const match = /^(\d{1,4})\.(\d{1,4})([hl])$/.exec(word);
    if (!match) continue;
    const [layer, head] = [Number(match[1]), Number(match[2])];
    pins.set(`${layer}.${head}`, { layer, head, mode: match[3] === "l" ? "lines" : "heatmap" });
  }
  return [...pins.values()];
}

/**
 * @param {string} value
 * @returns {Focus | null}
 */
function readFocus(value) {
  const match = /^(\d{0,6})\.(\d{0,6})$/.exec(value);
  if (!match || value === ".") return null;
  return { query: match[1] === "" ? null : Number(match[1]), key: match[2] === "" ? null : Number(match[2]) };
}

/**
 * @param {string} value
 * @returns {Ask}
 */
function readAsk(value) {
  const match = /^([\d,]*)\/([\d,]*)$/.exec(value);
  if (!match) return NOTHING_ASKED;
  const [queries, keys] = [match[1], match[2]].map((side) => [
    ...new Set(side.split(",").filter((word) => /^\d{1,6}$/.test(word)).map(Number)),
  ]);
  return { queries, keys, side: "queries" };
}

/**
 * @param {string} value
 * @returns {Chart}
 */
function readChart(value) {
  const [kind, x, y, color, source] = value.split(",");
  const isKind = kind === "scatter" || kind === "map" || kind === "layers";
  const isSource = source === "sentence" || source === "corpus";
  return isKind && isSource && x && y && color ? { kind, x, y, color, source } : FIRST_CHART;
}
