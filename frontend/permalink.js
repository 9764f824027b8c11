// The view as a URL fragment and back: `#model=…&text=…&pins=0.3h,2.5l&focus=4.2&filter=ab`.
// Reading never fails: what it cannot understand it leaves out. It must not know the page.

/**
 * @typedef {object} View what a link carries
 * @property {string | null} model null: the server's default
 * @property {string | null} text null: the first example; "" is an empty sentence
 * @property {string | null} text_pair null: no second sentence; "" is an empty one
 * @property {Pin[]} pins
 * @property {string} filter
 * @property {Focus | null} lock
 */
/** @typedef {{layer: number, head: number, mode: Mode}} Pin */
/** @typedef {"heatmap" | "lines"} Mode */
/** @typedef {{query: number | null, key: number | null}} Focus */

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

/** @returns {View} */
export function emptyView() {
  return { model: null, text: null, text_pair: null, pins: [], filter: "all", lock: null };
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
  if (!isLinkable(view)) return writeLink({ ...view, text: null, text_pair: null, lock: null });
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
  return parts
    .map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value)).replaceAll("%2C", ",")}`)
    .join("&");
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
