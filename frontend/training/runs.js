// Tasks, and the list of training runs: what the server has, and how a run stands in words.

import { resource } from "../requests/resource.js";

/** @typedef {"queued" | "running" | "stopped" | "failed" | "done"} RunState */
/**
 * @typedef {object} RunSettings
 * @property {"markov" | "repeats" | "language"} task
 * @property {number | null} n_symbols
 * @property {"free" | "shifted_keys" | "previous_only"} first_layer
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {number} d_model
 * @property {number} d_mlp
 * @property {number} steps
 * @property {number} batch
 * @property {number} learning_rate
 * @property {number} seed
 * @property {number} points
 */
/**
 * @typedef {object} RunSummary
 * @property {string} id
 * @property {string} name
 * @property {boolean} shipped
 * @property {RunState} state
 * @property {string} message why it failed
 * @property {number | null} ahead runs that come first in the queue
 * @property {number} step
 * @property {number | null} loss held-out
 * @property {number | null} accuracy
 * @property {RunSettings} settings
 * @property {number} n_parameters
 * @property {string} created
 */
/**
 * @typedef {object} TrainingTask
 * @property {RunSettings["task"]} id
 * @property {string} label
 * @property {string} about
 * @property {string} source
 * @property {RunSettings} settings the usual ones
 * @property {number[]} symbols how many it may have; empty: it has words
 * @property {string[]} vocabulary
 * @property {string[]} examples
 * @property {{id: string, label: string, claim: string}[]} relations
 */

export const isTrainingOpen = (/** @type {State} */ { tab }) => tab === "training";
const TASKS = {};
const MOST_COMPARED = 3;

/** @type {import("../requests/resource.js").Resource<object, TrainingTask[]>} */
export const tasks = resource("/learn/tasks", () => TASKS, { method: "GET", when: isTrainingOpen });

/** Asked again with every edition. @type {import("../requests/resource.js").Resource<{edition: number}, RunSummary[]>} */
export const runs = resource("/learn/runs", ({ training }) => ({ edition: training.edition }), { method: "GET", when: isTrainingOpen });

/** The runs as they were listed last; null while there is no list. @param {Pick<State, "answers">} state */
export function runList(state) {
  return runs.latest(state)?.answer ?? null;
}

/** @param {Pick<State, "answers">} state @param {string | null} id @returns {RunSummary | null} */
export function listedRun(state, id) {
  return runList(state)?.find((run) => run.id === id) ?? null;
}

/** The runs trained here whose speed tells how long a new one takes: the newest of its task. @param {State} state @param {RunSettings["task"]} task @returns {string[]} */
export function comparableRuns(state, task) {
  const own = runList(state)?.filter((run) => !run.shipped && run.settings.task === task && run.step > 0) ?? [];
  return own.slice(0, MOST_COMPARED).map(({ id }) => id);
}

/** @param {RunState | null | undefined} state whether the run waits for its turn or is being trained */
export function isUnderWay(state) {
  return state === "queued" || state === "running";
}

/** @param {Pick<RunSummary, "state" | "ahead" | "step" | "settings">} run how it stands, in a few words */
export function stateWords({ state, ahead, step, settings }) {
  const of = `${numberWords(step)} of ${numberWords(settings.steps)}`;
  if (state === "queued") return ahead ? `waits for ${ahead} ${ahead === 1 ? "run" : "runs"} before it` : "starts next";
  if (state === "running") return `training: step ${of}`;
  if (state === "stopped") return `stopped at step ${of}`;
  if (state === "failed") return `failed at step ${of}`;
  return `${numberWords(settings.steps)} steps`;
}

/** @param {number} number */
export function numberWords(number) {
  return number.toLocaleString("en");
}

/** @param {number} loss in nats @returns {string} */
export function lossText(loss) {
  return loss.toFixed(loss < 0.1 ? 3 : 2);
}

/** @type {Record<RunSettings["first_layer"], string>} */
const FIRST_LAYER = {
  free: "",
  shifted_keys: "keys of layer 0 made of the token before",
  previous_only: "layer 0 sees only the token before",
};

/** @param {RunSettings} settings sizes and settings in words */
export function settingsWords({ n_symbols, task, n_layers, n_heads, d_model, d_mlp, first_layer, steps, batch, learning_rate, seed }) {
  const parts = [
    task === "language" || n_symbols === null ? "" : `${n_symbols} symbols`,
    `${n_layers} ${n_layers === 1 ? "layer" : "layers"} × ${n_heads} ${n_heads === 1 ? "head" : "heads"}`,
    `d_model ${d_model}, d_head ${d_model / n_heads}`,
    d_mlp === 0 ? "attention only" : `d_mlp ${d_mlp}`,
    FIRST_LAYER[first_layer],
    `${numberWords(steps)} steps`,
    `batch ${batch}`,
    `learning rate ${learning_rate}`,
    `seed ${seed}`,
  ];
  return parts.filter(Boolean).join(" · ");
}
