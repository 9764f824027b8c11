// The Training tab: lessons and runs on the left, the chosen run beside them.

import { element, setText } from "../../page/dom.js";
import { shownRunId, shownSweep } from "../../training/choices.js";
import { records, shownRecord } from "../../training/record.js";
import { createHeadMaps } from "./head_maps.js";
import { createLessons } from "./lessons.js";
import { createLossPlot } from "./loss_plot.js";
import { createRunForm } from "./run_form.js";
import { createRunHead } from "./run_head.js";
import { createRunList } from "./run_list.js";
import { createSweep } from "./sweep.js";
import { createScoresPlot } from "./scores_plot.js";
import { createTimeSlider } from "./time_slider.js";
import { createTrainingText } from "./training_text.js";

/** @param {Store} store @param {HTMLElement} root @returns {PageView[]} */
export function createTraining(store, root) {
  const lessons = createLessons(store.actions);
  const list = createRunList(store.actions);
  const head = createRunHead(store);
  const time = createTimeSlider(store);
  const loss = createLossPlot();
  const scores = createScoresPlot(store);
  const text = createTrainingText(store);
  const maps = createHeadMaps(store);
  const sweep = createSweep();
  const empty = element("p", { class: "empty training-empty" });
  const shown = element(
    "div",
    { class: "training-run" },
    time.root,
    element("div", { class: "training-charts" }, loss.root, scores.root),
    element("section", { class: "training-film", "aria-label": "Maps of all heads" }, text.field, maps.root, text.predictions),
  );
  const whole = element(
    "div",
    { class: "training" },
    element("aside", { class: "training-side card" }, lessons.root, list.root),
    element("div", { class: "training-main card" }, head.root, shown, sweep.root, empty),
  );

  /** Drawn first: it puts the tab into the page when that is opened. @type {PageView} */
  const frame = {
    reads: (state) => [shownRecord(state)?.id, shownSweep(state), emptyWords(state)],
    render(state) {
      if (whole.parentNode === null) root.append(whole);
      shown.hidden = shownRecord(state) === null;
      const words = emptyWords(state);
      empty.hidden = words === "";
      setText(empty, words);
    },
  };
  return [frame, ...lessons.views, ...list.views, ...head.views, ...time.views, ...loss.views, ...scores.views, ...text.views, ...maps.views, ...sweep.views, ...createRunForm(store)];
}

/** What is said where there is no run to show. @param {State} state */
function emptyWords(state) {
  const id = shownRunId(state);
  if (shownSweep(state) !== null || shownRecord(state) !== null) return "";
  if (id === null) return "Choose a lesson or a run on the left, or train a model.";
  const problem = records.find(state, { id })?.problem ?? null;
  if (problem === null) return "Waiting for the run…";
  return problem.code === "unknown_run" ? "This run is not here any more. Choose another one." : problem.message;
}
