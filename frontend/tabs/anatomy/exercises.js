// All exercises, by step; which were answered rightly is kept in the browser.

import { byStep, exercises, progressWords, verdictOf } from "../../anatomy/exercises.js";
import { catalogue } from "../../anatomy/walk.js";
import { element, setText } from "../../page/dom.js";
import { browserStorage, storePreference } from "../../storage/browser_storage.js";
import { createExerciseCard } from "./exercise_card.js";

const KEY = "headscope.exercises";

/** @returns {string[]} the exercises of earlier visits */
function stored() {
  try {
    const found = JSON.parse(browserStorage().getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** Keep which exercises were answered rightly, wherever they are shown. @param {Store} store */
export function keepRight({ actions, watch }) {
  actions.setRight(stored());
  watch(({ answers, anatomy }) => [answers, anatomy.attempts], (state) => {
    const { attempts, right } = state.anatomy;
    const now = Object.keys(attempts).filter((id) => !right.includes(id) && verdictOf(state, id)?.answer?.right);
    if (now.length === 0) return;
    actions.setRight([...right, ...now]);
    storePreference(browserStorage(), KEY, JSON.stringify([...right, ...now]));
  });
}

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createExercises(store) {
  const progress = element("b", { class: "exercise-progress", role: "status" });
  const meter = element("progress", { "aria-label": "Exercises answered rightly", max: 1, value: 0 });
  const note = element("span", { class: "quiet" }, "Kept in this browser. Every right answer is computed by HeadScope's own code.");
  const problem = element("p", { class: "quiet" });
  const list = element("div", { class: "exercise-steps" });
  const root = element("div", { class: "exercises" }, element("header", { class: "exercise-head" }, progress, meter, note), problem, list);
  /** @type {ReturnType<typeof createExerciseCard>[]} */
  let cards = [];

  return {
    root,
    views: [
      {
        reads: (state) => [exercises.of(state), catalogue.of(state)?.answer],
        render(state) {
          const known = exercises.of(state);
          setText(problem, known?.problem?.message ?? (known ? "" : "Loading the exercises…"));
          const titles = catalogue.of(state)?.answer?.steps.map(({ title }) => title) ?? [];
          cards = [];
          const groups = byStep(known?.answer ?? []).map(([step, all]) => {
            const made = all.map((one) => createExerciseCard(store, one));
            cards.push(...made);
            return element("section", { class: "exercise-step" }, element("h2", {}, `${step}. ${titles[step - 1] ?? ""}`), element("div", { class: "exercise-list" }, ...made.map((card) => card.root)));
          });
          list.replaceChildren(...groups);
          for (const card of cards) card.render(state);
        },
      },
      {
        reads: ({ anatomy, answers }) => [anatomy.attempts, anatomy.right, answers],
        render(state) {
          for (const card of cards) card.render(state);
          const all = exercises.of(state)?.answer ?? [];
          setText(progress, all.length > 0 ? progressWords(all, state.anatomy.right) : "");
          meter.value = all.length > 0 ? all.filter(({ id }) => state.anatomy.right.includes(id)).length / all.length : 0;
        },
      },
    ],
  };
}
