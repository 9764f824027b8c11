// All heads at once: a chart with its menus, linked with the grid, and the table below it.

import { hasWeighted, numberText } from "../../heads/measures.js";
import { atlasOnScreen, atlasProblem, capital } from "../../heads/roles.js";
import { element, setText, withCode } from "../../page/dom.js";
import { TERM_OF_METRIC } from "../../page/glossary.js";
import { unbroken } from "../../page/labels.js";
import { isWeighted } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { menu } from "../../views/parts/menu.js";
import { segmented } from "../../views/parts/segmented.js";
import { switchBox } from "../../views/parts/switch.js";
import { term } from "../../views/parts/term.js";
import { ROLE, chartOptions, chartProblem, figure, isMeasured, shownChart } from "./chart_choice.js";
import { chartChoice } from "./choices.js";
import { createEvidenceCard } from "./evidence_card.js";
import { createChartScale, createHeadChart } from "./head_chart.js";
import { columnsOf } from "./head_rows.js";
import { createHeadsTable } from "./heads_table.js";

/** @typedef {import("./choices.js").Chart} Chart */
/** @typedef {import("./choices.js").ChartKind} ChartKind */

/** @type {{value: ChartKind, text: string, about: string}[]} */
const KINDS = [
  { value: "scatter", text: "Scatter", about: "Every point is a head." },
  { value: "map", text: "Similarity", about: "Every point is a head." },
  { value: "layers", text: "Layers", about: "The model from its first layer to its last." },
];
const SOURCES = [
  { value: "sentence", text: "This sentence" },
  { value: "corpus", text: "The corpus" },
];

