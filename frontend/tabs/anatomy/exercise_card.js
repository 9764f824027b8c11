// One exercise: the question, a field or choices, and what the server says of the answer.

import { verdictOf } from "../../anatomy/exercises.js";
import { element } from "../../page/dom.js";
import { button } from "../../views/parts/button.js";

/** @typedef {import("../../anatomy/exercises.js").Exercise} Exercise */

/**
 * @param {Store} store
 * @param {Exercise} exercise
 * @returns {{root: HTMLElement, render: (state: State) => void}}
 */
export function createExerciseCard(store, { id, question, kind, choices }) {
  const { actions } = store;
  const send = (/** @type {string} */ given) => {
    const n = store.state.anatomy.attempts[id]?.n ?? 0;
    actions.attempt(id, { given, sent: given.trim() === "" ? null : given, n: n + 1 });
  };
  const input = element("input", { type: "text", inputmode: "text", autocomplete: "off", spellcheck: "false", "aria-label": "Your answer" });
  const check = element("button", { type: "submit", class: "chip" }, "Check");
  const buttons = choices.map((choice) => button("chip choice", choice.text, () => send(choice.id), { "data-choice": choice.id }));
  const field = kind === "number" ? element("div", { class: "exercise-field" }, input, check) : element("div", { class: "exercise-choices" }, ...buttons);
  const said = element("div", { class: "exercise-said", role: "status" });
  const root = element("form", { class: "card exercise", "data-exercise": id, autocomplete: "off" }, element("p", { class: "exercise-question" }, question), field, said);
  input.addEventListener("input", () => actions.attempt(id, { given: input.value, sent: null }));
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    if (kind === "number") send(input.value);
  });

  return {
    root,
    render(state) {
      const attempt = state.anatomy.attempts[id];
      const known = verdictOf(state, id);
      const verdict = known?.answer;
      if (document.activeElement !== input && input.value !== (attempt?.given ?? "")) input.value = attempt?.given ?? "";
      for (const one of buttons) one.setAttribute("aria-pressed", String(attempt?.sent === one.dataset.choice));
      const isDone = verdict ? verdict.right : state.anatomy.right.includes(id);
      root.dataset.state = verdict ? (verdict.right ? "right" : "wrong") : isDone ? "done" : "open";
      if (!verdict) {
        const words = known?.problem?.message ?? (isDone ? "You answered this one rightly before." : "");
        return said.replaceChildren(...(words === "" ? [] : [element("p", { class: "quiet" }, words)]));
      }
      said.replaceChildren(
        element("p", {}, element("b", {}, verdict.right ? "Right. " : "Not yet. "), verdict.right ? verdict.why : (verdict.hint ?? "Try again, or look at the step again.")),
        ...(verdict.right ? [] : [element("details", {}, element("summary", {}, "Show the answer"), element("p", {}, `${answerText(verdict.answer)}: ${verdict.why}`))]),
      );
    },
  };

  /** @param {number | string} answer */
  function answerText(answer) {
    return choices.find((choice) => choice.id === answer)?.text ?? (typeof answer === "number" ? answer.toLocaleString("en", { maximumFractionDigits: 6 }) : answer);
  }
}
