// The view as a URL fragment and back: `#model=…&text=…&pins=0.3h,b:2.5l&focus=4+5.2&scale=log&words=true&tab=heads`.
// Reading never fails: what it cannot understand it leaves out.

import { eachOnce, readPin, readWhat, whatKey, writePin } from "./pins.js";
import { FIRST_CHART, FIRST_ORDER, GREEDY, MOST, NOTHING_ASKED, emptyView } from "./view.js";

/** @typedef {import("./view.js").Against} Against */
/** @typedef {import("./view.js").TableOrder} TableOrder */

/** Longer texts are left out: browsers and chat programs cut long addresses, and a cut text is another text. */
export const LONGEST_LINKED = 20_000;

/**
 * Whether a link can carry the texts of a view.
 * @param {View} view
 */
export function isLinkable({ text, text_pair, against }) {
  const texts = [text, text_pair, against?.text, against?.text_pair];
  return texts.reduce((length, one) => length + (one?.length ?? 0), 0) <= LONGEST_LINKED;
}

/**
 * Half a surrogate pair cannot be written in a URL or in UTF-8.
 * @param {string} text
 */
export function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** @param {View} view what is left of it when its texts are too long: nothing that speaks of their tokens */
function withoutTexts(view) {
  const against = view.against && { ...view.against, text: null, text_pair: null };
  const texts = { text: null, text_pair: null, against, continuation: [] };
  return { ...view, ...texts, lock: null, ask: NOTHING_ASKED };
}

/** The choices with a few words to choose from, and under which name a link has them. */
const WORDS = /** @type {const} */ ({
  grid_side: ["grid", ["a", "b", "difference"]],
  values: ["values", ["raw", "weighted", "both"]],
  scale: ["scale", ["linear", "sqrt", "log", "rank"]],
  range: ["range", ["fixed", "head"]],
  hide: ["hide", ["none", "special", "first", "both"]],
  layout: ["layout", ["vertical", "horizontal"]],
  sort: ["sort", ["model", "value"]],
  tab: ["tab", ["pinned", "compare", "ask", "heads", "corpus", "generate"]],
});
const SWITCHES = /** @type {const} */ (["renormalise", "words"]);
const FREE = /** @type {const} */ ({ filter: "filter", color_by: "color", show: "show" });

/**
 * @param {View} view without texts too long for a link, and then without what is said of their tokens
 * @returns {string} a fragment without its "#"
 */
export function writeLink(view) {
  if (!isLinkable(view)) return writeLink(withoutTexts(view));
  const usual = emptyView();
  /** @type {[string, string][]} */
  const parts = [];
  const put = (/** @type {string} */ name, /** @type {string | null} */ value) => {
    if (value !== null) parts.push([name, value]);
  };
  for (const name of /** @type {const} */ (["model", "text", "text_pair"])) put(name, view[name]);
  put("continue", view.continuation.length > 0 ? view.continuation.join(",") : null);
  const sampling = writeSampling(view.sampling);
  put("sampling", sampling === writeSampling(GREEDY) ? null : sampling);
  if (view.against !== null) {
    put("against", "");
    for (const name of /** @type {const} */ (["model", "text", "text_pair"])) put(`against_${name}`, view.against[name]);
  }
  put("pins", view.pins.length > 0 ? view.pins.map(writePin).join(",") : null);
  put("detail", view.detail && whatKey({ kind: "head", ...view.detail }));
  put("focus", view.lock && writeFocus(view.lock));
  for (const [key, name] of entries(FREE)) put(name, view[key] === usual[key] ? null : view[key]);
  for (const [key, [name]] of entries(WORDS)) put(name, view[key] === usual[key] ? null : view[key]);
  for (const key of SWITCHES) put(key, view[key] ? "true" : null);
  put("mass", view.mass === usual.mass ? null : String(view.mass));
  const asked = `${view.ask.queries.join(",")}/${view.ask.keys.join(",")}`;
  put("ask", asked === "/" ? null : asked);
  const chart = writeChart(view.chart);
  put("chart", chart === writeChart(FIRST_CHART) ? null : chart);
  const table = writeOrder(view.table);
  put("table", table === writeOrder(FIRST_ORDER) ? null : table);
  return parts.map(([name, value]) => `${name}=${escaped(wellFormed(value))}`).join("&");
}

/**
 * @template {object} Table
 * @param {Table} table
 */
function entries(table) {
  return /** @type {[keyof Table, Table[keyof Table]][]} */ (Object.entries(table));
}

/** @param {string} value what a fragment may hold as it is stays readable */
function escaped(value) {
  return encodeURIComponent(value).replace(/%2C|%2F|%3A|%3B|%2B/g, decodeURIComponent);
}

/** @param {Focus} focus */
function writeFocus({ side, queries, keys }) {
  return `${side === "b" ? "b:" : ""}${queries.join("+")}.${keys.join("+")}`;
}

