// The form for a new run: what is typed as an order to the server, which field a refusal is about, and how long it may take.

import { comparableRuns, listedRun, numberWords } from "./runs.js";
import { records } from "./record.js";

/** @typedef {import("./runs.js").RunSettings} RunSettings */
/** @typedef {import("./runs.js").TrainingTask} TrainingTask */
/** @typedef {{task: RunSettings["task"] | null, name: string, values: Record<string, string>}} RunDraft task null: the first; values: what was typed over the usual ones */
/** @typedef {{name: keyof RunSettings, label: string, title: string}} NumberField */

/** @type {NumberField[]} */
export const FIELDS = [
  { name: "n_layers", label: "Layers", title: "1 to 6" },
  { name: "n_heads", label: "Heads", title: "In each layer; they must divide d_model" },
  { name: "d_model", label: "d_model", title: "Width of the vectors; even, at most 256" },
  { name: "d_mlp", label: "d_mlp", title: "Width of the feed-forward part; 0: attention only" },
  { name: "steps", label: "Steps", title: "10 to 50,000" },
  { name: "points", label: "Checkpoints", title: "How often heads are measured and weights are kept, 2 to 60" },
  { name: "learning_rate", label: "Learning rate", title: "0.00001 to 0.1" },
  { name: "seed", label: "Seed", title: "The same seed gives the same run" },
];

export const FIRST_LAYERS = /** @type {const} */ ([
  { value: "free", text: "Free", about: "Layer 0 learns its attention as every other layer." },
  { value: "shifted_keys", text: "Keys of the token before", about: "The keys of layer 0 are made of the token before." },
  { value: "previous_only", text: "Only the token before", about: "The heads of layer 0 attend to the token before and to nothing else." },
]);

/** @param {TrainingTask[]} tasks @param {RunDraft} draft */
export function taskOf(tasks, { task }) {
  return tasks.find(({ id }) => id === task) ?? tasks[0];
}

/** What a field holds: what was typed, else what is usual. @param {TrainingTask} task @param {RunDraft} draft @param {keyof RunSettings} name @returns {string} */
export function valueOf(task, { values }, name) {
  return values[name] ?? String(task.settings[name] ?? "");
}

/** @param {TrainingTask} task @param {RunDraft} draft @returns {Record<string, string | number>} what is typed wrongly goes to the server as it is, which says so */
export function settingsOf(task, draft) {
  const numbers = FIELDS.map(({ name }) => [name, numberOf(valueOf(task, draft, name))]);
  const symbols = task.symbols.length > 0 ? { n_symbols: Number(valueOf(task, draft, "n_symbols")) } : {};
  const name = draft.name.trim();
  return { task: task.id, ...symbols, first_layer: valueOf(task, draft, "first_layer"), ...Object.fromEntries(numbers), ...(name ? { name } : {}) };
}

/** @param {string} typed @returns {number | string} */
function numberOf(typed) {
  const number = Number(typed);
  return typed.trim() === "" || Number.isNaN(number) ? typed : number;
}

/** The width of each head; null: it does not come out even. @param {TrainingTask} task @param {RunDraft} draft */
export function headWidth(task, draft) {
  const [d_model, n_heads] = [Number(valueOf(task, draft, "d_model")), Number(valueOf(task, draft, "n_heads"))];
  const width = d_model / n_heads;
  return n_heads > 0 && d_model > 0 && Number.isInteger(width) ? width : null;
}

const WORDS_OF_FIELDS = /** @type {const} */ ([["points", "points"], ["n_symbols", "symbols"], ["n_heads", "heads"], ["d_model", "d_model"]]);

/** What a refusal says of which field; under "" what is about none. @param {Problem} problem @returns {Record<string, string>} */
export function problemsByField({ code, message, details }) {
  const fields = /** @type {{fields?: {field: string | null, problem: string}[]} | null} */ (details)?.fields;
  if (code !== "bad_request" || !fields) return { "": message };
  const known = new Set([...FIELDS.map(({ name }) => name), "n_symbols", "first_layer", "name"]);
  return Object.fromEntries(
    fields.map(({ field, problem }) => {
      const named = field?.split(".").at(-1) ?? "";
      // What does not fit together is said of the request as a whole: it goes to the first field that it speaks of.
      const spoken = WORDS_OF_FIELDS.find(([, word]) => problem.includes(word))?.[0] ?? "";
      return [known.has(named) ? named : spoken, problem];
    }),
  );
}

/** @typedef {{seconds: number, name: string}} Estimate */

/** How long as many steps take as in the most similar earlier run; null: there is none. @param {State} state @param {TrainingTask} task @param {RunDraft} draft @returns {Estimate | null} */
export function estimateOf(state, task, draft) {
  const steps = Number(valueOf(task, draft, "steps"));
  const size = (/** @type {(name: keyof RunSettings) => number} */ of) => of("n_layers") * of("d_model") * (4 * of("d_model") + 2 * of("d_mlp"));
  const wanted = size((name) => Number(valueOf(task, draft, name)));
  const known = comparableRuns(state, task.id).flatMap((id) => {
    const last = records.find(state, { id })?.answer?.losses.at(-1);
    const run = listedRun(state, id);
    if (!last || last.step === 0 || run === null) return [];
    const distance = Math.abs(Math.log(size((name) => Number(run.settings[name])) / wanted));
    return [{ distance, name: run.name, perStep: last.seconds / last.step }];
  });
  const [nearest] = known.sort((one, other) => one.distance - other.distance);
  return nearest && steps > 0 ? { seconds: steps * nearest.perStep, name: nearest.name } : null;
}

/** @param {Estimate} estimate */
export function estimateWords({ seconds, name }) {
  const time = seconds < 90 ? `${numberWords(Math.max(1, Math.round(seconds)))} s` : `${numberWords(Math.round(seconds / 60))} min`;
  return `About ${time} of training, if a step takes as long as in “${name}”; measuring the heads comes on top.`;
}
