// Fetching the ranking of heads by a link between tokens: once for what is asked, never for an older text.

import { Latest } from "../requests/latest.js";
import { isStale, question } from "../state/selectors.js";

/** @typedef {Question & {queries: number[], keys: number[]}} EdgesQuestion */

/**
 * What the server is to be asked; null while a side is empty or the text on screen is not the one in the boxes.
 * @param {State} state
 * @returns {EdgesQuestion | null}
 */
export function edgesQuestion(state) {
  const { ask, analysis, run, connection } = state;
  const asked = question(state);
  const isOver = analysis !== null && run.phase === "done" && !isStale(state);
  if (asked === null || !isOver || connection === "lost") return null;
  return ask.queries.length > 0 && ask.keys.length > 0 ? { ...asked, queries: ask.queries, keys: ask.keys } : null;
}

export class AskedEdges {
  /** @type {Latest<Edges>} */
  #latest = new Latest();

  /**
   * @param {Pick<Actions, "receiveEdges">} actions
   * @param {(asked: EdgesQuestion, signal: AbortSignal) => Promise<Edges>} fetchEdges
   */
  constructor(actions, fetchEdges) {
    this.actions = actions;
    this.fetchEdges = fetchEdges;
  }

  /** @param {State} state what is asked counts while its tab is open */
  want(state) {
    if (state.tab !== "ask") return;
    const { ask, analysis } = state;
    const asked = edgesQuestion(state);
    void this.#latest.want(
      asked === null ? [] : [analysis, ask],
      asked && ((signal) => this.fetchEdges(asked, signal)),
      (known) => this.actions.receiveEdges({ ask, ...known }),
    );
  }
}
