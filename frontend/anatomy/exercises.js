// Exercises: the questions, the answers given, and what the server says of them.

import { resource } from "../requests/resource.js";
import { isOpen } from "./walk.js";

/** @typedef {{id: string, step: number, question: string, kind: "number" | "choice", choices: {id: string, text: string}[]}} Exercise */
/** @typedef {{given: string, sent: string | null, n: number}} Attempt what is typed, and what was checked last; n: how often */
/** @typedef {{right: boolean, answer: number | string, why: string, hint: string | null}} Verdict */
/** @typedef {{exercise: string, answer: string, n: number}} AnswerQuestion */

/** @param {State} state */
const isWanted = (state) => isOpen(state, "exercises") || isOpen(state, "walk");

export const exercises = /** @type {import("../requests/resource.js").Resource<object, Exercise[]>} */ (
  resource("/learn/exercises", (state) => (isWanted(state) ? {} : null), { method: "GET" })
);

/** @param {string} exercise @param {Attempt | undefined} attempt @returns {AnswerQuestion | null} */
function answerQuestion(exercise, attempt) {
  return attempt?.sent == null ? null : { exercise, answer: attempt.sent, n: attempt.n };
}

/** @type {import("../requests/resource.js").Resource<AnswerQuestion, Verdict>} */
export const verdicts = resource(
  ({ exercise }) => `/learn/exercises/${encodeURIComponent(exercise)}`,
  (state) => Object.entries(state.anatomy.attempts).flatMap(([id, attempt]) => answerQuestion(id, attempt) ?? []),
  { body: ({ answer }) => ({ answer }) },
);

/** What the server said of the last answer to an exercise. @param {State} state @param {string} exercise */
export function verdictOf(state, exercise) {
  const asked = answerQuestion(exercise, state.anatomy.attempts[exercise]);
  return asked && verdicts.find(state, asked);
}

/** The exercises by their step. @param {Exercise[]} all @returns {[number, Exercise[]][]} */
export function byStep(all) {
  /** @type {Map<number, Exercise[]>} */
  const groups = new Map();
  for (const one of all) groups.set(one.step, [...(groups.get(one.step) ?? []), one]);
  return [...groups].sort(([one], [other]) => one - other);
}

/** @param {Exercise[]} all @param {string[]} right */
export function progressWords(all, right) {
  const n = all.filter(({ id }) => right.includes(id)).length;
  return `${n} of ${all.length} right`;
}
