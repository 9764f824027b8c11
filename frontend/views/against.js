// Side B: another sentence, another model, or both, to compare with A; its progress and what is wrong with it.

import { whyNoSwap } from "../actions/swap.js";
import { changedWords } from "../compare/alignment.js";
import { isSameQuestion } from "../compare/comparison.js";
import { asTyped, writtenOn } from "../generate/branches.js";
import { byId, element, setText } from "../page/dom.js";
import { chosenModel, isAnswered, isChat, takesChat } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { pageView } from "./draw_views.js";
import { modelOptions } from "./models.js";
import { sideBadge } from "./parts/badges.js";
import { button } from "./parts/button.js";
import { showProblem } from "./parts/problem.js";
import { listenToBox, writeBox } from "./parts/sentence_box.js";
import { switchBox } from "./parts/switch.js";
import { explain } from "./parts/term.js";
import { layerCount } from "./status.js";

/** The menu entry for comparing with another sentence alone. */
const SAME = "";

/** @param {Store} store @param {() => void} runNow sends the question of B to the server at once @returns {PageView[]} */
export function createAgainst(store, runNow) {
  const { actions } = store;
  const root = byId("against", HTMLElement);
  const notes = byId("against-notes", HTMLElement);
  const open = byId("add-against", HTMLButtonElement);
  const text = sentenceBox("against-text", "The sentence to compare with…");
  const pair = sentenceBox("against-pair", "The second sentence to compare with…");
  text.classList.add("sentence-text");
  const picker = element("select", { id: "against-model" });
  const follow = button("plain", "Reset to A's sentence", () => actions.compareWith({ text: null, text_pair: null }));
  const swap = iconButton("⇄", "Swap A and B", () => actions.swapSides());
  swap.setAttribute("aria-describedby", "against-unswapped");
  const stop = iconButton("×", "Stop comparing", () => {
    actions.compareWith(null);
    requestAnimationFrame(() => open.focus());
  });
  const readAll = button("plain", "Let B read these tokens too", () => actions.compareWith({ text: wholeText(store.state), text_pair: null }));
  const chat = switchBox("against-chat", "Chat template", (isOn) => actions.compareWith({ chat: isOn }));
  chat.box.setAttribute("aria-label", "Chat template of B");
  explain(chat.field, "chat");
  const unread = element("span");
  const unreadLine = element("p", { class: "hint", id: "against-unread" }, unread, " ", readAll);
  const unswapped = element("p", { class: "hint", id: "against-unswapped" });
  const status = element("p", { class: "quiet", id: "against-said", role: "status" });
  const progress = element("progress", { max: 1, "aria-labelledby": "against-said" });
  const bar = element("div", { class: "bar" }, progress);
  const problem = element("div", { class: "problem against-problem", role: "alert", hidden: true });
  /** @type {import("./parts/problem.js").Remedies} */
  const remedies = { replace: (field, text) => actions.replaceText("b", field, text), chooseModel: (model) => actions.compareWith({ model }) };
  const pairs = element("div", { class: "chips", role: "group", "aria-label": "Minimal pairs" });
  const pairField = element("div", { class: "field sentence-more" }, element("label", { for: "against-pair" }, "Second sentence of B"), pair);
  const textLabel = element("label", { for: "against-text", class: "unseen" }, "Sentence of B");
  const modelLabel = element("label", { for: "against-model" }, sideBadge("b"), element("span", { class: "label-text" }, "Model"));
  const foot = element("div", { class: "run sentence-more" }, follow, chat.field, element("span", { class: "spring" }), status);
  const box = element("div", { class: "sentence-box", tabindex: -1 }, element("div", { class: "field" }, textLabel, text), pairField, foot, element("div", { class: "sentence-more" }, pairs), bar);
  root.replaceChildren(element("div", { class: "model-field" }, modelLabel, picker), element("div", { class: "sentence" }, box), swap, stop);
  const waiting = byId("against-waiting", HTMLElement);
  notes.replaceChildren(unreadLine, unswapped, problem);
  // Beside a second side the first one has a name too.
  const badgeOfA = sideBadge("a");
  document.querySelector('label[for="model"]')?.prepend(badgeOfA);

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
      root.hidden = notes.hidden = !isComparing;
      open.hidden = isComparing;
      badgeOfA.hidden = !isComparing;
    }),
    pageView(({ models, sides: { a, b } }) => b && [models, a.model, b.model], (models, model, own) => {
      const chosen = own === model ? null : own;
      const same = element("option", { value: SAME }, "Same model");
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
    pageView((state) => state.sides.b && [takesChat(onSide(state, "b")), isChat(onSide(state, "b"))], (isOffered, isOn) => {
      chat.field.hidden = !isOffered;
      chat.box.checked = isOn;
    }),
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
    pageView((state) => [state.sides.b?.run ?? null, state.sides.b ? statusWords(state) : ""], (run, words) => {
      const isBusy = run?.phase === "pending" || run?.phase === "streaming";
      setText(waiting, isBusy ? `B: ${words}` : ""); // over B's old tokens: a line of its own would move the page
      if (run === null) return;
      bar.classList.toggle("busy", isBusy);
      if (run.progress && run.progress.total > 0) progress.value = run.progress.done / run.progress.total;
      else progress.removeAttribute("value");
      setText(status, words);
    }),
    {
      reads({ sides: { a, b }, models }) {
        return b && [b.run.problem, b.model ?? a.model, models];
      },
      render: (state) => showProblem(problem, onSide(state, "b"), remedies),
    },
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

/** @param {string} sign @param {string} name @param {() => void} onclick */
function iconButton(sign, name, onclick) {
  return button("icon", sign, onclick, { "aria-label": name, title: name });
}

/** @param {string} id @param {string} placeholder */
function sentenceBox(id, placeholder) {
  return element("textarea", { id, rows: 1, dir: "auto", spellcheck: "false", placeholder });
}
