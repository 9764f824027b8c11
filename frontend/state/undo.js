// Going back to an earlier view and forward again. What is typed or slid without a pause counts as one step.

import { SIDES_CHOICE } from "./view.js";

const TOGETHER_MS = 1000;
const MOST_STEPS = 100;
/** Parts of a question that may change letter by letter. */
const TYPED = ["text", "text_pair", "against"];

export class Undo {
  /** @type {View[]} */
  #past = [];
  /** @type {View[]} */
  #future = [];
  /** @type {View | null} */
  #current = null;
  #last = { flow: "", at: -Infinity };

  /** @param {ViewCodec} views */
  constructor(views) {
    this.views = views;
  }

  /**
   * Which parts of two views differ, apart from where one looks.
   * @param {View} one
   * @param {View} other
   * @returns {{part: string, slides: boolean}[]}
   */
  #differing(one, other) {
    return this.views.choices.filter(({ undo }) => undo !== "pass").flatMap(({ undo, parts, of }) => {
      const [before, after] = [parts(of(one)), parts(of(other))];
      const changed = Object.keys(before).filter((part) => !isSame(before[part], after[part]));
      return changed.map((part) => ({ part, slides: undo === "slide" }));
    });
  }

  /**
   * The view is now this one.
   * @param {View & {typing?: boolean}} whole with whether the question was typed, not chosen
   * @param {number} now milliseconds
   * @returns {boolean} whether this is a new step
   */
  note(whole, now) {
    const view = this.views.pick(whole);
    const before = this.#current;
    this.#current = view;
    // Nobody chose the server's defaults, which fill what a link left open.
    if (before === null || before.sides.a.text === null || before.sides.a.model === null) return false;
    const differing = this.#differing(before, view);
    if (differing.length === 0) return false;
    const flow = flowOf(differing, whole.typing ?? false);
    const isSameStep = flow !== "" && flow === this.#last.flow && now - this.#last.at < TOGETHER_MS;
    this.#last = { flow, at: now };
    this.#future = [];
    if (!isSameStep) this.#past = [...this.#past.slice(1 - MOST_STEPS), before];
    return !isSameStep;
  }

  /** @param {View} whole the view became this one by itself: an answer had no heads for all of it */
  adopt(whole) {
    if (this.#current !== null) this.#current = this.views.pick(whole);
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** @returns {View | null} the view before the last step */
  undo() {
    return this.#move(this.#past, this.#future);
  }

  /** @returns {View | null} the view after the step that was taken back last */
  redo() {
    return this.#move(this.#future, this.#past);
  }

  /** @param {View[]} from its last view becomes the current one @param {View[]} to where the current one goes */
  #move(from, to) {
    const [view, current] = [from.pop(), this.#current];
    if (!view || !current) return null;
    to.push(current);
    const passing = this.views.choices.filter(({ undo }) => undo === "pass").map(({ key, of }) => [key, of(current)]);
    // Token numbers of another text mean nothing in this one, which gets its own back.
    const isSameText = isSame(SIDES_CHOICE.parts(view.sides), SIDES_CHOICE.parts(current.sides));
    this.#current = isSameText ? { ...view, ...Object.fromEntries(passing) } : { ...view, tab: current.tab, detail: null };
    this.#last = { flow: "", at: -Infinity };
    return this.#current;
  }
}

/** Whether two values are equal; lists are compared by what they hold. @param {unknown} one @param {unknown} other */
function isSame(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Changes of the same flow without a pause between them are one step.
 * @param {{part: string, slides: boolean}[]} changed a typed letter may also clear what belonged to the old text
 * @param {boolean} isTyped
 * @returns {string} "": a step of its own
 */
function flowOf(changed, isTyped) {
  const names = changed.map(({ part }) => part);
  const typed = isTyped ? names.filter((name) => TYPED.includes(name)) : [];
  if (typed.length > 0) return typed.join();
  return changed.every(({ slides }) => slides) ? names.join() : "";
}
