// The view as a URL fragment and back: `#v=2&model=…&text=…&pins=0.3h,b:2.5l&focus=4+5.2&scale=log&words=true&tab=heads`.
// Reading never fails: what it cannot understand it leaves out, and `misread` lists it.

import { LINK_VERSION, inTodaysWords, isVersion, versionOf } from "./old_links.js";

/** @typedef {{parts: string[], isNewer: boolean}} Misread the parts of a link that mean nothing here; whether a later HeadScope wrote it */

/** Longer texts are left out: browsers and chat programs cut long addresses, and a cut text is another text. */
export const LONGEST_LINKED = 20_000;

/** Whether a link can carry the texts of a view. @param {Pick<View, "sides">} view */
export function isLinkable({ sides: { a, b } }) {
  return [a.text, a.text_pair, b?.text, b?.text_pair].join("").length <= LONGEST_LINKED;
}

/** Half a surrogate pair cannot be written in a URL or in UTF-8. @param {string} text */
export function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** The view of a page: its parts, and how a link carries them. */
export class ViewCodec {
  /** @param {Choice<any>[]} choices */
  constructor(choices) {
    this.choices = choices;
  }

  /** @returns {View} nothing chosen yet */
  usual() {
    return /** @type {View} */ (Object.fromEntries(this.choices.map(({ key, usual }) => [key, usual])));
  }

  /** The part of a larger object that is a view. @param {View} whole @returns {View} */
  pick(whole) {
    return /** @type {View} */ (Object.fromEntries(this.choices.map(({ key, of }) => [key, of(whole)])));
  }

  /** What tells whether a view changed, part by part. @param {View} view @returns {Record<string, unknown>} */
  parts(view) {
    return Object.assign({}, ...this.choices.map(({ parts, of }) => parts(of(view))));
  }

  /** @param {View} view without texts too long for a link and what refers to their tokens @returns {string} a fragment without its "#" */
  write(view) {
    if (!isLinkable(view)) return this.write({ ...view, lock: null, sides: withoutTexts(view.sides) });
    /** @type {string[]} */
    const parts = [];
    const put = (/** @type {string} */ name, /** @type {string} */ word) => void parts.push(`${name}=${escaped(wellFormed(word))}`);
    for (const { of, write } of this.choices) write(of(view), put);
    return parts.length === 0 ? "" : [`v=${LINK_VERSION}`, ...parts].join("&");
  }

  /** @param {string} fragment with or without its "#" @returns {View} */
  read(fragment) {
    const words = inTodaysWords(wordsIn(fragment).words);
    const get = (/** @type {string} */ name) => words.get(name) ?? null;
    return /** @type {View} */ (Object.fromEntries(this.choices.map(({ key, read }) => [key, read(get)])));
  }

  /** What `read` left out. @param {string} fragment with or without its "#" @returns {Misread} */
  misread(fragment) {
    const { words, broken } = wordsIn(fragment);
    const today = inTodaysWords(words);
    const known = new Set(["v"]);
    const get = (/** @type {string} */ name) => {
      known.add(name);
      return today.get(name) ?? null;
    };
    const values = this.choices.flatMap(({ read, misread }) => {
      read(get); // asks for every name that it understands
      return misread(get);
    });
    const names = [...today.keys()].filter((name) => !known.has(name));
    const version = words.get("v") ?? "1";
    const strange = isVersion(version) ? [] : [`v=${version}`];
    return { parts: [...strange, ...broken, ...names, ...values], isNewer: versionOf(words) > LINK_VERSION };
  }
}

/** The words of a fragment by their names, and the parts that are none. @param {string} fragment */
function wordsIn(fragment) {
  /** @type {Map<string, string>} */
  const words = new Map();
  /** @type {string[]} */
  const broken = [];
  for (const part of fragment.replace(/^#/, "").split("&")) {
    const [name, ...rest] = part.split("=");
    const word = rest.length > 0 ? decoded(rest.join("=")) : null;
    if (word !== null) words.set(name, word);
    else if (part !== "") broken.push(part);
  }
  return { words, broken };
}

/** @param {View["sides"]} sides @returns {View["sides"]} */
function withoutTexts({ a, b }) {
  const nothing = { text: null, text_pair: null, continuation: [] };
  return { a: { ...a, ...nothing }, b: b && { ...b, ...nothing } };
}

/** @param {string} word what a fragment may hold as it is stays readable */
function escaped(word) {
  return encodeURIComponent(word).replace(/%2C|%2F|%3A|%3B|%2B/g, decodeURIComponent);
}

/** @param {string} word @returns {string | null} */
function decoded(word) {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}
