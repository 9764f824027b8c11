// The maps of every head on a text at every step: asked as safetensors, read step by step.

import { perObject } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { SAFETENSORS } from "../requests/safetensors.js";
import { codesOf } from "../maps/maps.js";
import { textChoice } from "./choices.js";
import { shownRecord } from "./record.js";
import { isTrainingOpen } from "./runs.js";

/** @typedef {import("../requests/safetensors.js").Safetensors} Safetensors */
/** @typedef {{id: string, text: string, n_steps: number}} FilmQuestion another one with every new checkpoint */
/**
 * @typedef {object} Film
 * @property {string} run
 * @property {number[]} steps
 * @property {Token[]} tokens
 * @property {string[][]} predictions by step and token: the likeliest next token
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {Float32Array} weights steps x layers x heads x queries x keys
 */

/** The text of the maps: the chosen one, else the first example. @param {State} state @param {import("./record.js").RunRecord} record */
export function shownText(state, { examples }) {
  return textChoice.of(state) ?? examples[0] ?? "";
}

/** @param {State} state @returns {FilmQuestion | null} */
function question(state) {
  const record = shownRecord(state);
  if (record === null || record.kept_steps.length === 0) return null;
  const text = shownText(state, record);
  return text.trim() === "" ? null : { id: record.id, text, n_steps: record.kept_steps.length };
}

/** @type {import("../requests/resource.js").Resource<FilmQuestion, Safetensors>} */
export const films = resource(({ id }) => `/learn/runs/${encodeURIComponent(id)}/maps`, question, {
  body: ({ text }) => ({ text }),
  accept: SAFETENSORS,
  when: isTrainingOpen,
});

/** The film of the present text, without the newest steps while they are asked for; null: there is none yet. @param {State} state @returns {Film | null} */
export function shownFilm(state) {
  const asked = question(state);
  if (asked === null) return null;
  const known = films.find(state, asked) ?? films.latest(state, (other) => other.id === asked.id && other.text === asked.text);
  return known?.answer ? readFilm(known.answer) : null;
}

/** @type {(answer: Safetensors) => Film} */
export const readFilm = perObject(({ tensors, metadata }) => {
  const { shape, values } = tensors.patterns;
  const [, n_layers, n_heads] = shape;
  return { ...JSON.parse(metadata.meta), n_layers, n_heads, weights: /** @type {Float32Array} */ (values) };
});

/** Which frame of a film is of a step, or of the nearest before it. @param {Film} film @param {number} step */
export function frameOf({ steps }, step) {
  return Math.max(0, steps.findLastIndex((one) => one <= step));
}

/** One head's map at one frame, as a view. @param {Film} film @param {number} frame @param {Cell} cell */
export function mapAt({ tokens, n_layers, n_heads, weights }, frame, { layer, head }) {
  const size = tokens.length ** 2;
  const first = ((frame * n_layers + layer) * n_heads + head) * size;
  return weights.subarray(first, first + size);
}

/** The same as colour steps. @param {Film} film @param {number} frame @param {Cell} cell @returns {SmallMap} */
export function codesAt(film, frame, cell) {
  return { codes: codesOf(mapAt(film, frame, cell)), rows: film.tokens.length, cols: film.tokens.length };
}

/** @typedef {{token: Token, predicted: string, next: string | null, isRight: boolean}} Prediction next: the token that follows; null: none does */

/** What the model predicts after each token. @param {Film} film @param {number} frame @returns {Prediction[]} */
export function predictionsAt({ tokens, predictions }, frame) {
  return tokens.map((token, at) => {
    const next = tokens[at + 1]?.piece ?? null;
    const predicted = predictions[frame][at];
    return { token, predicted, next, isRight: next !== null && predicted === next };
  });
}
