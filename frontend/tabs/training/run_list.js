// The list of runs: those that come with HeadScope, then those trained here with how they stand.

import { element } from "../../page/dom.js";
import { button } from "../../views/parts/button.js";
import { menu } from "../../views/parts/menu.js";
import { shownRunId, shownSweep } from "../../training/choices.js";
import { lossText, runList, runs, stateWords } from "../../training/runs.js";

/** @typedef {import("../../training/runs.js").RunSummary} RunSummary */

const NONE = "none";

/** @param {Actions} actions @returns {{root: HTMLElement, views: PageView[]}} */
export function createRunList(actions) {
  const choose = menu("training-run", "Run", (id) => id !== NONE && actions.showRun(id));
  const train = button("primary", "Train a model…", () => actions.openRunForm(), { id: "train-open-form", "aria-haspopup": "dialog" });
  const shipped = element("ul", { class: "run-list" });
  const own = element("ul", { class: "run-list" });
  const none = element("p", { class: "hint" }, "Nothing was trained here yet.");
  const problem = element("p", { class: "problem", role: "alert", hidden: true });
  const root = element(
    "section",
    { class: "training-runs", "aria-labelledby": "training-runs-title" },
    element("h2", { id: "training-runs-title", class: "training-part" }, "Runs"),
    choose.field,
    train,
    problem,
    element("h3", { class: "run-group" }, "Trained here"),
    own,
    none,
    element("h3", { class: "run-group" }, "Come with HeadScope"),
    shipped,
  );

  /** @param {RunSummary} run @param {string | null} chosen */
  function item(run, chosen) {
    const loss = run.loss === null ? "" : lossText(run.loss);
    const about = run.shipped ? [] : [element("span", { class: "quiet run-state" }, stateWords(run))];
    const attributes = { type: "button", class: "run-item", "data-run": run.id, "data-state": run.state, "aria-current": String(run.id === chosen), onclick: () => actions.showRun(run.id) };
    const number = element("span", { class: "run-loss", title: "Held-out loss, in nats" }, loss);
    return element("li", {}, element("button", attributes, element("span", { class: "run-name" }, run.name), number, ...about));
  }

  const shown = (/** @type {State} */ state) => (shownSweep(state) === null ? shownRunId(state) : null);
  /** @type {PageView} */
  const view = {
    // Compared as text: the list is asked for again and again while something is trained, and mostly comes unchanged.
    reads: (state) => [JSON.stringify(runList(state)), shown(state), runs.of(state)?.problem],
    render(state) {
      const list = runList(state) ?? [];
      const chosen = shown(state);
      const [here, come] = [list.filter((run) => !run.shipped), list.filter((run) => run.shipped)];
      const focused = root.querySelector("[data-run]:focus")?.getAttribute("data-run");
      own.replaceChildren(...here.map((run) => item(run, chosen)));
      shipped.replaceChildren(...come.map((run) => item(run, chosen)));
      if (focused) /** @type {HTMLElement | null} */ (root.querySelector(`[data-run="${CSS.escape(focused)}"]`))?.focus({ preventScroll: true });
      none.hidden = here.length > 0 || runList(state) === null;
      const failed = runs.of(state)?.problem ?? null;
      problem.hidden = failed === null;
      problem.textContent = failed?.message ?? "";
      const options = (/** @type {RunSummary[]} */ group) => group.map(({ id, name, state: stands }) => ({ value: id, text: stands === "done" ? name : `${name} (${stands})` }));
      const isListed = list.some(({ id }) => id === chosen);
      const first = isListed ? [] : [{ label: "", options: [{ value: NONE, text: "Choose a run" }] }];
      choose.write([...first, { label: "Trained here", options: options(here) }, { label: "Come with HeadScope", options: options(come) }], isListed ? String(chosen) : NONE);
    },
  };
  return { root, views: [view] };
}
