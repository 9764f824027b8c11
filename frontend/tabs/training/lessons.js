// The lessons: their titles, and of the chosen one what to look for and where its task comes from.

import { element, setText } from "../../page/dom.js";
import { menu } from "../../views/parts/menu.js";
import { shownLesson } from "../../training/choices.js";
import { restWords } from "../../training/fall.js";
import { LESSONS } from "../../training/lessons.js";
import { recordOf } from "../../training/record.js";
import { tasks } from "../../training/runs.js";

const NONE = "none";

/** @param {Actions} actions @returns {{root: HTMLElement, views: PageView[]}} */
export function createLessons(actions) {
  const choose = menu("training-lesson", "Lesson", (id) => id !== NONE && actions.chooseLesson(id));
  const source = element("p", { class: "hint lesson-source" });
  const computed = element("div", { class: "lesson-computed" });
  const items = LESSONS.map((lesson, at) => {
    const button = element("button", { type: "button", class: "lesson-title", onclick: () => actions.chooseLesson(lesson.id) }, element("span", { class: "lesson-number" }, String(at + 1)), lesson.title);
    const words = element("div", { class: "lesson-words" }, ...lesson.words.map((sentence) => element("p", {}, sentence)));
    return { lesson, button, words, root: element("li", {}, button, words) };
  });
  const root = element(
    "section",
    { class: "training-lessons", "aria-labelledby": "training-lessons-title" },
    element("h2", { id: "training-lessons-title", class: "training-part" }, "Lessons"),
    choose.field,
    element("ol", { class: "lesson-list" }, ...items.map((item) => item.root)),
  );
  const without = { value: NONE, text: "None: one run" };

  /** @type {PageView} */
  const view = {
    reads: (state) => [shownLesson(state), tasks.latest(state)?.answer, ...recordsOf(state)],
    render(state) {
      const chosen = shownLesson(state);
      const options = LESSONS.map(({ id, title }) => ({ value: id, text: title }));
      choose.write([{ label: "", options: chosen ? options : [without, ...options] }], chosen?.id ?? NONE);
      for (const { lesson, button, words, root: item } of items) {
        button.setAttribute("aria-current", String(lesson === chosen));
        item.classList.toggle("chosen", lesson === chosen);
        words.hidden = lesson !== chosen;
        if (lesson === chosen) words.append(computed, source);
      }
      computed.replaceChildren(...recordsOf(state).map(restWords).filter(Boolean).map((words) => element("p", {}, words)));
      const task = tasks.latest(state)?.answer?.find(({ id }) => id === chosen?.task);
      setText(source, task ? `Source: ${task.source}${/[.?!]$/.test(task.source) ? "" : "."}` : "");
    },
  };
  return { root, views: [view] };
}

/** The runs of a lesson that compares how long they rest. @param {State} state @returns {RunRecord[]} */
function recordsOf(state) {
  const lesson = shownLesson(state);
  return (lesson?.compares === "rests" ? lesson.runs : []).map((id) => recordOf(state, id)).filter((record) => record !== null);
}
