// A rate limiter (token bucket): runs an action at once while requests are rare, and spaces them out when they are not.

export class RateLimit {
  /** How many times the action may run now; the fraction grows towards the next time. */
  #credit;
  #counted;
  #isWaiting = false;

  /**
   * @param {() => void} act reads what to do when it runs, so that the last request counts
   * @param {{burst: number, every_ms: number}} allowance how many times without a pause, and after how long once more
   * @param {{now: () => number, later: (run: () => void, ms: number) => unknown}} [clock] in milliseconds; tests have their own
   */
  constructor(act, allowance, clock = { now: () => performance.now(), later: (run, ms) => setTimeout(run, ms) }) {
    this.act = act;
    this.allowance = allowance;
    this.clock = clock;
    this.#credit = allowance.burst;
    this.#counted = clock.now();
  }

  /** Run the action as soon as the allowance lets it; requests while it waits count as one. */
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
