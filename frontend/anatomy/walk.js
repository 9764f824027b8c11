// The walk through one layer: where it is, and its matrices as the server computes them.

import { perObject } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { SAFETENSORS } from "../requests/safetensors.js";
import { choice } from "../state/choice.js";
import { chosenModel, isAnswered, question } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { NO_EDITS, editsChoice, fittingEdits, isEdited } from "./edits.js";
import { LAYOUTS, namesIn } from "./layout.js";

/** @typedef {"walk" | "calculator" | "exercises" | "loop"} Part */
/** @typedef {{step: string, layer: number, head: number, token: number | null}} Walk token null: the last word */
/** @typedef {import("./edits.js").Edits} Edits */
/** @typedef {Question & {layer: number, head: number, token: number, matrices: string[], edits: object}} WalkQuestion */
/** @typedef {{name: string, symbol: string, axes: string[], scope: "model" | "layer" | "head", meaning: string, formula: string}} MatrixKind */
/** @typedef {{id: string, title: string, formula: string, matrices: string[], numbers: string[]}} Step */
/** @typedef {{steps: Step[], matrices: MatrixKind[], families: string[], max_tokens: number}} Catalogue */
/** @typedef {{entropy: number[], strongest: (number | null)[]}} MapNumbers */
/** @typedef {{id: number, text: string, logit: number, probability: number}} Next a token that may follow */
/** @typedef {{candidates: Next[], why_none: string | null}} Prediction */
/**
 * @typedef {object} Changes how far edits moved things
 * @property {number[]} scores by head
 * @property {number[]} pattern
 * @property {number[]} attention_out by token
 * @property {number[]} block_out
 * @property {number[]} final
 * @property {number[]} norms_before
 * @property {number[]} norms_after
 * @property {Prediction} prediction_before
 */
/**
 * @typedef {object} About all that is said of a layer beside the values of its matrices
 * @property {string} model
 * @property {Token[]} tokens
 * @property {number} n_tokens
 * @property {number} layer
 * @property {number} head
 * @property {number} key_head
 * @property {number} token
 * @property {{n_layers: number, n_heads: number, n_kv_heads: number, d_model: number, d_head: number, d_mlp: number | null}} sizes
 * @property {{norm: string, norm_first: boolean, embedding_norm: boolean, final_norm: boolean, positions: "added" | "rotary",
 *   segments: boolean, shifted_keys: boolean, causal: boolean, activation: string | null, gated: boolean, predicts: boolean}} computation
 * @property {(MatrixKind & {shape: number[]})[]} matrices
 * @property {{name: string, why: string}[]} absent
 * @property {{scale: number, variance_raw: number, variance_scaled: number, n_parameters_separate: number, n_parameters_fused: number,
 *   fused_difference: number, parts_difference: number, empty_queries: number[], heads: MapNumbers[], mean: MapNumbers, one_head: MapNumbers}} numbers
 * @property {Prediction} prediction
 * @property {Changes | null} changes
 * @property {{total_ms: number, load_ms: number}} timing
 */
/** @typedef {import("../requests/safetensors.js").Safetensors} Safetensors */
/** @typedef {{about: About, tensors: Safetensors["tensors"]}} Answer */

/** The steps in their order. */
export const STEPS = Object.keys(LAYOUTS);
/** @type {Part[]} */
export const PARTS = ["walk", "calculator", "exercises", "loop"];
/** What steps show beside their picture. @type {Record<string, string[]>} */
const BESIDE = { output: ["result_norms", "result_cosines"], embeddings: [], one_or_many: ["pattern"] };
const KEPT = 14;
const SLOW_MS = 400;

export const partChoice = choice("anatomy_part", {
  link: "anatomy",
  usual: /** @type {Part} */ ("walk"),
  write: (part) => part,
  read: (word) => PARTS.find((part) => part === word) ?? null,
});

export const walkChoice = choice("anatomy_walk", {
  link: "walk",
  usual: /** @type {Walk} */ ({ step: STEPS[0], layer: 0, head: 0, token: null }),
  write: ({ step, layer, head, token }) => [step, layer, head, ...(token === null ? [] : [token])].join("."),
  read(word) {
    const match = /^([a-z_]+)\.(\d{1,3})\.(\d{1,3})(?:\.(\d{1,2}))?$/.exec(word);
    if (!match || !STEPS.includes(match[1])) return null;
    return { step: match[1], layer: Number(match[2]), head: Number(match[3]), token: match[4] === undefined ? null : Number(match[4]) };
  },
});

