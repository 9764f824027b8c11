// The sentence boxes, the examples and the token count.

import { byId, element, setText } from "../page/dom.js";
import { chosenExample, chosenModel, isStale } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { lengthDetails } from "../state/too_long.js";
import { pageView } from "./draw_views.js";
import { button } from "./parts/button.js";
import { leaveBox, listenToBox, writeBox } from "./parts/sentence_box.js";

/** @param {Actions} actions @param {() => void} runNow @returns {PageView[]} */
export function createSentence(actions, runNow) {
  const text = byId("text", HTMLTextAreaElement);
  const pair = byId("text-pair", HTMLTextAreaElement);
  const pairField = byId("pair-field", HTMLElement);
  const pairUnused = byId("pair-unused", HTMLElement);
  const addPair = byId("add-pair", HTMLButtonElement);
  const examples = byId("examples", HTMLElement);
  const count = byId("count", HTMLElement);
  const label = byId("pair-label", HTMLElement);

  byId("sentence", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    runNow();
    leaveBox(text);
  });
  listenToBox(text, actions.editText, runNow);
  listenToBox(pair, actions.editPair, runNow);
  addPair.addEventListener("click", () => {
    actions.editPair("");
    // The button goes with this click, and without the focus in it the box would close.
    /** @type {HTMLElement | null} */ (addPair.closest(".sentence-box"))?.focus();
    requestAnimationFrame(() => pair.focus());
  });
  byId("remove-pair", HTMLButtonElement).addEventListener("click", () => {
    actions.editPair(null);
    text.focus();
  });

  return [
    pageView(
      (state) => {
        const a = onSide(state, "a");
        return [a.text, a.text_pair, chosenModel(a)];
      },
      (words, second, model) => {
        const takesPairs = model?.pairs ?? false;
        const isTranslating = model?.kind === "encoder-decoder";
        setText(label, isTranslating ? "Text the decoder reads" : "Second sentence");
        setText(addPair, isTranslating ? "+ Add the decoder's text" : "+ Add second sentence");
        pairField.hidden = !takesPairs || second === null;
        addPair.hidden = !takesPairs || second !== null;
        pairUnused.hidden = takesPairs || second === null || model === null;
        writeBox(text, words ?? "");
        writeBox(pair, second ?? "");
      },
    ),
    pageView(
      (state) => [state.config, chosenModel(onSide(state, "a")), chosenExample(onSide(state, "a"))],
      (config, model, chosen) => {
        const [takesPairs, ownTexts] = [model?.pairs, model?.examples ?? []];
        if (ownTexts.length > 0) {
          examples.replaceChildren(...ownTexts.map((text) => {
            const made = button("chip example", "", () => actions.replaceText("a", "text", text));
            made.append(element("span", {}, text));
            return made;
          }));
          return;
        }
        const chips = (config?.examples ?? []).map((example) => {
          const disabled = example.text_pair !== null && !takesPairs;
          const others = { disabled, "aria-pressed": String(example === chosen) };
          const made = button("chip example", "", () => actions.chooseExample(example), others);
          const sentences = [example.text, example.text_pair].filter(Boolean).join(" + ");
          const about = disabled ? "This model takes one sentence only." : example.hint;
          made.append(element("b", {}, example.title), element("span", {}, sentences), element("span", { class: "quiet" }, about));
          return made;
        });
        examples.replaceChildren(...chips);
      },
    ),
    pageView(
      (state) => {
        const a = onSide(state, "a");
        return [chosenModel(a), state.config, a.run, isStale(a) ? undefined : a.analysis?.n_tokens, (a.text ?? "").trim() === ""];
      },
      (model, config, { problem, phase }, n_tokens, isEmpty) => {
        const limit = model?.max_tokens ?? config?.limits.max_tokens;
        const over = lengthDetails(problem);
        const unit = over?.max_characters === undefined ? "tokens" : "characters";
        const n = over ? (over.n_tokens ?? over.n_characters) : n_tokens;
        const most = over?.max_tokens ?? over?.max_characters ?? limit;
        const isCounting = n !== undefined || isEmpty || phase !== "failed";
        setText(count, most && isCounting ? `${n?.toLocaleString("en") ?? (isEmpty ? "0" : "…")} / ${most.toLocaleString("en")} ${unit}` : "");
        count.classList.toggle("over", over !== null);
      },
    ),
  ];
}
