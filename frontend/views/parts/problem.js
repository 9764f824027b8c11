// What went wrong with a question, in one line, and the buttons that put it right.

import { element, withCode } from "../../page/dom.js";
import { isSameList } from "../../page/memo.js";
import { chosenModel } from "../../state/selectors.js";
import { cutToFit, lengthDetails, modelsThatTake } from "../../state/too_long.js";
import { button } from "./button.js";

/** @type {Record<string, string>} */
const TITLES = {
  empty_text: "Nothing to read yet",
  text_too_long: "The text is too long",
  unknown_word: "This model does not know all of these words",
  unknown_model: "No such model",
  model_failed: "The model could not be loaded",
  weights_mismatch: "The weights are not the expected ones",
  pair_not_supported: "This model takes one sentence",
  out_of_memory: "Not enough memory",
};
const CHOOSE_ANOTHER = ["unknown_model", "model_unavailable", "model_failed", "weights_mismatch", "pair_not_supported"];
/** The reasons that are long and technical: they are folded away. */
const FOLDED = ["model_unavailable", "weights_mismatch"];
const UNKNOWN_WORD = "unknown_word";
const MOST_MODELS = 3;

/** @typedef {{replace: (field: import("../../state/too_long.js").Field, text: string) => void, chooseModel: (id: string) => void}} Remedies */

/** What each panel was made from. @type {WeakMap<HTMLElement, unknown[]>} */
const madeFrom = new WeakMap();

/**
 * Show a problem, or hide the panel where there is none. The same problem is not written again: what is unfolded or
 * has the keyboard stays.
 * @param {HTMLElement} root
 * @param {SideView} seen
 * @param {Remedies} actions
 */
export function showProblem(root, seen, actions) {
  const found = seen.run.problem;
  root.hidden = found === null;
  root.dataset.code = found?.code ?? "";
  const from = [found, seen.model, seen.models];
  if (isSameList(from, madeFrom.get(root) ?? [])) return;
  madeFrom.set(root, from);
  root.replaceChildren(...(found ? problemParts(found, seen, actions) : []));
}

/** @param {Problem} found @param {SideView} seen the side it is about @param {Remedies} actions @returns {HTMLElement[]} */
export function problemParts(found, seen, actions) {
  const title = element("h2", {}, titleOf(found, seen));
  const message = FOLDED.includes(found.code)
    ? element("details", {}, element("summary", {}, "Details"), element("p", {}, ...withCode(found.message)))
    : element("p", {}, ...withCode(found.message));
  const others = found.code === UNKNOWN_WORD ? knownSentences(seen, actions) : otherModels(found, seen, actions);
  const buttons = lengthDetails(found) ? lengthButtons(found, seen, actions) : others;
  return [title, message, ...(buttons.length > 0 ? [element("div", { class: "chips" }, ...buttons)] : [])];
}

/** @param {Problem} found @param {SideView} seen */
function titleOf({ code }, seen) {
  if (code === "model_unavailable") return `${chosenModel(seen)?.name ?? "This model"}: not installed here`;
  return TITLES[code] ?? "That did not work";
}

/** @param {Problem} found @param {SideView} seen @param {Remedies} actions */
function lengthButtons(found, seen, actions) {
  const cut = cutToFit(seen, found);
  const which = cut?.field === "text_pair" ? "the second text" : seen.text_pair && chosenModel(seen)?.pairs ? "the first text" : "";
  const cuts = cut
    ? [
        button("chip", `Cut ${which}${which && " "}after the last ${cut.after} that fits`, () => actions.replace(cut.field, cut.text), {
          title: "Undo brings the rest back.",
        }),
        element("span", { class: "quiet" }, `keeps ${cut.n_kept.toLocaleString("en")} of ${cut.n_characters.toLocaleString("en")} characters`),
      ]
    : [];
  const models = modelsThatTake(seen, found).slice(0, MOST_MODELS).map(({ id, name, max_tokens }) =>
    button("chip", `Open in ${name} (${(max_tokens ?? 0).toLocaleString("en")} tokens)`, () => actions.chooseModel(id), {
      title: "Its tokenizer splits the text its own way and may count more or fewer tokens.",
    }),
  );
  return [...cuts, ...models];
}

/** Sentences of the words that a model knows. @param {SideView} seen @param {Remedies} actions */
function knownSentences(seen, actions) {
  const sentences = chosenModel(seen)?.examples ?? [];
  const buttons = sentences.map((text) => button("chip example-sentence", text, () => actions.replace("text", text)));
  return sentences.length > 0 ? [element("span", { class: "quiet" }, "Try"), ...buttons] : [];
}

/** @param {Problem} found @param {SideView} seen @param {Remedies} actions */
function otherModels({ code }, { models, model }, actions) {
  if (!CHOOSE_ANOTHER.includes(code)) return [];
  const others = models.filter(({ available, id }) => available && id !== model);
  const buttons = others.map(({ id, name }) => button("chip", name, () => actions.chooseModel(id)));
  return [element("span", { class: "quiet" }, "Choose"), ...buttons];
}
