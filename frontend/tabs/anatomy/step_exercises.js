// The exercises of the step on screen, folded below its lesson.

import { exercises } from "../../anatomy/exercises.js";
import { STEPS, walkChoice } from "../../anatomy/walk.js";
import { element, setHidden, setText } from "../../page/dom.js";
import { createExerciseCard } from "./exercise_card.js";

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createStepExercises(store) {
  const summary = element("summary", {}, "Exercises");
  const body = element("div", { class: "exercise-list" });
  const root = element("details", { class: "card step-exercises" }, summary, body);
  /** @type {ReturnType<typeof createExerciseCard>[]} */
  let cards = [];
  return {
    root,
    views: [
      {
        reads: (state) => [exercises.of(state)?.answer, walkChoice.of(state).step],
        render(state) {
          const step = STEPS.indexOf(walkChoice.of(state).step) + 1;
          const here = exercises.of(state)?.answer?.filter((one) => one.step === step) ?? [];
          cards = here.map((one) => createExerciseCard(store, one));
          body.replaceChildren(...cards.map((card) => card.root));
          setText(summary, here.length === 1 ? "An exercise for this step" : `${here.length} exercises for this step`);
          setHidden(root, here.length === 0);
          for (const card of cards) card.render(state);
        },
      },
      {
        reads: ({ anatomy, answers }) => [anatomy.attempts, anatomy.right, answers],
        render: (state) => cards.forEach((card) => card.render(state)),
      },
    ],
  };
}