/** @param {Sampling} sampling */
function writeSampling({ temperature, top_k, seed, n }) {
  return [temperature, top_k ?? "", seed, n].join(",");
}

/** @param {Chart} chart */
function writeChart({ kind, x, y, color, source }) {
  return [kind, x, y, color, source].join(",");
}

/** @param {TableOrder} order */
function writeOrder({ by, falling }) {
  return `${by},${falling ? "falling" : "rising"}`;
}

/**
 * @param {string} fragment with or without its "#"
 * @returns {View}
 */
export function readLink(fragment) {
  const view = emptyView();
  /** @type {Map<string, string>} */
  const said = new Map();
  for (const part of fragment.replace(/^#/, "").split("&")) {
    const [name, ...rest] = part.split("=");
    const value = rest.length > 0 ? decoded(rest.join("=")) : null;
    if (value !== null) said.set(name, value);
  }
  const has = (/** @type {string} */ name) => said.get(name) ?? null;
  for (const name of /** @type {const} */ (["model", "text", "text_pair"])) view[name] = has(name);
  view.continuation = numbers(has("continue") ?? "", ",");
  view.sampling = readSampling(has("sampling") ?? "");
  if (said.has("against")) {
    view.against = { model: has("against_model"), text: has("against_text"), text_pair: has("against_text_pair") };
  }
  view.pins = eachOnce((has("pins") ?? "").split(",").map(readPin).filter((pin) => pin !== null));
  view.detail = readDetail(has("detail") ?? "");
  view.lock = readFocus(has("focus") ?? "");
  for (const [key, name] of entries(FREE)) view[key] = has(name) || view[key];
  for (const [key, [name, words]] of entries(WORDS)) {
    const found = /** @type {readonly string[]} */ (words).find((word) => word === has(name));
    if (found !== undefined) Object.assign(view, { [key]: found });
  }
  if (has("weighted") === "true") view.values = "weighted"; // how links said it before maps could be weighted too
  for (const key of SWITCHES) view[key] = has(key) === "true";
  if (/^(\d{1,2}|100)$/.test(has("mass") ?? "")) view.mass = Number(has("mass"));
  view.ask = readAsk(has("ask") ?? "");
  view.chart = readChart(has("chart") ?? "");
  view.table = readOrder(has("table") ?? "");
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

/** @param {string} list @param {string} between @returns {number[]} */
function numbers(list, between) {
  return list.split(between).filter((word) => /^\d{1,7}$/.test(word)).map(Number);
}

/** @param {string} value @returns {Sampling} */
function readSampling(value) {
  const match = /^(\d{1,2}(?:\.\d{1,3})?),(\d{0,7}),(\d{1,16}),(\d{1,3})$/.exec(value);
  if (!match) return GREEDY;
  const [temperature, top_k, seed, n] = match.slice(1).map(Number);
  const isWithin = temperature <= MOST.temperature && seed <= MOST.seed && n > 0 && n <= MOST.n;
  const isKnown = isWithin && (match[2] === "" || top_k > 0);
  return isKnown ? { temperature, top_k: match[2] === "" ? null : top_k, seed, n } : GREEDY;
}

/** @param {string} value @returns {HeadPlace | null} */
function readDetail(value) {
  const what = readWhat(value);
  if (what?.kind !== "head") return null;
  const { side, stack, layer, head } = what;
  return { side, stack, layer, head };
}

/** @param {string} value @returns {Focus | null} */
function readFocus(value) {
  const match = /^(b:)?([\d+]*)\.([\d+]*)$/.exec(value);
  if (!match) return null;
  const [queries, keys] = [match[2], match[3]].map((list) => [...new Set(numbers(list, "+"))]);
  if (queries.length === 0 && keys.length === 0) return null;
  return { side: match[1] ? "b" : "a", queries, keys };
}

/** @param {string} value @returns {Ask} */
function readAsk(value) {
  const match = /^([\d,]*)\/([\d,]*)$/.exec(value);
  if (!match) return NOTHING_ASKED;
  const [queries, keys] = [match[1], match[2]].map((list) => [...new Set(numbers(list, ","))]);
  return { queries, keys, side: "queries" };
}

/** @param {string} value @returns {Chart} */
function readChart(value) {
  const [kind, x, y, color, source] = value.split(",");
  const isKind = kind === "scatter" || kind === "map" || kind === "layers";
  const isSource = source === "sentence" || source === "corpus";
  return isKind && isSource && x && y && color ? { kind, x, y, color, source } : FIRST_CHART;
}

/** @param {string} value @returns {TableOrder} */
function readOrder(value) {
  const match = /^(.+),(falling|rising)$/.exec(value);
  return match ? { by: match[1], falling: match[2] === "falling" } : FIRST_ORDER;
}
