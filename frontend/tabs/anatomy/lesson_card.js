// The lesson of a step: sentences, the formula with the shapes of this model, what its numbers say.

import { trailChoice } from "../../anatomy/trail.js";
import { catalogue, shownAnswer } from "../../anatomy/walk.js";
import { element, setHidden } from "../../page/dom.js";
import { LESSONS } from "./lessons.js";
import { NOTES } from "./step_notes.js";

/** @param {Store} _store @returns {{root: HTMLElement, views: PageView[]}} */
export function createLessonCard(_store) {
  const root = element("section", { class: "card lesson", "aria-label": "What happens in this step" });
  const notes = element("div", { class: "step-notes" });
  return {
    root: element("div", { class: "lessons" }, root, notes),
    views: [
      {
        reads: (state) => [shownAnswer(state).answer, shownAnswer(state).step, catalogue.of(state)?.answer, trailChoice.of(state).length > 0],
        render(state) {
          const { answer, step } = shownAnswer(state);
          const isTracing = trailChoice.of(state).length > 0;
          setHidden(root, isTracing || (answer === null && root.childNodes.length === 0));
          setHidden(notes, isTracing);
          for (const part of [root, notes]) part.classList.toggle("stale", answer === null);
          if (answer === null) return;
          const known = catalogue.of(state)?.answer?.steps.find(({ id }) => id === step);
          const { sentences, shapes, source } = LESSONS[step](answer.about);
          root.replaceChildren(
            ...sentences.map((sentence) => element("p", {}, sentence)),
            element("p", { class: "formula" }, known?.formula ?? ""),
            ...shapes.map((words) => element("p", { class: "shapes" }, words)),
            ...(source ? [element("p", { class: "source quiet" }, source)] : []),
          );
          notes.replaceChildren(...(NOTES[step]?.(answer) ?? []));
        },
      },
    ],
  };
}
