// The chosen score of every head over the training, against what it would be without the skill.

import { element, setText } from "../../page/dom.js";
import { Memo } from "../../page/memo.js";
import { menu } from "../../views/parts/menu.js";
import { scoreChoice, shownLesson } from "../../training/choices.js";
import { scoreChart, scoreFor, scoreOptions, scoreWords } from "../../training/curves.js";
import { shownPoint, shownRecord } from "../../training/record.js";
import { createLinePlot } from "./line_plot.js";

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createScoresPlot({ actions }) {
  const choose = menu("training-score", "Scores of the heads", (name) => actions.choose(scoreChoice, name));
  const chart = createLinePlot("Scores of the heads over the steps of the training");
  const words = element("p", { class: "hint score-words" });
  /** @type {Memo<LineChart>} */
  const known = new Memo();

  /** @param {State} state @param {RunRecord} record */
  const shownScore = (state, record) => scoreFor(record, [scoreChoice.of(state), shownLesson(state)?.score]);

  /** @type {PageView} */
  const view = {
    reads(state, theme) {
      const record = shownRecord(state);
      const pointed = state.training.pointed;
      return [theme, record, record && shownScore(state, record), record && shownPoint(state, record), pointed?.layer, pointed?.head, state.metrics_catalogue];
    },
    render(state, theme) {
      const record = shownRecord(state);
      const name = record && shownScore(state, record);
      root.hidden = !name;
      if (!record || !name) return;
      const metrics = state.metrics_catalogue?.metrics ?? [];
      const { relations, metrics: options } = scoreOptions(record, metrics);
      choose.write([{ label: "Relations of the task", options: relations }, { label: "Metrics", options }], name);
      const { pointed } = state.training;
      const head = pointed && { layer: pointed.layer, head: pointed.head };
      const drawn = known.get([record, name, pointed?.layer, pointed?.head], () => scoreChart(record, name, head));
      chart.draw(drawn, shownPoint(state, record)?.step ?? null, theme);
      setText(words, scoreWords(record, name, metrics));
    },
  };
  const root = element("section", { class: "training-scores" }, choose.field, chart.root, words);
  return { root, views: [view] };
}
