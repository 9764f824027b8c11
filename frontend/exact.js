// Fetching the exact values of pinned heads: each once per analysis, none for an analysis that is gone.
// It must not know the page; the fetch and what to do about a forgotten analysis are given to it.

import { ServerError } from "./api.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Analysis} Analysis */
/** @typedef {import("./store.js").Actions} Actions */
/** @typedef {(id: string, layer: number, head: number, signal: AbortSignal) => Promise<Float32Array>} FetchHead */

export class ExactValues {
  /** @type {Analysis | null} */
  #analysis = null;
  #abort = new AbortController();
  /** Heads asked for in this analysis. @type {Set<string>} */
  #asked = new Set();
  /** The question that was already asked once more because the server had forgotten it. */
  #askedAgain = "";

  /**
   * @param {Actions} actions
   * @param {FetchHead} fetchHead
   * @param {() => void} askAgain
   */
  constructor(actions, fetchHead, askAgain) {
    this.actions = actions;
    this.fetchHead = fetchHead;
    this.askAgain = askAgain;
  }

  /**
   * Ask for what is pinned and not here yet, once the run is over and its values can be had.
   * @param {State} state
   */
  want(state) {
    const { analysis, pins, run } = state;
    if (analysis !== this.#analysis) {
      this.#abort.abort();
      this.#abort = new AbortController();
      this.#analysis = analysis;
      this.#asked.clear();
    }
    if (analysis === null || run.phase !== "done") return;
    for (const { layer, head } of pins) {
      const name = `${layer}.${head}`;
      if (this.#asked.has(name)) continue;
      this.#asked.add(name);
      void this.#load(analysis, layer, head, this.#abort.signal);
    }
  }

  /**
   * @param {Analysis} analysis
   * @param {number} layer
   * @param {number} head
   * @param {AbortSignal} signal
   */
  async #load(analysis, layer, head, signal) {
    try {
      const weights = await this.fetchHead(analysis.id, layer, head, signal);
      if (!signal.aborted) this.actions.receiveExact(analysis, { layer, head }, weights);
    } catch (error) {
      if (signal.aborted) return;
      const isForgotten = error instanceof ServerError && error.problem.code === "unknown_analysis";
      if (isForgotten && this.#askedAgain !== analysis.question) {
        this.#askedAgain = analysis.question;
        this.askAgain();
        return;
      }
      const reason = error instanceof Error ? error.message : String(error);
      this.actions.refuseExact(analysis, { layer, head }, reason);
    }
  }
}
