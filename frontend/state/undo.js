// Going back to an earlier view and forward again. What is typed or slid without a pause counts as one step.

import { viewOf } from "./view.js";

const TOGETHER_MS = 1000;
const MOST_STEPS = 100;
/** Where one looks is not what one has made: going back must not jump between tabs or release tokens. */
const PASSING = ["lock", "tab", "detail"];
/** What may change letter by letter. */
const TYPED = ["text", "text_pair", "against"];
/** What changes while a slider moves. */
const SLID = ["sampling", "mass"];
/** What gives tokens their numbers. */
const ASKED = /** @type {const} */ (["model", "text", "text_pair", "continuation", "against"]);

/** @param {unknown} one @param {unknown} other a list made anew is no other list */
function isSame(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** @param {View} view what is asked of a link, wherever the next token would go */
function linkOf({ ask: { queries, keys } }) {
  return { queries, keys };
}

/**
 * @param {View} one
 * @param {View} other
 * @returns {string[]} the names of what differs
 */
function differing(one, other) {
  const keys = /** @type {(keyof View)[]} */ (Object.keys(one));
  const isOther = (/** @type {keyof View} */ key) =>
    key === "ask" ? !isSame(linkOf(one), linkOf(other)) : !isSame(one[key], other[key]);
  return keys.filter((key) => !PASSING.includes(key) && isOther(key));
}

/**
 * With what a step goes together when it follows without a pause.
 * @param {string[]} keys what changed: with a typed letter goes what the text before had of its own
 * @param {boolean} isTyped
 * @returns {string} "": with nothing
 */
function flowOf(keys, isTyped) {
  const typed = isTyped ? keys.filter((key) => TYPED.includes(key)) : [];
  if (typed.length > 0) return typed.join();
  return keys.every((key) => SLID.includes(key)) ? keys.join() : "";
}

export class Undo {
  /** @type {View[]} */
  #past = [];
  /** @type {View[]} */
  #future = [];
  /** @type {View | null} */
  #current = null;
  #last = { flow: "", at: -Infinity };

  /**
   * The view is now this one.
   * @param {View & {typing?: boolean}} whole with whether the question was typed, not chosen
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
    const flow = flowOf(keys, whole.typing ?? false);
    const isSameStep = flow !== "" && flow === this.#last.flow && now - this.#last.at < TOGETHER_MS;
    this.#last = { flow, at: now };
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
    // Token numbers of another text mean nothing in this one, which has its own back.
    const isSameText = ASKED.every((key) => isSame(view[key], current[key]));
    this.#current = isSameText ? /** @type {View} */ ({ ...view, ...passing }) : { ...view, tab: current.tab, detail: null };
    this.#last = { flow: "", at: -Infinity };
    return this.#current;
  }
}
