// What somebody has chosen in the Training tab: links carry it, undo goes back to it.

import { choice } from "../state/choice.js";
import { lessonById } from "./lessons.js";

const ID = /^[\w.-]{1,80}$/;
export const NONE = "none";

const word = (/** @type {string} */ text) => (ID.test(text) ? text : null);

/** The id of the lesson, or `none`. @type {Choice<string>} */
export const lessonChoice = choice("lesson", { usual: "pairs", write: (id) => id, read: (text) => (text === NONE || lessonById(text) ? text : null) });

/** The run; null: that of the lesson. @type {Choice<string | null>} */
export const runChoice = choice("train_run", { link: "run", usual: /** @type {string | null} */ (null), write: (id) => id, read: word });

/** The step of the training that maps are shown of; null: the last there is. @type {Choice<number | null>} */
export const stepChoice = choice("train_step", {
  usual: /** @type {number | null} */ (null),
  write: (step) => (step === null ? null : String(step)),
  read: (text) => (/^\d{1,6}$/.test(text) ? Number(text) : null),
  undo: "slide",
});

/** The text whose maps are shown; null: the first example of the task. @type {Choice<string | null>} */
export const textChoice = choice("train_text", { usual: /** @type {string | null} */ (null), write: (text) => text, read: (text) => text });

/** What the chart of scores shows; null: what the lesson or the run suggests. @type {Choice<string | null>} */
export const scoreChoice = choice("score", { usual: /** @type {string | null} */ (null), write: (name) => name, read: word });

/** The runs whose loss is laid over that of the chosen one; null: those of the lesson. @type {Choice<string[] | null>} */
export const overlayChoice = choice("overlay", {
  usual: /** @type {string[] | null} */ (null),
  write: (ids) => ids && (ids.length === 0 ? NONE : ids.join(",")),
  read: (text) => (text === NONE ? [] : text.split(",").filter((id) => ID.test(id))),
  misread: (text) => text.split(",").filter((id) => !ID.test(id)),
});

/** @type {Choice<any>[]} */
export const TRAINING_CHOICES = [lessonChoice, runChoice, stepChoice, textChoice, scoreChoice, overlayChoice];

/** The chosen lesson. @param {State} state */
export function shownLesson(state) {
  return lessonById(lessonChoice.of(state));
}

/** The chosen sweep; null: a run is shown. @param {State} state */
export function shownSweep(state) {
  return runChoice.of(state) === null ? (shownLesson(state)?.sweep ?? null) : null;
}

/** The id of the run on screen; null: none. @param {State} state @returns {string | null} */
export function shownRunId(state) {
  return runChoice.of(state) ?? shownLesson(state)?.runs[0] ?? null;
}

/** The ids of the runs laid over it, that of the run itself left out: the same list while nothing changes. @param {State} state @returns {string[]} */
export function overlaidIds(state) {
  const shown = shownRunId(state);
  return overlayChoice.of(state) ?? overlaysOfLesson(shownLesson(state), shown);
}

/** @type {Map<string, string[]>} */
const lists = new Map();

/** @param {import("./lessons.js").Lesson | null} lesson @param {string | null} shown */
function overlaysOfLesson(lesson, shown) {
  const key = `${lesson?.id} ${shown}`;
  const known = lists.get(key) ?? (lesson?.runs ?? []).filter((id) => id !== shown);
  lists.set(key, known);
  return known;
}
