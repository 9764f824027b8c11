// The two records of many trainings: charts over the number of heads, and a table of roles across seeds.

import { element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { shownLesson, shownSweep } from "../../training/choices.js";
import { settingsWords } from "../../training/runs.js";
import { headsWords, isMatched, rolesWords, sweepCharts, sweeps } from "../../training/sweeps.js";
import { createLinePlot } from "./line_plot.js";

/** @typedef {import("../../training/sweeps.js").RolesSweep} RolesSweep */
/** @typedef {import("../../training/sweeps.js").RoleAcrossSeeds} RoleAcrossSeeds */

/** @returns {{root: HTMLElement, views: PageView[]}} */
export function createSweep() {
  const title = element("h2", { class: "sweep-title" });
  const about = element("p", { class: "quiet run-about" });
  const words = element("p", { class: "run-happened" });
  const problem = element("p", { class: "problem", role: "alert", hidden: true });
  const charts = element("div", { class: "sweep-charts" });
  const table = element("div", { class: "table-scroll sweep-table", tabindex: 0, role: "region", "aria-label": "Roles across seeds" });
  const note = element("p", { class: "hint" });
  const root = element("div", { class: "sweep", hidden: true }, element("header", { class: "run-head" }, title, about, words), problem, charts, table, note);
  /** @type {ReturnType<typeof createLinePlot>[]} */
  let plots = [];

  /** @type {PageView} */
  const view = {
    reads: (state, theme) => [theme, shownSweep(state), sweeps.of(state)],
    render(state, theme) {
      const which = shownSweep(state);
      const known = sweeps.of(state);
      root.hidden = which === null;
      if (which === null) return;
      const answer = known?.answer ?? null;
      setText(title, shownLesson(state)?.title ?? "");
      problem.hidden = !known?.problem;
      setText(problem, known?.problem?.message ?? "");
      charts.hidden = which !== "heads" || answer === null;
      table.hidden = which !== "roles" || answer === null;
      note.hidden = answer === null;
      setText(about, answer === null ? (known ? "" : "Waiting for the record…") : aboutOf(which, answer));
      setText(words, answer === null ? "" : which === "heads" ? headsWords(answer.heads) : rolesWords(answer.roles));
      if (answer !== null && which === "heads") drawCharts(answer.heads, theme);
      if (answer !== null && which === "roles") drawTable(answer.roles);
    },
  };

  /** @param {import("../../training/sweeps.js").HeadsSweep} sweep @param {Theme} theme */
  function drawCharts(sweep, theme) {
    const made = sweepCharts(sweep);
    if (plots.length !== made.length) {
      plots = made.map(({ title: name }) => createLinePlot(`${name} over the number of heads`));
      charts.replaceChildren(...made.map(({ title: name }, at) => element("section", { class: "sweep-chart" }, element("h3", { class: "training-part" }, name), plots[at].root)));
    }
    made.forEach(({ chart }, at) => plots[at].draw(chart, null, theme));
    setText(note, "Dots are single seeds, lines their mean, bars reach from the lowest to the highest seed; a seed that never had 95 % right is left out. Heads have a role when they find the deciding word more often than the best rule that does not read.");
  }

  /** @param {RolesSweep} sweep */
  function drawTable({ seeds, roles, matched_distance, shuffled_distance }) {
    const column = (/** @type {string} */ text, /** @type {string} */ meaning = "") => element("th", { scope: "col", title: meaning || null }, text);
    const head = element(
      "tr",
      {},
      ...[column("Role"), ...seeds.map((seed) => column(`Seed ${seed}`))],
      column("Matched head", "How often the head matched by its maps has the role, too"),
      column("Shuffled", "The same for random matchings: the mean, and what 97.5 % of them stay below"),
      column("Same number", "How often the head of the same layer and number has the role"),
    );
    const body = roles.map((role) => roleRow(role, seeds));
    table.replaceChildren(element("table", { class: "roles-table" }, element("thead", {}, head), element("tbody", {}, ...body)));
    setText(note, `Heads are matched by the mean divergence of their maps: ${matched_distance.toFixed(2)} nats for matched heads, ${shuffled_distance.toFixed(2)} for all pairs. ✓: more often than 97.5 % of 10,000 shuffled matchings.`);
  }
  return { root, views: [view] };
}

/** @param {"heads" | "roles"} which @param {import("../../training/sweeps.js").Sweeps} answer */
function aboutOf(which, { heads, roles }) {
  if (which === "roles") return `Small language · seeds ${roles.seeds.join(", ")} · ${settingsWords(roles.settings).replace(/ · seed \d+$/, "")}`;
  const seeds = [...new Set(heads.runs.map(({ seed }) => seed))];
  const { d_model, n_layers, steps } = heads.settings;
  return `Small language · d_model ${d_model} · ${n_layers} layers · ${steps.toLocaleString("en")} steps · ${seeds.length} seeds each`;
}

/** @param {RoleAcrossSeeds} role @param {number[]} seeds */
function roleRow(role, seeds) {
  const percent = (/** @type {number | null} */ share) => (share === null ? "–" : `${Math.round(100 * share)} %`);
  const heads = (/** @type {number} */ seed) => role.placed.find((one) => one.seed === seed)?.heads.map(([layer, head]) => headName(layer, head)).join(", ") || "–";
  const shuffled = role.shuffled === null ? "–" : `${percent(role.shuffled)} (${percent(role.shuffled_high)})`;
  return element(
    "tr",
    { "data-role": role.role },
    element("th", { scope: "row" }, role.label),
    ...seeds.map((seed) => element("td", {}, heads(seed))),
    element("td", { class: "number", title: `n = ${role.n_pairs}` }, `${percent(role.matched)}${isMatched(role) ? " ✓" : ""}`),
    element("td", { class: "number" }, shuffled),
    element("td", { class: "number" }, percent(role.same_place)),
  );
}
