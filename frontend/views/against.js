// Side B: another sentence, another model, or both, to compare with A; its progress and what is wrong with it.

import { whyNoSwap } from "../actions/swap.js";
import { changedWords } from "../compare/alignment.js";
import { isSameQuestion } from "../compare/comparison.js";
import { asTyped, writtenOn } from "../generate/branches.js";
import { byId, element, setText } from "../page/dom.js";
import { chosenModel, isAnswered } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { pageView } from "./draw_views.js";
import { modelOptions } from "./models.js";
import { listenToBox, writeBox } from "./parts/sentence_box.js";
import { sideBadge } from "./parts/side_badge.js";

/** The entry of the menu for whoever wants only another sentence. */
const SAME = "";

/** @param {Store} store @param {() => void} runNow puts the question of B to the server at once @returns {PageView[]} */
export function createAgainst(store, runNow) {
  const { actions } = store;
  const root = byId("against", HTMLElement);
  const open = byId("add-against", HTMLButtonElement);
  const text = sentenceBox("against-text", "The sentence to compare with…");
  const pair = sentenceBox("against-pair", "The second sentence to compare with…");
  const picker = element("select", { id: "against-model" });
  const plain = (/** @type {string} */ label, /** @type {() => void} */ onclick) =>
    element("button", { type: "button", class: "plain", onclick }, label);
  const follow = plain("Same sentence as A", () => actions.compareWith({ text: null, text_pair: null }));
  const swap = plain("⇄ Swap A and B", () => actions.swapSides());
  const whole = plain("Let B read all of it", () => actions.compareWith({ text: wholeText(store.state), text_pair: null }));
  const unread = element("span");
  const unreadLine = element("p", { class: "hint", id: "against-unread" }, unread, " ", whole);
  const unswapped = element("p", { class: "hint", id: "against-unswapped" });
  swap.setAttribute("aria-describedby", unswapped.id);
  const stop = plain("Stop comparing", () => {
    actions.compareWith(null);
    requestAnimationFrame(() => open.focus());
  });
  const said = element("p", { class: "quiet", id: "against-said", role: "status" });
  const progress = element("progress", { max: 1, "aria-labelledby": "against-said" });
  const bar = element("div", { class: "bar" }, progress);
  const problem = element("p", { class: "against-problem", role: "alert", hidden: true });
  const pairs = element("div", { class: "chips", role: "group", "aria-label": "Minimal pairs" });
  const pairField = element("div", { class: "field" }, element("label", { for: "against-pair" }, "Second sentence of B"), pair);
  root.replaceChildren(
    element(
      "div",
      { class: "against-head" },
      element("label", { for: "against-text" }, sideBadge("b"), "Sentence"),
      element("span", { class: "spring" }),
      follow,
      swap,
      stop,
    ),
    text,
    pairField,
    unreadLine,
    unswapped,
    bar,
    element(
      "div",
      { class: "against-foot" },
      element("label", { for: "against-model" }, sideBadge("b"), "Model"),
      picker,
      pairs,
      said,
    ),
    problem,
  );
  // Beside a second side the first one has a name too.
  const ofA = ["text", "model"].map((id) => {
    const made = sideBadge("a");
    document.querySelector(`label[for="${id}"]`)?.prepend(made);
    return made;
  });

  listenToBox(text, (typed) => actions.editAgainst({ text: typed }), runNow);
  listenToBox(pair, (typed) => actions.editAgainst({ text_pair: typed }), runNow);
  picker.addEventListener("change", () => actions.compareWith({ model: picker.value === SAME ? null : picker.value }));
  open.addEventListener("click", () => {
    actions.compareWith({});
    actions.chooseTab("compare");
    requestAnimationFrame(() => text.focus());
  });

  /** @param {Model[]} models @param {string | null} model of A @param {string | null} own that of B */
  function renderPicker(models, model, own) {
    const chosen = own === model ? null : own;
    const same = element("option", { value: SAME }, "Same model as A");
    picker.replaceChildren(same, ...modelOptions(models.filter(({ id }) => id !== model), chosen));
    picker.value = chosen ?? SAME;
  }

  /** @param {string | null} words @param {string | null} second @param {boolean} takesPairs @param {boolean} isOwn */
  function renderTexts(words, second, takesPairs, isOwn) {
    writeBox(text, words ?? "");
    pairField.hidden = !takesPairs || second === null;
    writeBox(pair, second ?? "");
    follow.hidden = !isOwn;
  }

  /** @param {Config | null} config @param {string | null} one @param {string | null} other the texts of both sides */
  function renderPairs(config, one, other) {
    const examples = (config?.examples ?? []).filter((example) => example.against !== null);
    // The examples that come with a minimal pair, by the word that is changed.
    const chips = examples.map((example) => {
      const isChosen = one === example.text && other === example.against;
      const attributes = { type: "button", class: "chip", title: example.hint, "aria-pressed": String(isChosen) };
      const words = changedWords(example.text, example.against ?? "") ?? example.title;
      return element("button", { ...attributes, onclick: () => actions.choosePair(example) }, words);
    });
    pairs.hidden = chips.length === 0;
    pairs.replaceChildren(element("span", { class: "quiet" }, "Minimal pairs"), ...chips);
  }

  /** @param {string} words what B leaves out of A's text @param {boolean} canReadAll @param {string} why the sides cannot be swapped */
  function renderNotes(words, canReadAll, why) {
    setText(unread, words);
    unreadLine.hidden = words === "";
    whole.hidden = !canReadAll;
    swap.disabled = why !== "";
    unswapped.hidden = why === "";
    setText(unswapped, why);
  }

  /** @param {import("../state/state.js").Run} run @param {string} words */
  function renderStatus(run, words) {
    const isBusy = run.phase === "pending" || run.phase === "streaming";
    bar.classList.toggle("busy", isBusy);
    if (run.progress && run.progress.total > 0) progress.value = run.progress.done / run.progress.total;
    else progress.removeAttribute("value");
    setText(said, words);
    const found = isBusy ? null : run.problem;
    problem.hidden = found === null;
    problem.dataset.code = found?.code ?? "";
    setText(problem, found?.message ?? "");
  }

  return [
    pageView(
      ({ sides }) => [sides.b !== null],
      (isComparing) => {
        root.hidden = !isComparing;
        open.hidden = isComparing;
        for (const made of ofA) made.hidden = !isComparing;
      },
    ),
    pageView(({ models, sides: { a, b } }) => b && [models, a.model, b.model], renderPicker),
    pageView((state) => {
      const { b } = state.sides;
      const seen = onSide(state, "b");
      return b && [seen.text, seen.text_pair, chosenModel(seen)?.pairs ?? false, b.text !== null || b.text_pair !== null];
    }, renderTexts),
    pageView((state) => state.sides.b && [state.config, state.sides.a.text, onSide(state, "b").text], renderPairs),
    pageView((state) => state.sides.b && [unreadInWords(state), wholeText(state) !== null, whyNoSwap(state)], renderNotes),
    pageView((state) => state.sides.b && [state.sides.b.run, statusWords(state)], renderStatus),
  ];
}

