// What happened in a run, in one sentence computed from its record: where the loss falls fastest, and which head changes most there.

import { headName } from "../page/labels.js";
import { lossText, numberWords } from "./runs.js";

/** @typedef {import("./record.js").Point} Point */
/** @typedef {{from: Point, to: Point}} Fall two neighbouring checkpoints */
/** @typedef {Cell & {name: string, label: string, before: number, after: number}} Rise of a head's score */

/** Scores that say what a head finds, so that a rise of them may explain a fall of the loss. */
const EXPLAINING = ["induction", "previous", "previous_hits", "duplicate", "self"];
/** A rise that is smaller may be chance. */
const LEAST_RISE = 0.05;

/** Where the held-out loss falls fastest, in nats a step; null: it never falls. @param {Point[]} points @returns {Fall | null} */
export function steepestFall(points) {
  /** @type {Fall | null} */
  let steepest = null;
  const slope = (/** @type {Fall} */ { from, to }) => (from.loss - to.loss) / (to.step - from.step);
  for (let at = 1; at < points.length; at += 1) {
    const fall = { from: points[at - 1], to: points[at] };
    if (fall.to.loss < fall.from.loss && (steepest === null || slope(fall) > slope(steepest))) steepest = fall;
  }
  return steepest;
}

/**
 * The score of a head that rises most between two checkpoints; null: none rises clearly.
 * @param {Fall} fall
 * @param {(name: string) => string} labelOf a metric
 * @returns {Rise | null}
 */
export function largestRise({ from, to }, labelOf) {
  const relations = Object.entries(to.relations).map(([name, after]) => ({ name, label: after.label, after: after.heads, before: from.relations[name]?.heads }));
  const metrics = EXPLAINING.filter((name) => name in to.metrics).map((name) => ({ name, label: labelOf(name), after: to.metrics[name].value, before: from.metrics[name]?.value }));
  const rises = [...relations, ...metrics].flatMap(({ name, label, before, after }) =>
    after.flatMap((row, layer) =>
      row.flatMap((value, head) => {
        const was = before?.[layer]?.[head] ?? null;
        return value === null || was === null ? [] : [{ layer, head, name, label, before: was, after: value }];
      }),
    ),
  );
  const [largest] = rises.sort((one, other) => other.after - other.before - (one.after - one.before));
  return largest && largest.after - largest.before >= LEAST_RISE ? largest : null;
}

/**
 * @param {Point[]} points
 * @param {number} first what happens before that step is not counted: a model that has just begun only learns to guess evenly
 * @param {(name: string) => string} labelOf a metric
 * @returns {string} "" while there is too little to say
 */
export function fallWords(points, first, labelOf) {
  const fall = steepestFall(points.filter(({ step }) => step >= first));
  if (fall === null) return points.length < 2 ? "" : "The held-out loss does not fall.";
  const { from, to } = fall;
  const since = first > 0 ? `From step ${numberWords(first)} on the` : "The";
  const where = `${since} held-out loss falls fastest between steps ${numberWords(from.step)} and ${numberWords(to.step)}`;
  const loss = `from ${lossText(from.loss)} to ${lossText(to.loss)} nats`;
  const rise = largestRise(fall, labelOf);
  if (rise === null) return `${where}, ${loss}; no score of a head rises by ${LEAST_RISE} or more there.`;
  const { layer, head, label, before, after } = rise;
  return `${where}, ${loss}; in the same steps “${label}” of ${headName(layer, head)} rises from ${before.toFixed(2)} to ${after.toFixed(2)}, the largest rise of all heads.`;
}

/** How close to a level of theory the loss rests on it, in nats. */
const NEAR = 0.02;

/** The longest stretch of checkpoints at which the held-out loss is near a level; null: it is never for two in a row. @param {Point[]} points @param {number} level @returns {[number, number] | null} its steps */
export function restAt(points, level) {
  /** @type {[number, number] | null} */
  let longest = null;
  /** @type {number | null} */
  let first = null;
  for (const { step, loss } of points) {
    if (Math.abs(loss - level) > NEAR) first = null;
    else first ??= step;
    if (first !== null && step > first && (longest === null || step - first > longest[1] - longest[0])) longest = [first, step];
  }
  return longest;
}

/** How long a run rests where a model counts symbols and no pairs. @param {import("./record.js").RunRecord} record @returns {string} "" where theory knows no such level */
export function restWords({ name, lines, points, settings }) {
  const line = lines.find(({ id }) => id === "counts");
  if (!line) return "";
  const rest = restAt(points, line.value);
  if (rest === null) return `${name}: at no two checkpoints in a row within ${NEAR} nats of “${line.label}”.`;
  const [from, to] = rest;
  return `${name}: within ${NEAR} nats of “${line.label}” from step ${numberWords(from)} to ${numberWords(to)}, ${Math.round((100 * (to - from)) / settings.steps)} % of its steps.`;
}

/**
 * From where on a fall of the loss takes heads that find something: once all words are equally likely, or, where theory
 * knows what counting symbols gives, from the last checkpoint above that level.
 * @param {import("./record.js").RunRecord} record
 */
export function stepAfterGuessing({ vocabulary, points, lines }) {
  const counts = lines.find(({ id }) => id === "counts");
  if (counts) return points.filter(({ loss }) => loss > counts.value).at(-1)?.step ?? 0;
  return points.find(({ loss }) => loss <= Math.log(vocabulary.length))?.step ?? 0;
}
