// The text whose maps are shown: the task's examples, a field for another, and what the model predicts after each token.

import { element, setText } from "../../page/dom.js";
import { button } from "../../views/parts/button.js";
import { films, frameOf, predictionsAt, shownFilm, shownText } from "../../training/film.js";
import { shownPoint, shownRecord } from "../../training/record.js";

/** @param {Store} store @returns {{field: HTMLElement, predictions: HTMLElement, views: PageView[]}} */
export function createTrainingText(store) {
  const { actions } = store;
  const input = element("input", { type: "text", id: "training-text", autocomplete: "off", spellcheck: "false", "aria-describedby": "training-text-problem" });
  const examples = element("div", { class: "chips training-examples", role: "group", "aria-label": "Examples of the task" });
  const problem = element("p", { class: "training-text-problem", id: "training-text-problem", role: "alert", hidden: true });
  const show = () => {
    if (input.value !== input.dataset.shown) actions.showTrainingText(input.value.trim() === "" ? null : input.value);
  };
  const form = element(
    "form",
    { class: "training-text", autocomplete: "off", onsubmit: (event) => (event.preventDefault(), show()), onchange: show },
    element("label", { for: input.id }, "Text"),
    input,
    examples,
  );
  const row = element("ol", { class: "predictions", "aria-label": "What the model predicts after each token" });
  const title = element("h3", { class: "training-part" }, "Likeliest next token");
  const tally = element("span", { class: "quiet" });
  const predictions = element("section", { class: "training-predictions" }, element("div", { class: "predictions-head" }, title, tally), row);

  /** @type {PageView} */
  const text = {
    reads: (state) => [shownRecord(state)?.id, shownRecord(state) && shownText(state, /** @type {RunRecord} */ (shownRecord(state)))],
    render(state) {
      const record = shownRecord(state);
      form.hidden = record === null;
      if (record === null) return;
      const shown = shownText(state, record);
      input.dataset.shown = shown;
      if (input.value !== shown) input.value = shown;
      const made = record.examples.map((example, at) =>
        button("chip small", String(at + 1), () => actions.showTrainingText(example), { title: example, "aria-label": `Example ${at + 1}`, "aria-pressed": String(example === shown) }),
      );
      const focused = [...examples.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
      examples.replaceChildren(element("span", { class: "quiet" }, "Examples"), ...made);
      made[focused]?.focus();
    },
  };

  /** @type {PageView} */
  const trouble = {
    reads: (state) => [films.of(state)?.problem, shownRecord(state)?.kept_steps.length, shownFilm(state) === null, shownRecord(state)?.id],
    render(state) {
      const found = films.of(state)?.problem ?? null;
      const n_steps = shownRecord(state)?.kept_steps.length ?? 0;
      const wait = n_steps === 0 ? "There is no checkpoint yet: maps come with the first." : shownFilm(state) === null ? `Computing the maps of ${n_steps} checkpoints…` : "";
      problem.hidden = found === null && wait === "";
      setText(problem, found?.message ?? wait);
      problem.classList.toggle("quiet", found === null);
      input.setAttribute("aria-invalid", String(found !== null));
    },
  };

  /** @type {PageView} */
  const predicted = {
    reads(state) {
      const record = shownRecord(state);
      return [shownFilm(state), record && shownPoint(state, record)?.step];
    },
    render(state) {
      const [record, film] = [shownRecord(state), shownFilm(state)];
      const point = record && shownPoint(state, record);
      predictions.hidden = !film || !point;
      if (!film || !point) return;
      const all = predictionsAt(film, frameOf(film, point.step));
      const right = all.filter(({ isRight }) => isRight).length;
      const known = all.filter(({ next }) => next !== null).length;
      setText(tally, `${right} of ${known} are what follows (✓)`);
      row.classList.toggle("letters", all.every(({ token }) => token.text.length <= 1));
      row.replaceChildren(
        ...all.map(({ token, predicted: guess, next, isRight }) =>
          element(
            "li",
            { class: isRight ? "right" : "", title: next === null ? `After “${token.text}”` : `After “${token.text}” follows “${next}”; predicted: “${guess}”` },
            element("span", {}, token.text),
            element("b", {}, isRight ? `✓${guess}` : guess),
          ),
        ),
      );
    },
  };
  return { field: element("div", { class: "training-text-box" }, form, problem), predictions, views: [text, trouble, predicted] };
}