/** What of A's text B does not read though it takes its sentence from A. @param {State} state @returns {string} "": nothing */
export function unreadInWords(state) {
  const { a, b } = state.sides;
  const n = a.continuation.length;
  if (b === null || b.text !== null || onSide(state, "b").continuation.length >= n) return "";
  return `B reads the sentence alone, without the ${n === 1 ? "token" : `${n} tokens`} written after it on side A.`;
}

/** @param {State} state A's text with what was written after it, as words; null while or where nobody can tell */
export function wholeText(state) {
  const a = onSide(state, "a");
  const words = asTyped(writtenOn(a) ?? []);
  return words ? `${a.text ?? ""}${words}` : null;
}

/** How far the question of B is, in words. @param {State} state */
export function statusWords(state) {
  const b = onSide(state, "b");
  const { run, analysis } = b;
  if (run.phase === "pending") return run.progress?.message ?? "Asking the model…";
  if (run.phase === "streaming") return run.progress?.message ?? `layer ${run.layers} of ${analysis ? layersOf(analysis) : "…"}`;
  if (analysis === null || !isAnswered(b)) return "";
  if (isSameQuestion(state)) return "the same as A so far";
  const model = chosenModel(b);
  const limit = model?.max_tokens ?? state.config?.limits.max_tokens;
  return `${analysis.n_tokens} / ${limit} tokens${b.text_pair && !model?.pairs ? "; this model reads one sentence" : ""}`;
}

/** @param {Analysis} analysis how many layers are to come, of all its attentions */
function layersOf({ stacks }) {
  return stacks.reduce((sum, { n_layers }) => sum + n_layers, 0);
}

/** @param {string} id @param {string} placeholder */
function sentenceBox(id, placeholder) {
  return element("textarea", { id, rows: 1, dir: "auto", spellcheck: "false", placeholder });
}
