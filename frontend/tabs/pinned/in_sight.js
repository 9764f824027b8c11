// A picture that is drawn while it is in sight: one that is not, and of which only the focus moves, waits until it is
// seen.

import { isSameList } from "../../page/memo.js";

export class InSight {
  #isSeen = true;
  /** What the picture was drawn from, besides the focus. @type {unknown[]} */
  #from = [];
  /** @type {(() => void) | null} */
  #waiting = null;

  /** @param {HTMLElement} place where the picture stands */
  constructor(place) {
    // A busy page hears of several changes at once: the last one holds.
    new IntersectionObserver((entries) => this.#see(entries[entries.length - 1].isIntersecting)).observe(place);
  }

  /** @param {boolean} isSeen */
  #see(isSeen) {
    this.#isSeen = isSeen;
    if (!isSeen || this.#waiting === null) return;
    const draw = this.#waiting;
    this.#waiting = null;
    draw();
  }

  /** @param {unknown[]} from all that the picture depends on but the focus @param {() => void} draw */
  draw(from, draw) {
    const isOther = !isSameList(from, this.#from);
    this.#from = from;
    this.#waiting = this.#isSeen || isOther ? null : draw;
    if (this.#waiting === null) draw();
  }

  /** There is nothing to draw any more. */
  forget() {
    this.#waiting = null;
  }
}
