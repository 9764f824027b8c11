// What the chart of all heads can show, what it shows, and what the server is asked for it.

import { isStale, isWeighted, question } from "../state/selectors.js";
import { CORPUS, chosenQuantity, hasWeighted } from "./measures.js";
import { atlasOnScreen, atlasProblem, capital } from "./roles.js";

/** @typedef {{value: string, text: string, title?: string}} Option */

export const ROLE = "role";
const LAYER = "layer";

/**
 * The numbers there are of the heads, on this sentence or on the corpus; classes only where asked for.
 * @param {State} state
 * @param {Chart["source"]} source
 * @param {boolean} withClasses
 * @returns {Option[]}
 */
function measured(state, source, withClasses) {
  const corpus = Object.entries(atlasOnScreen(state)?.measures ?? {}).map(([name, measure]) => ({ name, ...measure }));
  const sentence = (state.metrics_catalogue?.metrics ?? []).filter(({ kind }) => withClasses || kind === "number");
  const found = source === "corpus" ? corpus : sentence;
  return found.map(({ name, label, meaning }) => ({ value: name, text: capital(label), title: meaning }));
}

/**
 * What can be chosen for the axes and for the colour of a chart.
 * @param {State} state
 * @returns {{axis: Option[], color: Option[]}}
 */
export function chartOptions(state) {
  const { kind, source } = state.chart;
  const layer = { value: LAYER, text: "Layer" };
  const role = atlasOnScreen(state) ? [{ value: ROLE, text: kind === "layers" ? "Roles" : "Role" }] : [];
  const axis = [...measured(state, source, false), layer];
  if (kind === "layers") return { axis, color: [...role, ...measured(state, source, false)] };
  return { axis, color: [...role, layer, ...measured(state, source, true)] };
}

/**
 * The chart as it can be shown: what this source does not have gives way to something it has.
 * @param {State} state
 * @returns {Chart}
 */
export function shownChart(state) {
  const { chart } = state;
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

/**
 * Why what is chosen cannot be drawn: it takes a corpus and there is no record of one, or not of this.
 * @param {State} state
 * @returns {Problem | null}
 */
export function chartProblem(state) {
  const { kind, source } = state.chart;
  if (kind === "map" && atlasOnScreen(state)?.layout?.length === 0) return NO_LAYOUT;
  return kind === "map" || source === "corpus" ? atlasProblem(state) : null;
}

/**
 * Whether a chart shows numbers of a sentence or of a corpus; roles and layers are the same for every sentence.
 * @param {Pick<Chart, "kind" | "color">} chart
 */
export function isMeasured({ kind, color }) {
  return kind === "scatter" || (color !== ROLE && color !== LAYER);
}

/**
 * What the server is to be asked for the chart; null while it cannot be asked.
 * @param {State} state
 * @returns {Record<string, unknown> | null}
 */
export function figureQuestion(state) {
  const { analysis, connection, metrics_catalogue, run } = state;
  const model = analysis?.model ?? state.model; // the one whose record the menus are made from
  const isKnown = atlasOnScreen(state) !== null || atlasProblem(state) !== null;
  const isReady = metrics_catalogue !== null && isKnown && connection !== "lost";
  if (model === null || !isReady || chartProblem(state) !== null) return null;
  const { kind, x, y, color, source } = shownChart(state);
  const chosen = kind === "scatter" ? { x, y, color } : kind === "map" ? { color } : { y: color };
  if (source === "corpus" || !isMeasured({ kind, color })) return { kind, model, source: "corpus", ...chosen };
  const asked = question(state);
  if (asked === null || run.phase !== "done" || isStale(state)) return null;
  const weighted = isWeighted(state);
  if (weighted && hasWeighted(state) === false) return null; // the stream is refused too, and says why
  return { kind, ...asked, source, weighted, ...chosen };
}

/**
 * A number of all heads, by its name and where it is measured.
 * @param {State} state
 * @param {Chart["source"]} source
 * @param {string} name
 * @returns {Quantity | null}
 */
export function quantityNamed(state, source, name) {
  return chosenQuantity({ ...state, color_by: source === "corpus" ? `${CORPUS}${name}` : name });
}

/**
 * The names of the numbers that the chart is made of, each once.
 * @param {State} state
 */
export function chartedNames(state) {
  const { kind, x, y, color } = shownChart(state);
  const names = kind === "scatter" ? [x, y, color] : [color, x, y];
  return [...new Set(names)].filter((name) => name !== ROLE && name !== LAYER);
}
