// The panel that measures a model's heads: its sections, what each needs, starting, progress, stopping.

import { capital } from "../../heads/roles.js";
import { element, setText, withCode } from "../../page/dom.js";
import { perObject } from "../../page/memo.js";
import { pageView } from "../draw_views.js";
import { button } from "../parts/button.js";
import { createDialog } from "../parts/dialog.js";
import { stepWords } from "./measure_button.js";

/** @typedef {import("../../requests/build_api.js").SectionStatus} SectionStatus */

const ABOUT =
  "HeadScope runs the model on texts with known answers, and on null models, to find out what each head does. This takes minutes to hours on the server; it continues when this window or the page is closed, and finished sections are kept.";
/** What starts a build that was begun. @type {Record<string, string>} */
const START_WORDS = { stopped: "Continue", failed: "Try again" };

/** @param {Actions} actions @returns {PageView[]} */
export function createBuildPanel(actions) {
  const dialog = createDialog("build", "", { opened: () => start.focus() });
  dialog.root.addEventListener("close", () => actions.closeBuild());
  const list = element("ul", { class: "build-sections" });
  const step = element("p", { class: "build-step", role: "status", id: "build-step" });
  const doing = element("p", { class: "quiet" });
  const bar = element("progress", { "aria-labelledby": "build-step" });
  const problem = element("div", { class: "problem", role: "alert" });
  const start = button("primary", "", () => actions.orderBuild("start"));
  const stop = button("chip", "Stop", () => actions.orderBuild("stop"));
  // At the foot, so that progress stays in sight while the list is read.
  const foot = element("div", { class: "build-foot" }, bar, doing, start, stop, step);
  dialog.body.append(element("p", { class: "build-about" }, ABOUT), list, problem, foot);

  /** @param {State} state */
  function renderProblem({ build }) {
    const found = problemOf(build);
    problem.hidden = found === null;
    problem.replaceChildren(element("p", {}, ...withCode(found?.message ?? "")));
    if (found?.code !== "build_running") return;
    const { model } = /** @type {{model: string}} */ (found.details);
    problem.append(element("div", { class: "chips" }, button("chip", "Show that build", () => actions.openBuild(model))));
  }

  /** @param {BuildStatus | null} status @param {BuildWork["ordered"]} ordered @param {Problem | null} refused */
  function renderProgress(status, ordered, refused) {
    const isRunning = status?.build.state === "running";
    const { done = 0, total = 0, message = "" } = status?.build ?? {};
    bar.hidden = doing.hidden = !isRunning;
    if (total > 0) bar.value = done / total;
    else bar.removeAttribute("value");
    const count = total > 0 ? `, ${done.toLocaleString("en")} of ${total.toLocaleString("en")}` : "";
    setText(doing, message === "" ? "" : `${capital(message)}${count}`);
    setText(step, status ? stateWords(status) : refused ? "" : "Asking the server…");
    const focused = [start, stop].find((button) => button === document.activeElement);
    stop.hidden = !isRunning;
    start.hidden = isRunning || status === null || remaining(status).length === 0;
    setText(start, START_WORDS[status?.build.state ?? ""] ?? "Start");
    // Not disabled while an order waits for its answer: the keyboard would lose its place.
    for (const button of [start, stop]) button.setAttribute("aria-disabled", String(ordered !== null));
    if (focused?.hidden) ([start, stop].find(({ hidden }) => !hidden) ?? dialog.closer).focus();
  }

  return [
    {
      reads: ({ build }) => (build.open === null ? null : [build.status && listKey(build.status)]),
      render({ build: { status } }) {
        list.replaceChildren(...(status ? status.sections.map((section) => sectionItem(section, status)) : []));
      },
    },
    { reads: ({ build }) => (build.open === null ? null : [problemOf(build)?.message]), render: renderProblem },
    pageView(({ build }) => (build.open === null ? null : [build.status, build.ordered, build.problem]), renderProgress),
    // Last: it takes the focus to what the others show.
    pageView(({ build, models }) => [build.open, models], (open, models) => {
      if (open === null) return dialog.close();
      setText(dialog.heading, `Measure the heads of ${models.find(({ id }) => id === open)?.name ?? open}`);
      dialog.open();
    }),
  ];
}

/** Why the last order was refused, or the build failed. @param {BuildWork} build */
function problemOf({ problem, status }) {
  return problem ?? status?.build.error ?? null;
}

/** What the list shows of a build, which is reported about once a second: the same while it need not be written again. */
const listKey = perObject((/** @type {BuildStatus} */ { sections, build }) =>
  JSON.stringify([sections, ...(build.state === "running" ? [build.section, build.sections] : [])]),
);

/** The sections that can be measured and are not yet. @param {BuildStatus} status */
export function remaining({ sections }) {
  return sections.filter(({ needs, measured }) => needs === null && measured === null);
}

/** How far the measuring is; changes only from section to section, because it is spoken. @param {BuildStatus} status */
export function stateWords(status) {
  const { sections, build } = status;
  if (build.state === "running") {
    const label = sections.find(({ section }) => section === build.section)?.label;
    return `${capital(stepWords(build))}${label ? `: ${label}` : "…"}`;
  }
  if (build.state === "stopped" || build.state === "failed") return `${capital(build.state)}. Finished sections are kept.`;
  const left = remaining(status).length;
  if (left === 0) return "Everything that can be measured here has been measured.";
  return `${build.state === "done" ? "Done. " : ""}${left} ${left === 1 ? "section" : "sections"} to measure.`;
}

/** The state of a section: a name for the style sheet, and words. @param {SectionStatus} section @param {BuildStatus} status */
export function sectionState({ section, needs, measured }, { build }) {
  const isRunning = build.state === "running";
  if (isRunning && build.section === section) return ["now", "in progress"];
  if (measured !== null) return ["measured", `measured ${measured}`];
  if (needs !== null) return ["needs", "cannot be measured here"];
  return isRunning && build.sections.includes(section) ? ["waiting", "waiting"] : ["open", "not measured yet"];
}

/** @param {SectionStatus} section @param {BuildStatus} status */
function sectionItem(section, status) {
  const [state, words] = sectionState(section, status);
  const item = element(
    "li",
    { "data-section": section.section, "data-state": state },
    element("div", { class: "build-section" }, element("b", {}, section.label), element("span", { class: "quiet" }, words)),
    element("p", {}, section.measures),
  );
  if (state === "needs" && section.needs !== null) {
    const sentence = capital(/[.!?]$/.test(section.needs) ? section.needs : `${section.needs}.`);
    item.append(element("p", { class: "build-needs" }, ...withCode(sentence)));
  }
  return item;
}
