// Fetching the exact values of what is pinned on one side: each map once per question, none for an analysis that is
// gone.

import { exactKey, stackTokens } from "../maps/sources.js";
import { partsOf } from "../state/pins.js";
import { isStale, question } from "../state/selectors.js";
import { seenFrom } from "../state/side.js";

/** @typedef {import("../state/view.js").Side} Side */
/** @typedef {(asked: MapQuestion, signal: AbortSignal) => Promise<Float32Array>} FetchMap */

/**
 * Which values a panel shows; rollout is made of raw maps alone.
 * @param {Pick<State, "values">} state
 * @param {What} what
 * @returns {("raw" | "weighted")[]}
 */
export function shownValues({ values }, what) {
  if (partsOf(what).some(({ kind }) => kind === "rollout")) return ["raw"];
  return values === "both" ? ["raw", "weighted"] : [values];
}

/**
 * One map as the server is asked for it.
 * @param {Question} asked
 * @param {Analysis} analysis
 * @param {Simple} what
 * @param {"raw" | "weighted"} values
 * @returns {MapQuestion}
 */
export function mapQuestion(asked, { stacks }, what, values) {
  const stack = stacks.length > 1 ? { stack: stacks[what.stack].stack } : {};
  const weighting = values === "raw" ? {} : { values };
  if (what.kind === "head") {
    return { ...asked, ...stack, combine: "head", cells: [{ layer: what.layer, head: what.head }], ...weighting };
  }
  if (what.kind === "rollout") return { ...asked, ...stack, combine: "rollout", up_to: what.layer };
  return { ...asked, ...stack, combine: what.kind, ...(what.cells.length > 0 ? { cells: what.cells } : {}), ...weighting };
}

/**
 * Every map that is to be had with its exact values; the detail of a head speaks of raw weights alone.
 * @param {State} state
 * @returns {{what: Simple, values: "raw" | "weighted"}[]}
 */
function wishes(state) {
  const pinned = state.pins.flatMap((pin) =>
    partsOf(pin).flatMap((what) => shownValues(state, pin).map((values) => ({ what, values }))),
  );
  return state.detail === null ? pinned : [...pinned, { what: { kind: "head", ...state.detail }, values: "raw" }];
}

export class ExactValues {
  /** @type {Analysis | null} */
  #analysis = null;
  #abort = new AbortController();
  /** Maps asked for in this analysis. @type {Set<string>} */
  #asked = new Set();
  /** Those of them that were not to be had. @type {Set<string>} */
  #refused = new Set();

  /**
   * @param {Pick<RunActions, "receiveExact" | "refuseExact">} actions
   * @param {FetchMap} fetchMap
   * @param {Side} side
   */
  constructor(actions, fetchMap, side) {
    this.actions = actions;
    this.fetchMap = fetchMap;
    this.side = side;
  }

  /**
   * Ask for what is pinned, or open in detail, and not here yet, once the run is over and while its text is the one in the boxes.
   * @param {State} state
   */
  want(state) {
    const seen = seenFrom(state, { side: this.side, stack: 0 });
    const { analysis, run } = seen;
    if (analysis !== this.#analysis) {
      this.#abort.abort();
      this.#abort = new AbortController();
      this.#analysis = analysis;
      this.#asked.clear();
      this.#refused.clear();
    }
    const asked = question(seen);
    if (analysis === null || asked === null || run.phase !== "done" || isStale(seen)) return;
    const wished = wishes(state).filter(({ what }) => what.side === this.side && analysis.stacks[what.stack]);
    // Who takes a refused map away and pins it once more asks once more.
    const isWished = (/** @type {string} */ key) => wished.some(({ what, values }) => exactKey(what, values) === key);
    for (const key of [...this.#refused].filter((one) => !isWished(one))) {
      this.#refused.delete(key);
      this.#asked.delete(key);
      this.actions.refuseExact(analysis, key, null);
    }
    for (const { what, values } of wished) {
      const key = exactKey(what, values);
      if (this.#asked.has(key) || analysis.exact.has(key)) continue;
      this.#asked.add(key);
      void this.#load(analysis, key, what, mapQuestion(asked, analysis, what, values));
    }
  }

  /**
   * @param {Analysis} analysis
   * @param {string} key
   * @param {Simple} what
   * @param {MapQuestion} asked
   */
  async #load(analysis, key, what, asked) {
    const { signal } = this.#abort;
    const stack = analysis.stacks[what.stack];
    try {
      const weights = await this.fetchMap(asked, signal);
      const source = { weights, exact: true, block: 1, causal: stack.causal, ...stackTokens(analysis, stack) };
      if (!signal.aborted) this.actions.receiveExact(analysis, key, source);
    } catch (error) {
      if (signal.aborted) return;
      this.#refused.add(key);
      this.actions.refuseExact(analysis, key, error instanceof Error ? error.message : String(error));
    }
  }
}
