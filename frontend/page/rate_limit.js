// A rate limiter (token bucket): runs an action at once while requests are rare, and spaces them out when they are not.

/**
 * @typedef {object} Allowance
 * @property {number} burst how many times it may be done without a pause
 * @property {number} every_ms after how long it may be done once more
 */
/**
 * @typedef {object} Clock what a test replaces
 * @property {() => number} now milliseconds
 * @property {(run: () => void, ms: number) => unknown} later
 */

export class RateLimit {
  /** How many times it may be done now; a fraction is on its way to the next time. */
  #credit;
  #counted;
  #isWaiting = false;

  /**
   * @param {() => void} act does what is wanted at the time it is called, so that the last wish is the one kept
   * @param {Allowance} allowance
   * @param {Clock} [clock]
   */
  constructor(act, allowance, clock = { now: () => performance.now(), later: (run, ms) => setTimeout(run, ms) }) {
    this.act = act;
    this.allowance = allowance;
    this.clock = clock;
    this.#credit = allowance.burst;
    this.#counted = clock.now();
  }

  /** Have it done as soon as the allowance lets it; wishes while it waits are one wish. */
  request() {
    if (this.#isWaiting) return;
    const { burst, every_ms } = this.allowance;
    const now = this.clock.now();
    this.#credit = Math.min(burst, this.#credit + (now - this.#counted) / every_ms);
    this.#counted = now;
    if (this.#credit >= 1) {
      this.#credit -= 1;
      this.act();
      return;
    }
    this.#isWaiting = true;
    const retry = () => {
      this.#isWaiting = false;
      this.request();
    };
    this.clock.later(retry, Math.ceil((1 - this.#credit) * every_ms));
  }
}
