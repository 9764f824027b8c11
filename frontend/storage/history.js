// The last analyses, kept in the browser: what was asked, how it was viewed, and when. A browser that keeps nothing or
// is full causes no error.

import { inWords, isBeginning, writtenOn } from "../generate/branches.js";
import { isAnswered, question, questionKey } from "../state/selectors.js";
import { onSide, sidesOf } from "../state/sides.js";

/**
 * @typedef {object} HistoryEntry
 * @property {Question} question
 * @property {Question | null} [against] what it was compared with; nothing in what earlier versions kept
 * @property {string} [written] its continuation, in words
 * @property {string} view how it was viewed, as a link says it
 * @property {number} time when it was last viewed, milliseconds
 */

export const STORED_HISTORY = "headscope.history";
export const MOST_ENTRIES = 50;
/** A sentence that was left this quickly while somebody kept typing was not viewed. */
const PASSED_MS = 5000;

/** @param {Pick<HistoryEntry, "question" | "against">} entry what was asked on both sides */
export function entryKey({ question: asked, against = null }) {
  return `${questionKey(asked)} ${questionKey(against)}`;
}

/**
 * What is asked on both sides now. Side b counts when it asks something of its own.
 * @param {State} state
 * @returns {Pick<HistoryEntry, "question" | "against"> | null} null: a side asks nothing, or has no answer yet
 */
export function answeredQuestions(state) {
  const seen = sidesOf(state).map((side) => onSide(state, side));
  if (!seen.every(isAnswered)) return null;
  const [asked, other = null] = seen.map(question);
  return asked && { question: asked, against: questionKey(other) === questionKey(asked) ? null : other };
}

/** Whether one entry continues another, or has the same questions. @param {HistoryEntry} longer @param {HistoryEntry} shorter */
function continues(longer, shorter) {
  const [ids, before] = [longer, shorter].map((entry) => entry.question.continuation ?? []);
  const bare = (/** @type {HistoryEntry} */ entry) => entryKey({ ...entry, question: { ...entry.question, continuation: [] } });
  return isBeginning(before, ids) && bare(longer) === bare(shorter);
}

/**
 * The whole view of an entry. Texts too long for a link are those of its questions.
 * @param {HistoryEntry} entry
 * @param {import("../state/permalink.js").ViewCodec} views
 * @returns {View}
 */
export function viewOfEntry({ question: { text, text_pair, continuation = [] }, against: other = null, view: link }, views) {
  const view = views.read(link);
  const { a, b } = view.sides;
  if (a.text !== null) return view;
  const isOwn = other !== null && other.text !== text;
  const opposite = b && isOwn ? { ...b, text: other.text, text_pair: other.text_pair ?? null } : b;
  return { ...view, sides: { a: { ...a, text, text_pair: text_pair ?? null, continuation }, b: opposite } };
}

/** @param {unknown} value @returns {value is HistoryEntry} */
function isEntry(value) {
  const { question: asked, against, view, time } = /** @type {Partial<HistoryEntry>} */ (value ?? {});
  const isQuestion = (/** @type {Question | undefined} */ one) =>
    typeof one?.model === "string" && typeof one.text === "string" && Array.isArray(one.continuation ?? []);
  const isTime = typeof time === "number" && !Number.isNaN(new Date(time).getTime());
  return isQuestion(asked) && (against == null || isQuestion(against)) && typeof view === "string" && isTime;
}

export class History {
  /** What the browser did not keep. @type {HistoryEntry[]} */
  #unkept = [];

  /** @param {BrowserStorage} storage */
  constructor(storage) {
    this.storage = storage;
  }

  /** @returns {HistoryEntry[]} newest first, with those of other pages of this browser */
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

  /** @param {HistoryEntry} entry replaces those it continues */
  enter(entry) {
    this.#keep([entry, ...this.list().filter((known) => !continues(entry, known))].slice(0, MOST_ENTRIES));
  }

  /** @param {HistoryEntry} entry */
  forget(entry) {
    this.#keep(this.list().filter((known) => entryKey(known) !== entryKey(entry)));
  }

  clear() {
    this.#keep([]);
  }

  /** @param {HistoryEntry[]} entries @param {number} [n] how many of them to store; the oldest go when there is no room for all */
  #keep(entries, n = entries.length) {
    this.#unkept = entries;
    try {
      if (n === 0) this.storage.removeItem(STORED_HISTORY);
      else this.storage.setItem(STORED_HISTORY, JSON.stringify(entries.slice(0, n)));
      this.#unkept = [];
    } catch {
      if (n > 1) this.#keep(entries, Math.floor(n / 2));
    }
  }
}

/** Enters each question that was answered, as it was viewed last. Answers may come faster than they are stored; none is lost. */
export class HistoryKeeper {
  /** What was entered last; typed: whether typing on replaces it. @type {{entry: HistoryEntry, since: number, typed: boolean} | null} */
  #last = null;
  /** What is still to be entered. @type {{asked: Pick<HistoryEntry, "question" | "against">, state: State, time: number} | null} */
  #waiting = null;

  /** @param {History} history @param {import("../state/permalink.js").ViewCodec} views @param {() => number} now milliseconds */
  constructor(history, views, now) {
    this.history = history;
    this.views = views;
    this.now = now;
  }

  /** @param {State} state viewed now: to be entered, at the latest when another question takes its place */
  update(state) {
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
    const words = inWords(writtenOn(onSide(state, "a")) ?? []);
    const entry = { ...asked, ...(words === "" ? {} : { written: words }), view: this.views.write(state), time };
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
