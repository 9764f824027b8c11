// The loss of the run on screen, with the levels of theory and the runs laid over it.

import { element } from "../../page/dom.js";
import { Memo } from "../../page/memo.js";
import { term } from "../../views/parts/term.js";
import { overlaidIds } from "../../training/choices.js";
import { lossChart } from "../../training/curves.js";
import { recordOf, shownPoint, shownRecord } from "../../training/record.js";
import { createLinePlot } from "./line_plot.js";

/** @returns {{root: HTMLElement, views: PageView[]}} */
export function createLossPlot() {
  const chart = createLinePlot("Loss over the steps of the training");
  const title = element("h3", { class: "training-part" }, "Loss in ", term("nats", "nats"), ": ", term("held_out", "held-out"), " (bold), of its own batches (thin)");
  /** @type {Memo<LineChart>} */
  const known = new Memo();

  /** @param {State} state @returns {RunRecord[]} */
  const overlaid = (state) => overlaidIds(state).map((id) => recordOf(state, id)).filter((record) => record !== null);
  /** @type {PageView} */
  const view = {
    reads(state, theme) {
      const record = shownRecord(state);
      return [theme, record, record && shownPoint(state, record), ...overlaid(state)];
    },
    render(state, theme) {
      const record = shownRecord(state);
      if (record === null) return;
      const others = overlaid(state);
      chart.draw(known.get([record, ...others], () => lossChart(record, others)), shownPoint(state, record)?.step ?? null, theme);
    },
  };
  return { root: element("section", { class: "training-loss" }, title, chart.root), views: [view] };
}
