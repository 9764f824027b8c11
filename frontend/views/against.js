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
import { sideBadge } from "./parts/badges.js";
import { button } from "./parts/button.js";
import { listenToBox, writeBox } from "./parts/sentence_box.js";
import { layerCount } from "./status.js";

/** The menu entry for comparing with another sentence alone. */
const SAME = "";

/** @param {Store} store @param {() => void} runNow sends the question of B to the server at once @returns {PageView[]} */
export function createAgainst(store, runNow) {
  const { actions } = store;
  const root = byId("against", HTMLElement);
  const open = byId("add-against", HTMLButtonElement);
  const text = sentenceBox("against-text", "The sentence to compare with…");
  const pair = sentenceBox("against-pair", "The second sentence to compare with…");
  const picker = element("select", { id: "against-model" });
  const follow = button("plain", "Same sentence as A", () => actions.compareWith({ text: null, text_pair: null }));
  const swap = button("plain", "⇄ Swap A and B", () => actions.swapSides(), { "aria-describedby": "against-unswapped" });
  const stop = button("plain", "Stop comparing", () => {
    actions.compareWith(null);
    requestAnimationFrame(() => open.focus());
  });
  const readAll = button("plain", "Let B read all of it", () => actions.compareWith({ text: wholeText(store.state), text_pair: null }));
  const unread = element("span");
  const unreadLine = element("p", { class: "hint", id: "against-unread" }, unread, " ", readAll);
  const unswapped = element("p", { class: "hint", id: "against-unswapped" });
  const status = element("p", { class: "quiet", id: "against-said", role: "status" });
  const progress = element("progress", { max: 1, "aria-labelledby": "against-said" });
  const bar = element("div", { class: "bar" }, progress);
  const problem = element("p", { class: "against-problem", role: "alert", hidden: true });
  const pairs = element("div", { class: "chips", role: "group", "aria-label": "Minimal pairs" });
  const pairField = element("div", { class: "field" }, element("label", { for: "against-pair" }, "Second sentence of B"), pair);
  const textLabel = element("label", { for: "against-text" }, sideBadge("b"), "Sentence");
  const modelLabel = element("label", { for: "against-model" }, sideBadge("b"), "Model");
  root.replaceChildren(
    element("div", { class: "against-head" }, textLabel, element("span", { class: "spring" }), follow, swap, stop),
    text,
    pairField,
    unreadLine,
    unswapped,
    bar,
    element("div", { class: "against-foot" }, modelLabel, picker, pairs, status),
    problem,
  );
  // Beside a second side the first one has a name too.
  const ofA = ["text", "model"].map((id) => {
    const badge = sideBadge("a");
    document.querySelector(`label[for="${id}"]`)?.prepend(badge);
    return badge;
  });

  listenToBox(text, (typed) => actions.editAgainst({ text: typed }), runNow);
  listenToBox(pair, (typed) => actions.editAgainst({ text_pair: typed }), runNow);
  picker.addEventListener("change", () => actions.compareWith({ model: picker.value === SAME ? null : picker.value }));
  open.addEventListener("click", () => {
    actions.compareWith({});
    actions.chooseTab("compare");
    requestAnimationFrame(() => text.focus());
  });

  return [
    pageView(({ sides }) => [sides.b !== null], (isComparing) => {
      root.hidden = !isComparing;
      open.hidden = isComparing;
      for (const badge of ofA) badge.hidden = !isComparing;
    }),
    pageView(({ models, sides: { a, b } }) => b && [models, a.model, b.model], (models, model, own) => {
      const chosen = own === model ? null : own;
      const same = element("option", { value: SAME }, "Same model as A");
      picker.replaceChildren(same, ...modelOptions(models.filter(({ id }) => id !== model), chosen));
      picker.value = chosen ?? SAME;
    }),
    pageView(
      (state) => {
        const { b } = state.sides;
        const seen = onSide(state, "b");
        return b && [seen.text, seen.text_pair, chosenModel(seen)?.pairs, b.text !== null || b.text_pair !== null];
      },
      (words, second, takesPairs, isOwn) => {
        writeBox(text, words ?? "");
        pairField.hidden = !takesPairs || second === null;
        writeBox(pair, second ?? "");
        follow.hidden = !isOwn;
      },
    ),
    // The examples that come with a minimal pair, by the word that is changed.
    pageView((state) => state.sides.b && [state.config, state.sides.a.text, onSide(state, "b").text], (config, textOfA, textOfB) => {
      const chips = (config?.examples ?? []).flatMap((example) => {
        if (!example.against) return [];
        const isChosen = textOfA === example.text && textOfB === example.against;
        const words = changedWords(example.text, example.against) ?? example.title;
        return [button("chip", words, () => actions.choosePair(example), { title: example.hint, "aria-pressed": String(isChosen) })];
      });
      pairs.hidden = chips.length === 0;
      pairs.replaceChildren(element("span", { class: "quiet" }, "Minimal pairs"), ...chips);
    }),
    pageView((state) => state.sides.b && [unreadInWords(state), wholeText(state) !== null], (words, canReadAll) => {
      setText(unread, words);
      unreadLine.hidden = words === "";
      readAll.hidden = !canReadAll;
    }),
    pageView((state) => state.sides.b && [whyNoSwap(state)], (why) => {
      swap.disabled = why !== "";
      unswapped.hidden = why === "";
      setText(unswapped, why);
    }),
    pageView((state) => state.sides.b && [state.sides.b.run, statusWords(state)], (run, words) => {
      const isBusy = run.phase === "pending" || run.phase === "streaming";
      bar.classList.toggle("busy", isBusy);
      if (run.progress && run.progress.total > 0) progress.value = run.progress.done / run.progress.total;
      else progress.removeAttribute("value");
      setText(status, words);
      const found = isBusy ? null : run.problem;
      problem.hidden = found === null;
      problem.dataset.code = found?.code ?? "";
      setText(problem, found?.message ?? "");
    }),
  ];
}

/** What of A's text B does not read though it takes its sentence from A. @param {State} state @returns {string} "": nothing */
export function unreadInWords(state) {
  const { a, b } = state.sides;
  const n = a.continuation.length;
  if (b === null || b.text !== null || onSide(state, "b").continuation.length >= n) return "";
  return `B reads the sentence alone, without the ${n === 1 ? "token" : `${n} tokens`} written after it on side A.`;
}

/** A's text with what was written after it, as words; null where or while that is unknown. @param {State} state */
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
  if (run.phase === "streaming") return run.progress?.message ?? `layer ${run.layers} of ${analysis ? layerCount(analysis) : "…"}`;
  if (analysis === null || !isAnswered(b)) return "";
  if (isSameQuestion(state)) return "the same as A so far";
  const model = chosenModel(b);
  const limit = model?.max_tokens ?? state.config?.limits.max_tokens;
  return `${analysis.n_tokens} / ${limit} tokens${b.text_pair && !model?.pairs ? "; this model reads one sentence" : ""}`;
}

/** @param {string} id @param {string} placeholder */
function sentenceBox(id, placeholder) {
  return element("textarea", { id, rows: 1, dir: "auto", spellcheck: "false", placeholder });
}
