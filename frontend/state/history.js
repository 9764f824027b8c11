// The last analyses, kept in the browser: what was asked, how it was looked at, and when. A browser that keeps nothing
// or is full is no reason to complain. It must not know the page; storage and time are given to it.

import { readLink, writeLink } from "./permalink.js";
import { isStale, question, questionKey } from "./selectors.js";
import { viewOf } from "./view.js";

/** @typedef {import("./notes.js").Drawer} Drawer */
/** @typedef {import("../server/socket.js").Question} Question */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./view.js").View} View */
/**
 * @typedef {object} Entry
 * @property {Question} question
 * @property {string} view how it was looked at, as a link says it
 * @property {number} time when it was last looked at, milliseconds
 */

export const STORED_HISTORY = "headscope.history";
export const MOST_ENTRIES = 50;
/** A sentence that was passed this quickly while somebody typed on was not looked at. */
const PASSED_MS = 5000;

/**
 * @param {Entry[]} entries newest first
 * @param {Entry} entry takes the place of an older one with its question
 * @returns {Entry[]}
 */
export function withEntry(entries, entry) {
  return [entry, ...without(entries, entry.question)].slice(0, MOST_ENTRIES);
}

/**
 * @param {Entry[]} entries
 * @param {Question} asked
 */
export function without(entries, asked) {
  return entries.filter((entry) => questionKey(entry.question) !== questionKey(asked));
}

/**
 * The whole view of an entry. Texts too long for a link are those of its question.
 * @param {Entry} entry
 * @returns {View}
 */
export function viewOfEntry({ question: { text, text_pair, continuation }, view: link }) {
  const view = readLink(link);
  return view.text === null ? { ...view, text, text_pair: text_pair ?? null, continuation: continuation ?? [] } : view;
}

/**
 * @param {unknown} value
 * @returns {value is Entry}
 */
function isEntry(value) {
  const { question: asked, view, time } = /** @type {Partial<Entry>} */ (value ?? {});
  return typeof asked?.model === "string" && typeof asked.text === "string" && typeof view === "string" && Number.isFinite(time);
}

export class History {
  /** What the browser did not keep. @type {Entry[]} */
  #unkept = [];

  /** @param {Drawer} drawer */
  constructor(drawer) {
    this.drawer = drawer;
  }

  /** @returns {Entry[]} newest first, with those of other pages of this browser */
  list() {
    try {
      const kept = this.drawer.getItem(STORED_HISTORY);
      if (kept === null) return this.#unkept;
      const entries = JSON.parse(kept);
      return Array.isArray(entries) ? entries.filter(isEntry).slice(0, MOST_ENTRIES) : [];
    } catch {
      return this.#unkept;
    }
  }

  /** @param {Entry} entry */
  enter(entry) {
    this.#keep(withEntry(this.list(), entry));
  }

  /** @param {Question} asked */
  forget(asked) {
    this.#keep(without(this.list(), asked));
  }

  clear() {
    this.#keep([]);
  }

  /** @param {Entry[]} entries the oldest go when there is no room for all */
  #keep(entries) {
    this.#unkept = entries;
    for (let n = entries.length; n > 0 || entries.length === 0; n = Math.floor(n / 2)) {
      try {
        if (n === 0) this.drawer.removeItem(STORED_HISTORY);
        else this.drawer.setItem(STORED_HISTORY, JSON.stringify(entries.slice(0, n)));
        this.#unkept = [];
        return;
      } catch {
        if (n === 0) return;
      }
    }
  }
}

/** Enters what is looked at: each question when it is answered, then again whenever its view changes. */
export class HistoryKeeper {
  /** What was entered last, since when, and whether typing on replaces it. @type {{entry: Entry, since: number, typed: boolean} | null} */
  #last = null;

  /**
   * @param {History} history
   * @param {() => number} now milliseconds
   */
  constructor(history, now) {
    this.history = history;
    this.now = now;
  }

  /** @param {State} state */
  want(state) {
    const asked = question(state);
    if (asked === null || state.analysis === null || state.run.phase !== "done" || isStale(state)) return;
    const entry = { question: asked, view: writeLink(viewOf(state)), time: this.now() };
    const last = this.#last;
    const isSame = last !== null && questionKey(last.entry.question) === questionKey(asked);
    if (isSame && last.entry.view === entry.view) return;
    const isPassed = !isSame && last !== null && last.typed && state.typing && entry.time - last.since < PASSED_MS;
    if (isPassed) this.history.forget(last.entry.question);
    const isNew = this.history.list().every((known) => questionKey(known.question) !== questionKey(asked));
    this.#last = isSame ? { ...last, entry } : { entry, since: entry.time, typed: state.typing && isNew };
    this.history.enter(entry);
  }
}
