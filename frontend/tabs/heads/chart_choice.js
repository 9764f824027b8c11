// What the chart of all heads can show, what it shows, and what the server is asked for it.

import { CORPUS, chosenQuantity, hasWeighted } from "../../heads/measures.js";
import { atlasOnScreen, atlasProblem, capital } from "../../heads/roles.js";
import { Memo } from "../../page/memo.js";
import { isAnswered, isWeighted, question } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { chartChoice } from "./choices.js";

/** @typedef {{value: string, text: string, title?: string}} Option */

export const ROLE = "role";
const LAYER = "layer";

/**
 * The numbers there are of the heads, on this sentence or on the corpus; classes only where asked for.
 * @param {SideView} state
 * @param {import("./choices.js").Chart["source"]} source
 * @param {boolean} withClasses
 * @returns {Option[]}
 */
function measured(state, source, withClasses) {
  const corpus = Object.entries(atlasOnScreen(state)?.measures ?? {}).map(([name, measure]) => ({ name, ...measure }));
  const sentence = (state.metrics_catalogue?.metrics ?? []).filter(({ kind }) => withClasses || kind === "number");
  const found = source === "corpus" ? corpus : sentence;
  return found.map(({ name, label, meaning }) => ({ value: name, text: capital(label), title: meaning }));
}

/** What can be chosen for the axes and for the colour of a chart. @param {SideView} state @returns {{axis: Option[], color: Option[]}} */
export function chartOptions(state) {
  const { kind, source } = chartChoice.of(state);
  const layer = { value: LAYER, text: "Layer" };
  const role = atlasOnScreen(state) ? [{ value: ROLE, text: kind === "layers" ? "Roles" : "Role" }] : [];
  const axis = [...measured(state, source, false), layer];
  if (kind === "layers") return { axis, color: [...role, ...measured(state, source, false)] };
  return { axis, color: [...role, layer, ...measured(state, source, true)] };
}

/**
 * The chart as it can be shown: what this source does not have gives way to something it has.
 * @param {SideView} state
 * @returns {import("./choices.js").Chart}
 */
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

/**
 * Why what is chosen cannot be drawn: it takes a corpus and there is no record of one, or not of this.
 * @param {SideView} state
 * @returns {Problem | null}
 */
export function chartProblem(state) {
  const { kind, source } = chartChoice.of(state);
  if (kind === "map" && atlasOnScreen(state)?.layout?.length === 0) return NO_LAYOUT;
  return kind === "map" || source === "corpus" ? atlasProblem(state) : null;
}

/**
 * Whether a chart shows numbers of a sentence or of a corpus; roles and layers are the same for every sentence.
 * @param {Pick<import("./choices.js").Chart, "kind" | "color">} chart
 */
export function isMeasured({ kind, color }) {
  return kind === "scatter" || (color !== ROLE && color !== LAYER);
}

/** @type {Memo<Record<string, unknown> | null>} */
const asked = new Memo();

/**
 * What the server is to be asked for the chart; null while it cannot be asked.
 * @param {State} state
 * @returns {Record<string, unknown> | null} the same object while nothing changes
 */
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

/**
 * A number of all heads, by its name and where it is measured.
 * @param {SideView} state
 * @param {import("./choices.js").Chart["source"]} source
 * @param {string} name
 * @returns {Quantity | null}
 */
export function quantityNamed(state, source, name) {
  return chosenQuantity({ ...state, color_by: source === "corpus" ? `${CORPUS}${name}` : name });
}

/** The names of the numbers that the chart is made of, each once. @param {SideView} state */
export function chartedNames(state) {
  const { kind, x, y, color } = shownChart(state);
  const names = kind === "scatter" ? [x, y, color] : [color, x, y];
  return [...new Set(names)].filter((name) => name !== ROLE && name !== LAYER);
}
