// One request at a time: a new wish aborts the one before it, and an answer that comes too late is dropped.

import { ServerError } from "./api.js";

/** @template Answer */
export class Latest {
  /** @type {unknown[]} */
  #from = [];
  #abort = new AbortController();

  /**
   * Fetch, unless the wish is the same as last time.
   * @param {unknown[]} from what the wish is made of, compared item by item, by identity
   * @param {((signal: AbortSignal) => Promise<Answer>) | null} fetchAnswer null: nothing is wanted now
   * @param {(known: {answer: Answer | null, problem: Problem | null}) => void} receive
   */
  async want(from, fetchAnswer, receive) {
    if (from.length === this.#from.length && from.every((item, at) => item === this.#from[at])) return;
    this.#from = from;
    this.#abort.abort();
    this.#abort = new AbortController();
    if (fetchAnswer === null) return;
    const { signal } = this.#abort;
    try {
      const answer = await fetchAnswer(signal);
      if (!signal.aborted) receive({ answer, problem: null });
    } catch (error) {
      if (!signal.aborted) receive({ answer: null, problem: problemOf(error) });
    }
  }
}

/**
 * @param {unknown} error
 * @returns {Problem}
 */
function problemOf(error) {
  if (error instanceof ServerError) return error.problem;
  const reason = error instanceof Error ? error.message : String(error);
  return { code: "unreachable", message: `The server gave no answer (${reason}).`, details: null };
}
