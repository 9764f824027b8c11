// Side B: another sentence, another model, or both, to hold against A; how it stands, and what is wrong with it.

import { changedWords } from "../compare/alignment.js";
import { isSameQuestion } from "../compare/compared_heads.js";
import { asTyped, writtenOn } from "../generate/branches.js";
import { byId, element, setText } from "../page/dom.js";
import { chosenModel, isStale } from "../state/selectors.js";
import { seenFrom } from "../state/side.js";
import { whyNoSwap } from "../actions/swap.js";
import { modelOptions } from "./models.js";
import { grow, listenToBox, writeBox } from "./parts/sentence_box.js";
import { sideBadge } from "./parts/side_badge.js";

/** The entry of the menu for whoever wants only another sentence. */
const SAME = "";
const OF_INTEREST = ["against", "other", "comparison", "models", "model", "text", "text_pair", "config", "continuation", "analysis"];

/**
 * @param {Actions} actions
 * @param {() => void} runNow puts the question of B to the server at once
 */
export function createAgainst(actions, runNow) {
  const root = byId("against", HTMLElement);
  const open = byId("add-against", HTMLButtonElement);
  const text = sentenceBox("against-text", "The sentence to compare with…");
  const pair = sentenceBox("against-pair", "The second sentence to compare with…");
  const picker = element("select", { id: "against-model" });
  const plain = (/** @type {string} */ label, /** @type {() => void} */ onclick) =>
    element("button", { type: "button", class: "plain", onclick }, label);
  const follow = plain("Same sentence as A", () => actions.compareWith({ text: null, text_pair: null }));
  const swap = plain("⇄ Swap A and B", () => actions.swapSides());
  const whole = plain("Let B read all of it", () => actions.compareWith({ text: shown && wholeText(shown), text_pair: null }));
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

  /** @type {State | null} */
  let shown = null;
  listenToBox(text, (typed) => actions.editAgainst({ text: typed }), runNow);
  listenToBox(pair, (typed) => actions.editAgainst({ text_pair: typed }), runNow);
  picker.addEventListener("change", () => actions.compareWith({ model: picker.value === SAME ? null : picker.value }));
  open.addEventListener("click", () => {
    actions.compareWith({});
    actions.chooseTab("compare");
    requestAnimationFrame(() => text.focus());
  });

  /** @param {State} state */
  function renderPicker({ models, model, against }) {
    const isOther = against !== null && against.model !== null && against.model !== model;
    const chosen = isOther ? against.model : null;
    const same = element("option", { value: SAME }, "Same model as A");
    picker.replaceChildren(same, ...modelOptions(models.filter(({ id }) => id !== model), chosen));
    picker.value = chosen ?? SAME;
  }

  /** @param {State} state the examples that come with a minimal pair, by the word that is changed */
  function renderPairs(state) {
    const examples = (state.config?.examples ?? []).filter((example) => example.against !== null);
    const seen = seenFrom(state, { side: "b", stack: 0 });
    const chips = examples.map((example) => {
      const isChosen = state.text === example.text && seen.text === example.against;
      const attributes = { type: "button", class: "chip", title: example.hint, "aria-pressed": String(isChosen) };
      const words = changedWords(example.text, example.against ?? "") ?? example.title;
      return element("button", { ...attributes, onclick: () => actions.choosePair(example) }, words);
    });
    pairs.hidden = chips.length === 0;
    pairs.replaceChildren(element("span", { class: "quiet" }, "Minimal pairs"), ...chips);
  }

  /** @param {State} state how B stands */
  function renderStanding(state) {
    const seen = seenFrom(state, { side: "b", stack: 0 });
    const { run } = seen;
    const isBusy = run.phase === "pending" || run.phase === "streaming";
    bar.classList.toggle("busy", isBusy);
    if (run.progress && run.progress.total > 0) progress.value = run.progress.done / run.progress.total;
    else progress.removeAttribute("value");
    setText(said, standingWords(state));
    const found = isBusy ? null : run.problem;
    problem.hidden = found === null;
    problem.dataset.code = found?.code ?? "";
    setText(problem, found?.message ?? "");
  }

  /** @param {State} state what B leaves out of A's text, and what cannot be done therefore */
  function renderNotes(state) {
    setText(unread, unreadInWords(state));
    unreadLine.hidden = unread.textContent === "";
    whole.hidden = wholeText(state) === null;
    const why = whyNoSwap(state);
    swap.disabled = why !== "";
    unswapped.hidden = why === "";
    setText(unswapped, why);
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     */
    render(state, changed) {
      shown = state;
      if (!OF_INTEREST.some((key) => changed.has(key))) return;
      const isComparing = state.against !== null;
      root.hidden = !isComparing;
      open.hidden = isComparing;
      for (const made of ofA) made.hidden = !isComparing;
      if (!isComparing) return;
      const seen = seenFrom(state, { side: "b", stack: 0 });
      if (["models", "model", "against"].some((key) => changed.has(key))) renderPicker(state);
      writeBox(text, seen.text ?? "");
      pairField.hidden = !chosenModel(seen)?.pairs || seen.text_pair === null;
      writeBox(pair, seen.text_pair ?? "");
      if (!pairField.hidden) grow(pair);
      follow.hidden = state.against?.text === null && state.against.text_pair === null;
      if (["config", "against", "text"].some((key) => changed.has(key))) renderPairs(state);
      renderNotes(state);
      renderStanding(state);
    },
  };
}

/**
 * What of A's text B does not read though it takes its sentence from A.
 * @param {State} state
 * @returns {string} "": nothing
 */
export function unreadInWords(state) {
  const n = state.continuation.length;
  const isLess = seenFrom(state, { side: "b", stack: 0 }).continuation.length < n;
  if (!isLess || state.against === null || state.against.text !== null) return "";
  return `B reads the sentence alone, without the ${n === 1 ? "token" : `${n} tokens`} written after it on side A.`;
}

/** @param {State} state A's text with what was written after it, as words; null while or where nobody can tell */
export function wholeText(state) {
  const words = asTyped(writtenOn(state) ?? []);
  return words ? `${state.text ?? ""}${words}` : null;
}

/**
 * How B stands, in words.
 * @param {State} state
 */
export function standingWords(state) {
  const seen = seenFrom(state, { side: "b", stack: 0 });
  const { run, analysis } = seen;
  if (run.phase === "pending") return run.progress?.message ?? "Asking the model…";
  if (run.phase === "streaming") return run.progress?.message ?? `layer ${run.layers} of ${analysis ? layersOf(analysis) : "…"}`;
  if (run.phase !== "done" || analysis === null || isStale(seen)) return "";
  if (isSameQuestion(state)) return "the same as A so far";
  const limit = chosenModel(seen)?.max_tokens ?? state.config?.limits.max_tokens;
  return `${analysis.n_tokens} / ${limit} tokens${seen.text_pair && !chosenModel(seen)?.pairs ? "; this model reads one sentence" : ""}`;
}

/** @param {Analysis} analysis how many layers are to come, of all its attentions */
function layersOf({ stacks }) {
  return stacks.reduce((sum, { n_layers }) => sum + n_layers, 0);
}

/**
 * @param {string} id
 * @param {string} placeholder
 */
function sentenceBox(id, placeholder) {
  return element("textarea", { id, rows: 1, dir: "auto", spellcheck: "false", placeholder });
}
