// What the run on screen is: its name, sizes and settings, how it stands, what happened in it, and what can be done with it.

import { element, setText, withCode } from "../../page/dom.js";
import { button } from "../../views/parts/button.js";
import { switchBox } from "../../views/parts/switch.js";
import { overlaidIds, shownRunId, shownSweep } from "../../training/choices.js";
import { fallWords, stepAfterGuessing } from "../../training/fall.js";
import { shownText } from "../../training/film.js";
import { shownRecord, stateOfRun } from "../../training/record.js";
import { isUnderWay, listedRun, numberWords, runList, settingsWords, stateWords } from "../../training/runs.js";
import { createRunSaving } from "./run_saving.js";

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createRunHead(store) {
  const { actions } = store;
  const order = (/** @type {"stop" | "resume" | "delete"} */ what) => {
    const run = shownRunId(store.state);
    if (run !== null) actions.orderRun({ what, run });
  };
  const name = element("h2", { class: "run-title" });
  const stands = element("span", { class: "run-stands", role: "status" });
  const about = element("p", { class: "quiet run-about" });
  const happened = element("p", { class: "run-happened" });
  const problem = element("p", { class: "problem", role: "alert", hidden: true });
  const stop = button("chip small", "Stop", () => order("stop"));
  const resume = button("chip small", "Resume", () => order("resume"));
  const remove = button("chip small", "Delete…", () => actions.askToDelete(shownRunId(store.state)));
  const sure = button("chip small danger", "Delete for good", () => order("delete"));
  const keep = button("chip small", "Keep", () => actions.askToDelete(null));
  const open = button("chip small", "Open as a model", openModel, { title: "Look at this model in all other tabs" });
  const others = element("div", { class: "drop-body overlay-list" });
  const compare = element("details", { class: "drop overlay" }, element("summary", { class: "chip small" }, "Compare with…"), others);
  const saving = createRunSaving(store);
  const tools = element("div", { class: "chips run-tools" }, stop, resume, compare, saving.root, open, remove, sure, keep);
  const title = element("div", { class: "run-title-row" }, name, stands, tools);
  const root = element("header", { class: "run-head" }, title, about, happened, saving.said, problem);

  function openModel() {
    const record = shownRecord(store.state);
    if (record === null) return;
    const text = shownText(store.state, record);
    actions.chooseExample({ title: "", text, text_pair: null, hint: "", against: null, model: record.id, tab: "pinned" });
  }

  /** Whether the run is a model already, by the list of models. @param {State} state */
  function isModel(state) {
    const id = shownRunId(state);
    return state.models.some((model) => model.id === id && model.available);
  }

  /** @param {State} state why there is nothing to show, or why an order was refused */
  function problemOf(state) {
    const id = shownRunId(state);
    const refused = state.training.problem;
    if (refused && refused.order !== "start") return refused.message;
    const record = shownRecord(state);
    const listed = listedRun(state, id);
    const isFailed = id !== null && stateOfRun(state, id) === "failed";
    return isFailed ? `The training failed: ${record?.message || listed?.message || "no reason is known"}` : "";
  }

  /** @type {PageView} */
  const words = {
    reads: (state) => [shownRecord(state), shownSweep(state), state.metrics_catalogue, problemOf(state), standsOf(state)],
    render(state) {
      const record = shownRecord(state);
      root.hidden = shownSweep(state) !== null || (record === null && problemOf(state) === "");
      setText(name, record?.name ?? listedRun(state, shownRunId(state))?.name ?? "");
      setText(stands, standsOf(state));
      setText(about, record ? `${settingsWords(record.settings)} · ${numberWords(record.n_parameters)} parameters` : "");
      const labelOf = (/** @type {string} */ metric) => state.metrics_catalogue?.metrics.find((one) => one.name === metric)?.label ?? metric;
      setText(happened, record ? fallWords(record.points, stepAfterGuessing(record), labelOf) : "");
      const found = problemOf(state);
      problem.hidden = found === "";
      problem.replaceChildren(...withCode(found));
    },
  };

  /** @type {PageView} */
  const buttons = {
    reads(state) {
      const id = shownRunId(state);
      const record = shownRecord(state);
      return [record?.id, record?.shipped, id && stateOfRun(state, id), state.training.deleting, state.training.ordered, isModel(state)];
    },
    render(state) {
      const id = shownRunId(state);
      const record = shownRecord(state);
      const stand = id === null ? null : stateOfRun(state, id);
      const isOwn = record !== null && !record.shipped;
      const isAsked = state.training.deleting !== null && state.training.deleting === id;
      stop.hidden = !isUnderWay(stand);
      resume.hidden = !isOwn || (stand !== "stopped" && stand !== "failed");
      remove.hidden = !isOwn || isUnderWay(stand) || isAsked;
      sure.hidden = keep.hidden = !isAsked;
      open.hidden = record === null || !isModel(state);
      compare.hidden = record === null;
      // Not disabled while an order waits for its answer: the keyboard would lose its place.
      for (const one of [stop, resume, sure]) one.setAttribute("aria-disabled", String(state.training.ordered !== null));
    },
  };

  /** @type {PageView} */
  const overlays = {
    reads: (state) => [shownRunId(state), overlaidIds(state), JSON.stringify(comparable(state).map(({ id, name: words }) => [id, words]))],
    render(state) {
      const chosen = overlaidIds(state);
      const focused = document.activeElement?.id;
      const boxes = comparable(state).map((run) => {
        const { field, box } = switchBox(`overlay-${run.id}`, run.name, () => actions.toggleOverlay(run.id));
        box.checked = chosen.includes(run.id);
        return field;
      });
      others.replaceChildren(...(boxes.length > 0 ? boxes : [element("p", { class: "hint" }, "There is no other run of this task.")]));
      if (focused?.startsWith("overlay-")) document.getElementById(focused)?.focus();
    },
  };
  return { root, views: [words, buttons, overlays, ...saving.views] };
}

/** Runs of the same task, whose losses can be compared. @param {State} state */
function comparable(state) {
  const shown = listedRun(state, shownRunId(state));
  return runList(state)?.filter(({ id, settings }) => id !== shown?.id && settings.task === shown?.settings.task && settings.n_symbols === shown.settings.n_symbols) ?? [];
}

/** How the run stands, unless it is one that comes with HeadScope. @param {State} state */
function standsOf(state) {
  const record = shownRecord(state);
  if (record === null || record.shipped) return "";
  const listed = listedRun(state, record.id);
  const stand = stateOfRun(state, record.id) ?? record.state;
  return stand === "done" ? "done" : stateWords({ ...record, state: stand, ahead: listed?.ahead ?? null });
}