/** @param {Store} store @param {HTMLElement} root @returns {PageView[]} */
export function createHeads(store, root) {
  const { actions } = store;
  const choose = (/** @type {Partial<Chart>} */ change) => actions.choose(chartChoice, { ...chartChoice.of(store.state), ...change });
  const kinds = segmented("Kind of chart", KINDS, (kind) => choose({ kind: /** @type {ChartKind} */ (kind) }), "kind");
  const source = menu("chart-source", "Measured on", (value) => choose({ source: value === "corpus" ? "corpus" : "sentence" }));
  const x = menu("chart-x", "Horizontal axis", (value) => choose({ x: value }));
  const y = menu("chart-y", "Vertical axis", (value) => choose({ y: value }));
  const color = menu("chart-color", "Colour", (value) => choose({ color: value }));
  const weighted = switchBox("chart-weighted", "Value-weighted", actions.setWeighted);
  weighted.field.title = "Also switches the grid.";
  const plot = element("div", { class: "chart", role: "figure", "aria-describedby": "heads-table-note" });
  const scale = createChartScale();
  const problem = element("p", { class: "chart-problem" });
  const note = element("p", { class: "hint" });
  const facts = element("ul", { class: "chart-facts hint" });
  const unloaded = element("p", { class: "chart-unloaded", role: "alert" });
  const drawChart = createHeadChart(plot, actions, (message) => setText(unloaded, message));
  const table = createHeadsTable(store);
  const evidence = createEvidenceCard(actions);
  const tools = element("div", { class: "chart-tools" }, source.field, x.field, y.field, color.field, weighted.field);
  root.replaceChildren(
    evidence.root,
    element("div", { class: "card chart-card" }, kinds.group, tools, scale.root, plot, unloaded, problem, note, facts),
    element("div", { class: "card table-card" }, table.root),
  );

  /** @param {SideView} side */
  function renderMenus(side) {
    const shown = shownChart(side);
    const { axis, color: colours } = chartOptions(side);
    kinds.mark(shown.kind);
    const part = (/** @type {import("./chart_choice.js").Option[]} */ options) => [{ label: "", options }];
    source.write(part(SOURCES), shown.source);
    x.write(part(axis), shown.x);
    y.write(part(axis), shown.y);
    color.write(part(colours), shown.color);
    setText(/** @type {Element} */ (color.field.firstElementChild), shown.kind === "layers" ? "Show" : "Colour");
    x.field.hidden = y.field.hidden = shown.kind !== "scatter";
    source.field.hidden = !isMeasured(shown);
    weighted.field.hidden = shown.source !== "sentence" || !isMeasured(shown);
    weighted.box.checked = isWeighted(side);
    weighted.box.disabled = hasWeighted(side) === false;
    const kind = KINDS.find(({ value }) => value === shown.kind)?.text;
    plot.setAttribute("aria-label", `${kind} of all heads; the table below has the numbers`);
  }

  /** @param {SideView} side what the numbers are, on what, how many */
  function renderFacts(side) {
    const { kind, color: colour } = shownChart(side);
    const columns = columnsOf(side).filter(({ name }) => kind === "scatter" || name === colour);
    const items = (chartProblem(side) ? [] : columns).map(({ name, quantity: { label, meaning, where, n, baseline, against } }) => {
      const count = n === null ? "" : `, n = ${n.toLocaleString("en")}`;
      const compared = baseline === null ? "" : `; ${against} ${numberText(baseline)}`;
      const words = unbroken(`: ${meaning.replace(/\.$/, "")} (${where}${count}${compared}).`);
      const id = TERM_OF_METRIC[name];
      return element("li", {}, element("b", {}, id ? term(id, capital(label)) : capital(label)), words);
    });
    facts.replaceChildren(...items);
  }

  /** @param {State} state the chart that can be shown, and why there is none */
  function shownFigure(state) {
    const side = onSide(state, "a");
    const present = figure.of(state);
    const reason = chartProblem(side) ?? present?.problem ?? null;
    const isFailed = side.run.phase === "failed";
    // The last chart stays, dimmed, until the next one is here; where none will come it goes.
    const isGone = reason !== null || (isFailed && present === null);
    const found = isGone ? null : ((present ?? figure.latest(state))?.answer ?? null);
    const wait = found || isFailed ? "" : "Waiting for the chart…";
    return { found, isOld: present === null, words: reason?.message ?? wait };
  }

  /** What the menus and the facts below the chart draw from. @param {State} state */
  function readMenus(state) {
    const side = onSide(state, "a");
    const { metrics_catalogue, analysis, values } = side;
    return [chartChoice.of(state), metrics_catalogue, analysis, values, atlasOnScreen(side), atlasProblem(side)];
  }

  return [
    ...evidence.views,
    {
      reads: readMenus,
      render(state) {
        renderMenus(onSide(state, "a"));
        renderFacts(onSide(state, "a"));
      },
    },
    {
      reads(state, theme) {
        const { found, isOld, words } = shownFigure(state);
        return [theme, found, isOld, words, ...readMenus(state)];
      },
      render(state, theme) {
        const { found, isOld, words } = shownFigure(state);
        plot.classList.toggle("stale", isOld);
        plot.hidden = found === null;
        problem.replaceChildren(...withCode(words));
        setText(note, found ? `${aboutOf(shownChart(onSide(state, "a")))} ${subtitleOf(found)}`.trim() : "");
        scale.render(found, theme);
      },
    },
    {
      // The rings of pins and cursor are redrawn alone.
      reads: (state, theme) => [theme, shownFigure(state).found, state.pins, onSide(state, "a").cursor],
      render(state, theme) {
        const { found } = shownFigure(state);
        if (found) drawChart(onSide(state, "a"), found, theme);
      },
    },
    ...table.views,
  ];
}

/** @param {Chart} chart what its marks are */
function aboutOf({ kind, color }) {
  const about = KINDS.find(({ value }) => value === kind)?.about ?? "";
  const isByRole = color === ROLE && kind !== "layers";
  return isByRole ? `${about} One with roles of several groups has the colour of the first.` : about;
}

/** @param {Figure} figure what the server says about it */
function subtitleOf({ layout }) {
  const text = /** @type {any} */ (layout.title)?.subtitle?.text;
  return typeof text === "string" && text !== "" ? `${text}.` : "";
}
