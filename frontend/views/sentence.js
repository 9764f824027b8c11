// The sentence boxes, the examples and the token count.

import { byId, element, setText } from "../page/dom.js";
import { chosenExample, chosenModel, isStale } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { grow, listenToBox, writeBox } from "./parts/sentence_box.js";

/** @param {Actions} actions @param {() => void} runNow @returns {PageView[]} */
export function createSentence(actions, runNow) {
  const form = byId("sentence", HTMLFormElement);
  const text = byId("text", HTMLTextAreaElement);
  const pair = byId("text-pair", HTMLTextAreaElement);
  const pairField = byId("pair-field", HTMLElement);
  const pairUnused = byId("pair-unused", HTMLElement);
  const addPair = byId("add-pair", HTMLButtonElement);
  const examples = byId("examples", HTMLElement);
  const count = byId("count", HTMLElement);
  const label = byId("pair-label", HTMLElement);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    runNow();
  });
  listenToBox(text, actions.editText, runNow);
  listenToBox(pair, actions.editPair, runNow);
  addPair.addEventListener("click", () => {
    actions.editPair("");
    requestAnimationFrame(() => pair.focus());
  });
  byId("remove-pair", HTMLButtonElement).addEventListener("click", () => {
    actions.editPair(null);
    text.focus();
  });

  /** @param {SideView} state */
  function renderExamples(state) {
    const takesPairs = chosenModel(state)?.pairs ?? false;
    const buttons = (state.config?.examples ?? []).map((example) => {
      const isOff = example.text_pair !== null && !takesPairs;
      return element(
        "button",
        {
          type: "button",
          class: "chip",
          disabled: isOff,
          title: isOff ? "This model takes one sentence only." : example.hint,
          "aria-pressed": String(example === chosenExample(state)),
          onclick: () => actions.chooseExample(example),
        },
        example.title,
      );
    });
    examples.replaceChildren(...buttons);
  }

  /** @param {SideView} state */
  function renderCount(state) {
    const limit = chosenModel(state)?.max_tokens ?? state.config?.limits.max_tokens;
    const details = /** @type {{n_tokens?: number, max_tokens?: number} | null} */ (state.run.problem?.details ?? null);
    const isOver = state.run.problem?.code === "text_too_long";
    const known = isStale(state) ? null : state.analysis?.n_tokens;
    const n = isOver ? details?.n_tokens : known;
    const isCounting = n !== undefined || state.run.phase !== "failed";
    setText(count, limit && isCounting ? `${n ?? "…"} / ${(isOver ? details?.max_tokens : null) ?? limit} tokens` : "");
    count.classList.toggle("over", isOver);
  }

  /** @param {SideView} state */
  function renderBoxes(state) {
    writeBox(text, state.text ?? "");
    writeBox(pair, state.text_pair ?? "");
    const takesPairs = chosenModel(state)?.pairs ?? false;
    const hasPair = state.text_pair !== null;
    const isTranslating = chosenModel(state)?.kind === "encoder-decoder";
    setText(label, isTranslating ? "Text the decoder reads" : "Second sentence");
    setText(addPair, isTranslating ? "+ Add the decoder's text" : "+ Add second sentence");
    pairField.hidden = !(takesPairs && hasPair);
    addPair.hidden = !takesPairs || hasPair;
    pairUnused.hidden = takesPairs || !hasPair || chosenModel(state) === null;
    if (!pairField.hidden) grow(pair);
  }

  return [
    {
      reads: ({ models, sides: { a } }) => [a.text, a.text_pair, a.model, models],
      render: (state) => renderBoxes(onSide(state, "a")),
    },
    {
      reads: (state) => [state.config, chosenModel(onSide(state, "a"))?.pairs, chosenExample(onSide(state, "a"))],
      render: (state) => renderExamples(onSide(state, "a")),
    },
    {
      reads(state) {
        const side = onSide(state, "a");
        return [chosenModel(side), state.config, side.run, side.analysis, isStale(side)];
      },
      render: (state) => renderCount(onSide(state, "a")),
    },
  ];
}
