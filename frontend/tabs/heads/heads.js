// All heads at once: a chart with its menus, linked with the grid, and the table below it.

import {
  ROLE,
  chartOptions,
  chartProblem,
  chartedNames,
  figureQuestion,
  isMeasured,
  quantityNamed,
  shownChart,
} from "../../heads/chart_choice.js";
import { hasWeighted, numberText } from "../../heads/measures.js";
import { capital } from "../../heads/roles.js";
import { unbroken } from "../../maps/labels.js";
import { byId, element, setText, withCode } from "../../page/dom.js";
import { isWeighted } from "../../state/selectors.js";
import { menu } from "../../views/parts/menu.js";
import { EvidenceCard } from "./evidence_card.js";
import { createChartScale, createHeadChart } from "./head_chart.js";
import { HeadsTable } from "./heads_table.js";

/** @typedef {import("../../requests/api.js").Figure} Figure */
/** @typedef {import("../../state/view.js").ChartKind} ChartKind */

/** @type {{kind: ChartKind, label: string, about: string}[]} */
const KINDS = [
  { kind: "scatter", label: "Scatter", about: "Every point is a head." },
  { kind: "map", label: "Similarity", about: "Every point is a head." },
  { kind: "layers", label: "Layers", about: "The model from its first layer to its last." },
];
const SOURCES = [
  { value: "sentence", text: "This sentence" },
  { value: "corpus", text: "The corpus" },
];
const MENUS = ["tab", "chart", "metrics_catalogue", "atlas", "analysis", "measured", "model", "values", "run"];

/** @param {Actions} actions */
export function createHeads(actions) {
  const kinds = KINDS.map(({ kind, label }) =>
    element("button", { type: "button", "data-kind": kind, onclick: () => actions.chooseChart({ kind }) }, label),
  );
  const source = menu("chart-source", "Measured on", (value) =>
    actions.chooseChart({ source: value === "corpus" ? "corpus" : "sentence" }),
  );
  const x = menu("chart-x", "Across", (value) => actions.chooseChart({ x: value }));
  const y = menu("chart-y", "Up", (value) => actions.chooseChart({ y: value }));
  const color = menu("chart-color", "Colour", (value) => actions.chooseChart({ color: value }));
  const weighted = element("input", {
    type: "checkbox",
    id: "chart-weighted",
    onchange: () => actions.setWeighted(weighted.checked),
  });
  const weightedField = element("label", { class: "switch", for: "chart-weighted" }, weighted, "value-weighted");
  const plot = element("div", { class: "chart", role: "figure", "aria-describedby": "heads-table-note" });
  const scale = createChartScale();
  const problem = element("p", { class: "chart-problem" });
  const note = element("p", { class: "hint" });
  const facts = element("ul", { class: "chart-facts hint" });
  const chart = createHeadChart(plot, actions, (message) => setText(problem, message));
  const table = new HeadsTable(actions);
  const evidence = new EvidenceCard(actions);
  byId("tab-heads", HTMLElement).replaceChildren(
    evidence.root,
    element(
      "div",
      { class: "card chart-card" },
      element("div", { class: "segmented", role: "group", "aria-label": "Kind of chart" }, ...kinds),
      element("div", { class: "chart-tools" }, source.field, x.field, y.field, color.field, weightedField),
      scale.root,
      plot,
      problem,
      note,
      facts,
    ),
    element("div", { class: "card table-card" }, table.root),
  );

  /** @param {State} state */
  function renderMenus(state) {
    const shown = shownChart(state);
    const { axis, color: colours } = chartOptions(state);
    for (const button of kinds) button.setAttribute("aria-pressed", String(button.dataset.kind === shown.kind));
    const part = (/** @type {import("../../heads/chart_choice.js").Option[]} */ options) => [{ label: "", options }];
    source.write(part(SOURCES), shown.source);
    x.write(part(axis), shown.x);
    y.write(part(axis), shown.y);
    color.write(part(colours), shown.color);
    setText(/** @type {Element} */ (color.field.firstElementChild), shown.kind === "layers" ? "Show" : "Colour");
    x.field.hidden = y.field.hidden = shown.kind !== "scatter";
    source.field.hidden = !isMeasured(shown);
    weightedField.hidden = shown.source !== "sentence" || !isMeasured(shown);
    weighted.checked = isWeighted(state);
    weighted.disabled = hasWeighted(state) === false;
    plot.setAttribute(
      "aria-label",
      `${KINDS.find(({ kind }) => kind === shown.kind)?.label} of all heads; the table below has the numbers`,
    );
  }

  /** @param {State} state what the numbers are, on what, how many */
  function renderFacts(state) {
    const { kind, source: where, color: colour } = shownChart(state);
    const names = kind === "scatter" ? chartedNames(state) : chartedNames(state).filter((name) => name === colour);
    const found = chartProblem(state) ? [] : names;
    const items = found.flatMap((name) => {
      const quantity = quantityNamed(state, where, name);
      if (!quantity) return [];
      const n = quantity.n === null ? "" : `, n = ${quantity.n.toLocaleString("en")}`;
      const baseline = quantity.baseline === null ? "" : `; ${quantity.against} ${numberText(quantity.baseline)}`;
      const told = unbroken(`: ${quantity.meaning.replace(/\.$/, "")} (${quantity.where}${n}${baseline}).`);
      return [element("li", {}, element("b", {}, capital(quantity.label)), told)];
    });
    facts.replaceChildren(...items);
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     * @param {Theme} theme
     */
    render(state, changed, theme) {
      if (state.tab !== "heads") return;
      if (MENUS.some((key) => changed.has(key))) {
        renderMenus(state);
        renderFacts(state);
      }
      evidence.render(state);
      const isNow = state.figure?.asked === JSON.stringify(figureQuestion(state));
      const reason = chartProblem(state) ?? (isNow ? state.figure?.problem : null) ?? null;
      // An older chart stays, dimmed, until the next one is here; where none will come it goes.
      const isGone = reason !== null || (state.run.phase === "failed" && !isNow);
      const figure = isGone ? null : (state.figure?.answer ?? null);
      plot.classList.toggle("stale", !isNow);
      plot.hidden = figure === null;
      const wait = figure || state.run.phase === "failed" ? "" : "Waiting for the chart…";
      problem.replaceChildren(...withCode(reason?.message ?? wait));
      setText(note, figure ? `${aboutOf(shownChart(state))} ${subtitleOf(figure)}`.trim() : "");
      scale.render(figure, theme);
      if (figure) chart.render(state, figure, theme);
      table.render(state, changed);
    },
  };
}

/** @param {Chart} chart what its marks are */
function aboutOf({ kind, color }) {
  const about = KINDS.find((one) => one.kind === kind)?.about ?? "";
  const isByRole = color === ROLE && kind !== "layers";
  return isByRole ? `${about} One with roles of several groups has the colour of the first.` : about;
}

/** @param {Figure} figure what the server says about it */
function subtitleOf({ layout }) {
  const text = /** @type {any} */ (layout.title)?.subtitle?.text;
  return typeof text === "string" && text !== "" ? `${text}.` : "";
}