/** @param {State} state whether a part of the tab is open */
export function isOpen(state, part = /** @type {Part} */ ("walk")) {
  return state.tab === "anatomy" && partChoice.of(state) === part;
}

/** The walk as the model and the text on screen allow it. @param {State} state @returns {Walk & {token: number}} */
export function shownWalk(state) {
  const { step, layer, head, token } = walkChoice.of(state);
  const { analysis } = onSide(state, "a");
  const [layers, heads] = [analysis?.n_layers ?? Infinity, analysis?.n_heads ?? Infinity];
  const last = (analysis?.n_tokens ?? 1) - 1;
  const at = token ?? (analysis ? lastWord(analysis.tokens) : last);
  return { step, layer: Math.min(layer, layers - 1), head: Math.min(head, heads - 1), token: Math.min(at, last) };
}

/** The last token that is part of a word. @param {Token[]} tokens */
function lastWord(tokens) {
  const at = tokens.findLastIndex(({ kind }) => kind === "word_start" || kind === "continuation");
  return at >= 0 ? at : tokens.length - 1;
}

/** What of the edits fits the text and model on screen. @param {State} state @returns {Edits} */
export function shownEdits(state) {
  const edits = editsChoice.of(state);
  const a = onSide(state, "a");
  const model = chosenModel(a);
  if (!isEdited(edits) || a.analysis === null) return NO_EDITS;
  const { n_layers, n_heads, n_tokens } = a.analysis;
  const d_model = model?.d_model ?? Infinity;
  return fittingEdits(edits, { n_layers, n_heads, d_model, d_head: model?.d_head ?? d_model, n_tokens });
}

/** What every question about the layer says: text, model, place and edits; null: there is no answer to the text yet. @param {State} state */
export function placeQuestion(state) {
  const a = onSide(state, "a");
  const asked = question(a);
  if (!isOpen(state) || asked === null || !isAnswered(a)) return null;
  const { layer, head, token } = shownWalk(state);
  const edits = shownEdits(state);
  return { ...asked, layer, head, token, ...(isEdited(edits) ? { edits } : {}) };
}

/** @param {State} state @param {string} step @returns {WalkQuestion | null} */
function stepQuestion(state, step) {
  const place = placeQuestion(state);
  return place && /** @type {WalkQuestion} */ ({ ...place, matrices: stepNames(step) });
}

/** The step on screen, and once that is there those beside it, so that the way on and back waits for nothing. @param {State} state */
function stepQuestions(state) {
  const { step } = walkChoice.of(state);
  const present = stepQuestion(state, step);
  if (present === null) return [];
  const known = walkAnswer.find(state, present)?.answer;
  if (!known || "edits" in present || isSlow(readAnswer(known))) return [present];
  const at = STEPS.indexOf(step);
  const beside = [STEPS[at + 1], STEPS[at - 1]].flatMap((one) => (one ? (stepQuestion(state, one) ?? []) : []));
  return [present, ...beside];
}

/** Whether a machine should not compute a step that nobody may look at. @param {Answer} answer */
const isSlow = ({ about: { timing } }) => timing.total_ms - timing.load_ms > SLOW_MS;

export const catalogue = /** @type {import("../requests/resource.js").Resource<object, Catalogue>} */ (
  resource("/learn/anatomy", (state) => (state.tab === "anatomy" ? {} : null), { method: "GET" })
);

/** @type {import("../requests/resource.js").Resource<WalkQuestion, Safetensors>} */
export const walkAnswer = resource("/learn/anatomy", stepQuestions, { accept: SAFETENSORS, keep: KEPT });

/** The answer in its parts. */
export const readAnswer = perObject((/** @type {Safetensors} */ { tensors, metadata }) => /** @type {Answer} */ ({ about: JSON.parse(metadata.meta), tensors }));

/** The last answer of this model to the step on screen, and whether it is that to the present question. @param {State} state @returns {{answer: Answer | null, isOld: boolean, problem: Problem | null, step: string}} */
export function shownAnswer(state) {
  const { step } = walkChoice.of(state);
  const known = walkAnswer.of(state);
  if (known?.answer) return { answer: readAnswer(known.answer), isOld: false, problem: null, step };
  if (known?.problem) return { answer: null, isOld: false, problem: known.problem, step };
  const names = stepNames(step);
  const last = walkAnswer.latest(state, ({ matrices }) => matrices.join() === names.join());
  return { answer: last?.answer ? readAnswer(last.answer) : null, isOld: true, problem: null, step };
}

/** @param {string} step */
const stepNames = (step) => [...new Set([...namesIn(step), ...(BESIDE[step] ?? [])])];
