// A picture that is drawn while it is visible: when only its focus moves, one out of sight waits until it is seen.

export class InSight {
  #isSeen = true;
  /** What the picture was drawn from, besides the focus. @type {unknown} */
  #from = null;
  /** @type {(() => void) | null} */
  #waiting = null;

  /** @param {HTMLElement} place where the picture is */
  constructor(place) {
    // A busy page gets several changes at once: the last one counts.
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

  /** @param {unknown} from all that the picture depends on but the focus, as one object @param {() => void} draw */
  draw(from, draw) {
    const isOther = from !== this.#from;
    this.#from = from;
    this.#waiting = this.#isSeen || isOther ? null : draw;
    if (this.#waiting === null) draw();
  }

  /** There is nothing to draw any more. */
  forget() {
    this.#waiting = null;
  }
}
