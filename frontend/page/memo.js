// Something worth making once for as long as what it was made from stays the same: what takes long, and buttons, for
// one that is put in place anew while somebody presses it hears of no click.

/** @template Value */
export class Memo {
  /** @type {{from: unknown[], value: Value} | null} */
  #kept = null;

  /**
   * @param {unknown[]} from compared item by item, by identity
   * @param {() => Value} make
   * @returns {Value}
   */
  get(from, make) {
    if (this.#kept === null || from.some((item, at) => item !== this.#kept?.from[at])) {
      this.#kept = { from, value: make() };
    }
    return this.#kept.value;
  }
}
