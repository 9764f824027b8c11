// What the chart of all heads can show, what it shows, and what the server is asked for it.

import { hasWeighted } from "../../heads/measures.js";
import { atlasOnScreen, atlasProblem, capital } from "../../heads/roles.js";
import { Memo } from "../../page/memo.js";
import { resource } from "../../requests/resource.js";
import { isAnswered, isWeighted, question } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { chartChoice } from "./choices.js";

/** @typedef {import("./choices.js").Chart} Chart */
/** @typedef {{value: string, text: string, title?: string}} Option */

export const ROLE = "role";
const LAYER = "layer";

/** What can be chosen for the axes and for the colour of a chart. @param {SideView} state @returns {{axis: Option[], color: Option[]}} */
export function chartOptions(state) {
  const { kind, source } = chartChoice.of(state);
  const corpus = Object.entries(atlasOnScreen(state)?.measures ?? {}).map(([name, measure]) => ({ name, kind: "number", ...measure }));
  const measured = (source === "corpus" ? corpus : (state.metrics_catalogue?.metrics ?? [])).map((one) => {
    return { isNumber: one.kind === "number", option: { value: one.name, text: capital(one.label), title: one.meaning } };
  });
  const numbers = measured.filter(({ isNumber }) => isNumber).map(({ option }) => option);
  const layer = { value: LAYER, text: "Layer" };
  const role = atlasOnScreen(state) ? [{ value: ROLE, text: kind === "layers" ? "Roles" : "Role" }] : [];
  const others = kind === "layers" ? numbers : [layer, ...measured.map(({ option }) => option)];
  return { axis: [...numbers, layer], color: [...role, ...others] };
}

/** The chart with each choice that its source does not have replaced by one that it has. @param {SideView} state @returns {Chart} */
export function shownChart(state) {
  const chart = chartChoice.of(state);
  const { axis, color } = chartOptions(state);
  const among = (/** @type {Option[]} */ options, /** @type {string} */ name, /** @type {number} */ otherwise) =>
    options.some(({ value }) => value === name) ? name : (options[otherwise]?.value ?? name);
  return { ...chart, x: among(axis, chart.x, 0), y: among(axis, chart.y, 1), color: among(color, chart.color, 0) };
}

/** @type {Problem} */
const NO_LAYOUT = {
  code: "not_measured",
  message: "How similar the heads of this model are was not measured. “What was measured…” above leads to it.",
  details: null,
};

/** Why the chosen chart cannot be drawn: it needs a corpus and there is no record of one, or not of this. @param {SideView} state */
export function chartProblem(state) {
  const { kind, source } = chartChoice.of(state);
  if (kind === "map" && atlasOnScreen(state)?.layout?.length === 0) return NO_LAYOUT;
  return kind === "map" || source === "corpus" ? atlasProblem(state) : null;
}

/** Whether a chart shows measurements: roles and layers are the same for every sentence. @param {Pick<Chart, "kind" | "color">} chart */
export function isMeasured({ kind, color }) {
  return kind === "scatter" || (color !== ROLE && color !== LAYER);
}

/** @type {Memo<Record<string, unknown> | null>} */
const asked = new Memo();

/** What to ask the server for the chart; null while it cannot be asked. The same object while nothing changes. @param {State} state */
export function figureQuestion(state) {
  const side = onSide(state, "a");
  const { model, analysis, metrics_catalogue, values, build } = side;
  const known = [atlasOnScreen(side), atlasProblem(side), question(side), isAnswered(side)];
  const from = [chartChoice.of(state), model, analysis, metrics_catalogue, values, build.edition, ...known];
  return asked.get(from, () => questionOf(side));
}

/** @param {SideView} side */
function questionOf(side) {
  const model = side.analysis?.model ?? side.model; // the one whose record the menus are made from
  const isKnown = atlasOnScreen(side) !== null || atlasProblem(side) !== null;
  if (model === null || side.metrics_catalogue === null || !isKnown || chartProblem(side) !== null) return null;
  const { kind, x, y, color, source } = shownChart(side);
  const { edition } = side.build; // more of the heads may be measured since: that may give another chart
  const chosen = kind === "scatter" ? { x, y, color } : kind === "map" ? { color } : { y: color };
  if (source === "corpus" || !isMeasured({ kind, color })) return { kind, model, source: "corpus", ...chosen, edition };
  const weighted = isWeighted(side);
  const isRefused = weighted && hasWeighted(side) === false; // the stream is refused too, and says why
  return isAnswered(side) && !isRefused ? { kind, ...question(side), source, weighted, ...chosen, edition } : null;
}

/** Asked once for each chart, question and atlas. @type {import("../../requests/resource.js").Resource<Record<string, unknown>, Figure>} */
export const figure = resource("/figures", figureQuestion, {
  when: ({ tab }) => tab === "heads",
  body: (/** @type {Record<string, unknown>} */ { edition: _, ...sent }) => sent,
});
