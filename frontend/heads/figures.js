// Fetching the chart of the heads tab: once for each chart and question, older answers dropped.

import { Latest } from "../requests/latest.js";
import { figureQuestion } from "./chart_choice.js";
import { atlasOnScreen } from "./roles.js";

/** @typedef {import("../requests/api.js").Figure} Figure */

export class ChosenFigure {
  /** @type {Latest<Figure>} */
  #latest = new Latest();

  /**
   * @param {Pick<Actions, "receiveFigure">} actions
   * @param {(asked: object, signal: AbortSignal) => Promise<Figure>} fetchFigure
   */
  constructor(actions, fetchFigure) {
    this.actions = actions;
    this.fetchFigure = fetchFigure;
  }

  /** @param {State} state a chart is wanted while its tab is open */
  want(state) {
    if (state.tab !== "heads") return;
    const asked = figureQuestion(state);
    const key = JSON.stringify(asked);
    // More of the heads may have been measured since: a newer record may give another chart.
    void this.#latest.want([key, atlasOnScreen(state)], asked && ((signal) => this.fetchFigure(asked, signal)), (known) =>
      this.actions.receiveFigure({ asked: key, ...known }),
    );
  }
}
