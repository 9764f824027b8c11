// What is recorded of a run: its losses, and every head at every checkpoint; with what has come since while it trains.

import { Memo } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { overlaidIds, shownRunId, shownSweep, stepChoice } from "./choices.js";
import { comparableRuns, isTrainingOpen, isUnderWay, listedRun, runList, runs, tasks } from "./runs.js";

/** @typedef {import("./runs.js").RunState} RunState */
/** @typedef {import("./runs.js").RunSummary} RunSummary */
/** @typedef {{kind: "loss", step: number, loss: number, seconds: number}} LossPoint of the training's own batches */
/** @typedef {{n: number, baseline: number | null, value: (number | null)[][], low: (number | null)[][], high: (number | null)[][]}} MetricValues */
/**
 * @typedef {object} RelationValues
 * @property {string} label
 * @property {number} n
 * @property {number} accuracy of the model
 * @property {number} low
 * @property {number} high
 * @property {number} n_hard
 * @property {number | null} hard_accuracy
 * @property {number[][]} heads how often each head's strongest key is the word that decides
 * @property {string} rule the best rule that does not read
 * @property {number} rule_accuracy
 */
/** @typedef {Cell & {role: string, label: string, n: number, value: number, low: number, baseline: number}} PointRole */
/**
 * @typedef {object} Point a checkpoint
 * @property {"point"} kind
 * @property {number} step
 * @property {number} loss held-out
 * @property {number} accuracy
 * @property {Record<string, MetricValues>} metrics
 * @property {Record<string, RelationValues>} relations
 * @property {PointRole[]} roles
 */
/** @typedef {LossPoint | Point | {kind: "state", state: RunState, step: number, message: string}} RunEvent */
/** @typedef {{id: string, label: string, value: number, meaning: string}} LossLine */
/**
 * @typedef {RunSummary & {lines: LossLine[], losses: LossPoint[], points: Point[], kept_steps: number[], examples: string[],
 *   vocabulary: string[], n_events: number}} RunRecord
 */
/**
 * @typedef {object} Streamed what has come of the run that is followed, or was last
 * @property {string} run
 * @property {number} from how many events were known before; 0: none of them counts any more
 * @property {RunEvent[]} events
 * @property {RunState | null} state what it is in; null: not said
 * @property {number | null} over the edition of the list that knows of its end; null: more may come
 */

/** The runs of which everything is asked: the chosen one, those laid over it, those that the form compares with. @param {State} state */
function asked(state) {
  const { isFormOpen, draft } = state.training;
  const task = draft.task ?? tasks.latest(state)?.answer?.[0].id;
  const measured = isFormOpen && task ? comparableRuns(state, task) : [];
  const shown = shownSweep(state) === null ? [shownRunId(state), ...overlaidIds(state)] : [];
  const ids = [...shown, ...measured];
  return [...new Set(ids)].filter((id) => id !== null).map(questionOf);
}

/** @param {string} id */
const questionOf = (id) => ({ id });

/** @type {import("../requests/resource.js").Resource<{id: string}, RunRecord>} */
export const records = resource(({ id }) => `/learn/runs/${encodeURIComponent(id)}`, asked, { method: "GET", when: isTrainingOpen, keep: 6 });

/** @type {Memo<RunRecord>} */
const joined = new Memo();

/** All that is known of a run; null while it is not. @param {Pick<State, "answers" | "training">} state @param {string | null} id @returns {RunRecord | null} */
export function recordOf(state, id) {
  const base = id === null ? null : (records.find(state, { id })?.answer ?? null);
  const { streamed } = state.training;
  return base !== null && streamed?.run === id ? joined.get([base, streamed], () => withStreamed(base, streamed)) : base;
}

/** @param {RunRecord} base @param {Streamed} streamed @returns {RunRecord} */
export function withStreamed(base, { from, events, state }) {
  const before = from === 0 ? { losses: [], points: [], kept_steps: [] } : base;
  const losses = [...before.losses, ...events.filter((event) => event.kind === "loss")];
  const points = [...before.points, ...events.filter((event) => event.kind === "point")];
  const kept_steps = [...new Set([...before.kept_steps, ...points.map(({ step }) => step)])].sort((one, other) => one - other);
  const said = events.findLast((event) => event.kind === "state");
  const last = points.at(-1);
  return {
    ...base,
    ...{ losses, points, kept_steps, n_events: from + events.length },
    state: state ?? base.state,
    message: said?.message ?? base.message,
    step: Math.max(from === 0 ? 0 : base.step, ...events.map(({ step }) => step)),
    loss: last?.loss ?? null,
    accuracy: last?.accuracy ?? null,
  };
}

/** The run on screen; null: none, or it is not known yet. @param {State} state */
export function shownRecord(state) {
  return shownSweep(state) === null ? recordOf(state, shownRunId(state)) : null;
}

/** How a run stands: by its events, by the list where that is newer. @param {State} state @param {string} id @returns {RunState | null} */
export function stateOfRun(state, id) {
  const { streamed } = state.training;
  const summary = listedRun(state, id);
  // One that has stopped can be resumed only when its process is gone.
  const listed = summary !== null && summary.ahead !== null && !isUnderWay(summary.state) ? "running" : (summary?.state ?? null);
  const edition = runs.latest(state)?.question.edition ?? 0;
  const isNewer = streamed?.over !== null && edition >= (streamed?.over ?? 0);
  if (streamed?.run === id && streamed.state !== null && !(isNewer && listed !== null)) return streamed.state;
  return listed ?? records.find(state, { id })?.answer?.state ?? null;
}

/** The run whose events are to be followed: the one on screen while it waits or is trained. @param {State} state @returns {string | null} */
export function watchedRun(state) {
  const record = shownRecord(state);
  return record !== null && isUnderWay(stateOfRun(state, record.id)) ? record.id : null;
}

/** Whether the list of runs may change while somebody looks at it. @param {State} state */
export function isWaiting(state) {
  return isTrainingOpen(state) && state.connection !== "lost" && (runList(state)?.some((run) => isUnderWay(run.state)) ?? false);
}

/** How many events of a run are known. @param {Pick<State, "answers" | "training">} state @param {string} id */
export function knownEvents(state, id) {
  return recordOf(state, id)?.n_events ?? 0;
}

/** The steps that the slider goes through: those whose heads are measured and whose weights are kept. @param {RunRecord} record */
export function stepsOf({ points }) {
  return points.map(({ step }) => step);
}

/** The checkpoint on screen: the chosen one, else the last; the nearest where a link names another step. @param {State} state @param {RunRecord} record @returns {Point | null} */
export function shownPoint(state, { points }) {
  const step = stepChoice.of(state);
  if (step === null) return points.at(-1) ?? null;
  return points.reduce((/** @type {Point | null} */ best, point) => (best !== null && Math.abs(best.step - step) <= Math.abs(point.step - step) ? best : point), null);
}
