// The two charts of a run as lines: its loss, with the levels of theory, and the scores of its heads.

import { headName } from "../page/labels.js";
import { lossText, numberWords } from "./runs.js";

/** @typedef {import("../drawing/line_chart.js").LineChart} LineChart */
/** @typedef {import("../drawing/line_chart.js").Series} Series */
/** @typedef {import("./record.js").RunRecord} RunRecord */
/** @typedef {{value: string, text: string, title?: string}} ScoreOption */
/** @typedef {{name: string, label: string, meaning: string}} MetricWords */

/** More heads than these are drawn alike, and only the one pointed at stands out. */
const MOST_APART = 12;
/** Intervals of more heads would hide each other. */
const MOST_BANDS = 4;
const DASHES = ["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"];

/** @param {number} step */
const stepTitle = (step) => `Step (of ${numberWords(step)})`;

/** @param {RunRecord} record @param {RunRecord[]} overlaid other runs @returns {LineChart} */
export function lossChart(record, overlaid) {
  const heldOut = (/** @type {RunRecord} */ { points }) => ({ x: points.map(({ step }) => step), y: points.map(({ loss }) => loss) });
  /** @type {Series[]} */
  const series = [
    { name: "its own batches", x: record.losses.map(({ step }) => step), y: record.losses.map(({ loss }) => loss), tone: "muted", width: 1, isUnnamed: true },
    ...overlaid.map((other, at) => ({ ...heldOut(other), name: other.name, tone: at + 1, width: 1.8, dash: DASHES[(at + 1) % DASHES.length] })),
    { ...heldOut(record), name: record.name, tone: 0, width: 2.6, markers: true },
  ];
  const lines = record.lines.map(({ label, value, meaning }) => ({ y: value, text: `${label} ${lossText(value)}`, title: meaning }));
  const last = Math.max(record.settings.steps, ...overlaid.map(({ settings }) => settings.steps));
  return { series, lines, xTitle: stepTitle(record.settings.steps), xRange: [0, last], yTitle: "Loss (nats)" };
}

/** What the chart of scores can show of a run. @param {RunRecord} record @param {MetricWords[]} metrics @returns {{relations: ScoreOption[], metrics: ScoreOption[]}} */
export function scoreOptions({ points }, metrics) {
  const [point] = points;
  const words = new Map(metrics.map((metric) => [metric.name, metric]));
  const relations = Object.entries(point?.relations ?? {}).map(([value, { label }]) => ({ value, text: capital(label) }));
  const options = Object.keys(point?.metrics ?? {}).map((value) => ({ value, text: capital(words.get(value)?.label ?? value), title: words.get(value)?.meaning }));
  return { relations, metrics: options };
}

/** The score to show: the chosen one, else that of the lesson, else the first relation, else induction. @param {RunRecord} record @param {(string | null | undefined)[]} wished */
export function scoreFor({ points }, wished) {
  const { relations = {}, metrics = {} } = points[0] ?? {};
  const has = (/** @type {string | null | undefined} */ name) => typeof name === "string" && (name in relations || name in metrics);
  return wished.find(has) ?? Object.keys(relations)[0] ?? (has("induction") ? "induction" : (Object.keys(metrics)[0] ?? null));
}

/** @param {RunRecord} record @param {string} name of a relation or a metric @param {Cell | null} pointed the head that stands out @returns {LineChart} */
export function scoreChart(record, name, pointed) {
  const { points, settings } = record;
  const isRelation = name in (points[0]?.relations ?? {});
  const x = points.map(({ step }) => step);
  const isMany = settings.n_layers * settings.n_heads > MOST_APART;
  const ofEach = (/** @type {(layer: number, head: number) => Series} */ make) =>
    Array.from({ length: settings.n_layers * settings.n_heads }, (_, at) => make(Math.floor(at / settings.n_heads), at % settings.n_heads));
  const at = (/** @type {(number | null)[][] | undefined} */ rows, /** @type {number} */ layer, /** @type {number} */ head) => rows?.[layer]?.[head] ?? null;
  const valuesOf = (/** @type {import("./record.js").Point} */ point) => (isRelation ? point.relations[name]?.heads : point.metrics[name]?.value);
  const hasBands = !isRelation && settings.n_layers * settings.n_heads <= MOST_BANDS;
  const heads = ofEach((layer, head) => {
    const isPointed = pointed?.layer === layer && pointed.head === head;
    const band = hasBands ? { low: points.map((point) => at(point.metrics[name]?.low, layer, head)), high: points.map((point) => at(point.metrics[name]?.high, layer, head)) } : {};
    return {
      name: headName(layer, head),
      ...{ x, y: points.map((point) => at(valuesOf(point), layer, head)), ...band },
      tone: isMany ? (isPointed ? "accent" : "muted") : head,
      dash: DASHES[layer % DASHES.length],
      width: isPointed ? 3.4 : isMany ? 1 : 1.8,
      isFaint: pointed !== null && !isPointed,
      isUnnamed: isMany,
    };
  });
  const last = points.at(-1);
  const relation = last?.relations[name];
  const baseline = isRelation ? (relation?.rule_accuracy ?? null) : (last?.metrics[name]?.baseline ?? null);
  const reference = isRelation ? `rule “${relation?.rule}” ${relation?.rule_accuracy.toFixed(2)}` : `uniform attention ${baseline?.toFixed(2)}`;
  const lines = baseline === null ? [] : [{ y: baseline, text: reference }];
  return { series: [...heads, ...(isRelation ? modelSeries(record, name) : [])], lines, xTitle: stepTitle(settings.steps), xRange: [0, settings.steps], yTitle: isRelation ? "Share right" : "Score" };
}

/** How often the model itself predicts by a relation. @param {RunRecord} record @param {string} name @returns {Series[]} */
function modelSeries({ points }, name) {
  const x = points.map(({ step }) => step);
  const all = { name: "the model", x, y: points.map(({ relations }) => relations[name]?.accuracy ?? null), tone: /** @type {const} */ ("ink"), width: 2.4 };
  const hard = { name: "hard cases", x, y: points.map(({ relations }) => relations[name]?.hard_accuracy ?? null), tone: /** @type {const} */ ("ink"), width: 1.6, dash: "dot" };
  return [all, ...(hard.y.some((value) => value !== null) ? [hard] : [])];
}

/** What the numbers of a score are, in one sentence. @param {RunRecord} record @param {string} name @param {MetricWords[]} metrics */
export function scoreWords({ points }, name, metrics) {
  const relation = points.at(-1)?.relations[name];
  if (relation) {
    const hard = relation.hard_accuracy === null ? "" : ` Hard cases: the ${numberWords(relation.n_hard)} in which a nearer word would mislead.`;
    return `How often a head's strongest key is the word that decides; of the model, how often the right form is likelier than the wrong one; n = ${numberWords(relation.n)}.${hard}`;
  }
  const n = points.at(-1)?.metrics[name]?.n ?? 0;
  return `${metrics.find((metric) => metric.name === name)?.meaning ?? ""} n = ${numberWords(n)}.`.trim();
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
