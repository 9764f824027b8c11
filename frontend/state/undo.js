// Going back to an earlier view and forward again. What is typed or slid without a pause counts as one step.
// Pure; it must not know the page; time is told to it.

import { viewOf } from "./view.js";

/** @typedef {import("./view.js").View} View */

const TOGETHER_MS = 1000;
const MOST_STEPS = 100;
/** Where one looks is not what one has made: going back must not jump between tabs or release tokens. */
const PASSING = ["lock", "tab", "detail", "ask"];
/** What changes letter by letter, or while a slider moves. */
const FLOWING = ["text", "text_pair", "against", "sampling", "mass"];
/** What gives tokens their numbers. */
const ASKED = /** @type {const} */ (["model", "text", "text_pair", "continuation", "against"]);

/** @param {unknown} one @param {unknown} other a list made anew is no other list */
function isSame(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * @param {View} one
 * @param {View} other
 * @returns {string[]} the names of what differs
 */
function differing(one, other) {
  const keys = /** @type {(keyof View)[]} */ (Object.keys(one));
  return keys.filter((key) => !PASSING.includes(key) && !isSame(one[key], other[key]));
}

export class Undo {
  /** @type {View[]} */
  #past = [];
  /** @type {View[]} */
  #future = [];
  /** @type {View | null} */
  #current = null;
  #last = { changed: "", at: -Infinity };

  /**
   * The view is now this one.
   * @param {View} whole
   * @param {number} now milliseconds
   * @returns {boolean} whether a step was taken that can be taken back
   */
  note(whole, now) {
    const view = viewOf(whole);
    const before = this.#current;
    this.#current = view;
    // The server's defaults fill what a link left open: nobody chose them.
    if (before === null || before.text === null || before.model === null) return false;
    const keys = differing(before, view);
    if (keys.length === 0) return false;
    const changed = keys.join();
    const isFlowing = keys.every((key) => FLOWING.includes(key));
    const isSameStep = isFlowing && changed === this.#last.changed && now - this.#last.at < TOGETHER_MS;
    this.#last = { changed, at: now };
    this.#future = [];
    if (!isSameStep) this.#past = [...this.#past.slice(1 - MOST_STEPS), before];
    return !isSameStep;
  }

  /** @param {View} whole the view became this one by itself: an answer had no heads for all of it */
  adopt(whole) {
    if (this.#current !== null) this.#current = viewOf(whole);
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** @returns {View | null} the view before the last step */
  undo() {
    const view = this.#past.pop();
    if (!view || !this.#current) return null;
    this.#future.push(this.#current);
    return this.#goTo(view);
  }

  /** @returns {View | null} the view after the step that was taken back last */
  redo() {
    const view = this.#future.pop();
    if (!view || !this.#current) return null;
    this.#past.push(this.#current);
    return this.#goTo(view);
  }

  /** @param {View} view */
  #goTo(view) {
    const current = /** @type {View} */ (this.#current);
    const passing = Object.fromEntries(PASSING.map((key) => [key, current[/** @type {keyof View} */ (key)]]));
    // Token numbers of another text mean nothing in this one.
    const isSameText = ASKED.every((key) => isSame(view[key], current[key]));
    this.#current = isSameText ? /** @type {View} */ ({ ...view, ...passing }) : { ...view, tab: current.tab, lock: null, detail: null };
    this.#last = { changed: "", at: -Infinity };
    return this.#current;
  }
}
