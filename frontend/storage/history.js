// The last analyses, kept in the browser: what was asked, how it was looked at, and when. A browser that keeps nothing
// or is full is no reason to complain.

import { inWords, isBeginning, writtenOn } from "../generate/branches.js";
import { readLink, writeLink } from "../state/permalink.js";
import { isStale, question, questionKey } from "../state/selectors.js";
import { seenFrom } from "../state/side.js";
import { viewOf } from "../state/view.js";

/**
 * @typedef {object} Entry
 * @property {Question} question
 * @property {Question | null} [against] what it was compared with; nothing in what earlier versions kept
 * @property {string} [written] how the text was gone on with, in words
 * @property {string} view how it was looked at, as a link says it
 * @property {number} time when it was last looked at, milliseconds
 */

export const STORED_HISTORY = "headscope.history";
export const MOST_ENTRIES = 50;
/** A sentence that was passed this quickly while somebody typed on was not looked at. */
const PASSED_MS = 5000;

/** @param {Pick<Entry, "question" | "against">} entry what was asked on both sides */
export function entryKey({ question: asked, against = null }) {
  return `${questionKey(asked)} ${questionKey(against)}`;
}

/**
 * What is asked on both sides now. Side b counts when it asks something of its own.
 * @param {State} state
 * @returns {Pick<Entry, "question" | "against"> | null} null: a side asks nothing, or has no answer yet
 */
export function answeredQuestions(state) {
  const sides = /** @type {const} */ (["a", "b"]).filter((side) => side === "a" || state.against !== null);
  const seen = sides.map((side) => seenFrom(state, { side, stack: 0 }));
  if (seen.some((side) => side.analysis === null || side.run.phase !== "done" || isStale(side))) return null;
  const [asked, other = null] = seen.map(question);
  return asked && { question: asked, against: questionKey(other) === questionKey(asked) ? null : other };
}

/**
 * Whether one entry is another that was gone on with, or that very one.
 * @param {Entry} longer
 * @param {Entry} shorter
 */
function goesOnFrom(longer, shorter) {
  const [ids, before] = [longer, shorter].map((entry) => entry.question.continuation ?? []);
  const bare = (/** @type {Entry} */ entry) => entryKey({ ...entry, question: { ...entry.question, continuation: [] } });
  return isBeginning(before, ids) && bare(longer) === bare(shorter);
}

/**
 * @param {Entry[]} entries newest first
 * @param {Entry} entry takes the place of an older one with its questions, and of those it goes on from
 * @returns {Entry[]}
 */
export function withEntry(entries, entry) {
  return [entry, ...entries.filter((known) => !goesOnFrom(entry, known))].slice(0, MOST_ENTRIES);
}

/**
 * The whole view of an entry. Texts too long for a link are those of its questions.
 * @param {Entry} entry
 * @returns {View}
 */
export function viewOfEntry({ question: { text, text_pair, continuation = [] }, against: other = null, view: link }) {
  const view = readLink(link);
  if (view.text !== null) return view;
  const isOwn = other !== null && other.text !== text;
  const against = view.against && isOwn ? { ...view.against, text: other.text, text_pair: other.text_pair ?? null } : view.against;
  return { ...view, text, text_pair: text_pair ?? null, continuation, against };
}

/**
 * @param {unknown} value
 * @returns {value is Entry}
 */
function isEntry(value) {
  const { question: asked, against, view, time } = /** @type {Partial<Entry>} */ (value ?? {});
  const isQuestion = (/** @type {Question | undefined} */ one) => typeof one?.model === "string" && typeof one.text === "string";
  return isQuestion(asked) && (against == null || isQuestion(against)) && typeof view === "string" && Number.isFinite(time);
}

export class History {
  /** What the browser did not keep. @type {Entry[]} */
  #unkept = [];

  /** @param {BrowserStorage} storage */
  constructor(storage) {
    this.storage = storage;
  }

  /** @returns {Entry[]} newest first, with those of other pages of this browser */
  list() {
    try {
      const kept = this.storage.getItem(STORED_HISTORY);
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

  /** @param {Entry} entry */
  forget(entry) {
    this.#keep(this.list().filter((known) => entryKey(known) !== entryKey(entry)));
  }

  clear() {
    this.#keep([]);
  }

  /** @param {Entry[]} entries the oldest go when there is no room for all */
  #keep(entries) {
    this.#unkept = entries;
    for (let n = entries.length; n > 0 || entries.length === 0; n = Math.floor(n / 2)) {
      try {
        if (n === 0) this.storage.removeItem(STORED_HISTORY);
        else this.storage.setItem(STORED_HISTORY, JSON.stringify(entries.slice(0, n)));
        this.#unkept = [];
        return;
      } catch {
        if (n === 0) return;
      }
    }
  }
}

/**
 * Enters what is looked at: each question that was answered, as it was looked at last. Answers may come faster than they
 * are to be written down; none is lost by that.
 */
export class HistoryKeeper {
  /** What was entered last, since when, and whether typing on replaces it. @type {{entry: Entry, since: number, typed: boolean} | null} */
  #last = null;
  /** What is still to be entered. @type {{asked: Pick<Entry, "question" | "against">, state: State, time: number} | null} */
  #waiting = null;

  /**
   * @param {History} history
   * @param {() => number} now milliseconds
   */
  constructor(history, now) {
    this.history = history;
    this.now = now;
  }

  /** @param {State} state looked at now: to be entered, at the latest when another question takes its place */
  want(state) {
    const asked = answeredQuestions(state);
    if (asked === null) return;
    if (this.#waiting !== null && entryKey(this.#waiting.asked) !== entryKey(asked)) this.enter();
    this.#waiting = { asked, state, time: this.now() };
  }

  /** Enter what is waiting. */
  enter() {
    if (this.#waiting === null) return;
    const { asked, state, time } = this.#waiting;
    this.#waiting = null;
    const words = inWords(writtenOn(state) ?? []);
    const entry = { ...asked, ...(words === "" ? {} : { written: words }), view: writeLink(viewOf(state)), time };
    const last = this.#last;
    const isSame = last !== null && entryKey(last.entry) === entryKey(entry);
    if (isSame && last.entry.view === entry.view) return;
    const isPassed = !isSame && last !== null && last.typed && state.typing && time - last.since < PASSED_MS;
    if (isPassed) this.history.forget(last.entry);
    const isNew = this.history.list().every((known) => entryKey(known) !== entryKey(entry));
    this.#last = isSame ? { ...last, entry } : { entry, since: time, typed: state.typing && isNew };
    this.history.enter(entry);
  }
}
