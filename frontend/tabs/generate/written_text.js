// The text and what the model wrote after it, one chip a token: a click goes back to before it. Its branches are below.

import { branchesOf, idsOf, inWords, isBeginning, writtenOn } from "../../generate/branches.js";
import { isWriting, next } from "../../generate/next.js";
import { element, setText } from "../../page/dom.js";
import { tokenInWords } from "../../page/labels.js";
import { isStale } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";

/** @typedef {import("../../generate/branches.js").Piece} Piece */

const LONGEST_TEXT = 240;

/** @param {State} state the last answer of this model about the next token */
function lastNext(state) {
  return next.latest(state, ({ model }) => model === state.sides.a.model)?.answer ?? null;
}

/** @param {Store} store @returns {{root: HTMLElement, branches: HTMLElement, views: PageView[]}} */
export function createWrittenText(store) {
  const { actions } = store;
  const text = element("span", { class: "written-text", dir: "auto" });
  const chips = element("span", { class: "written-tokens", role: "group", "aria-label": "Written tokens" });
  const empty = element("span", { class: "quiet" }, "Nothing is written yet.");
  const rewind = element("button", { type: "button", class: "plain", onclick: () => actions.continueWith([]) }, "Rewind all");
  const hint = element("p", { class: "hint" }, "Click a written token to go back to before it.");
  const list = element("ul", { class: "branches" });
  const branches = element("section", { class: "branches-box", "aria-label": "Branches" }, element("h3", {}, "Branches"), list);
  const line = element("p", { class: "written-line" }, text, " ", chips, empty);
  const root = element("div", { class: "written" }, line, element("div", { class: "written-foot" }, hint, rewind));
  chips.addEventListener("click", ({ target }) => {
    const clicked = target instanceof Element ? target.closest("button") : null;
    if (clicked) actions.continueWith(store.state.sides.a.continuation.slice(0, Number(clicked.dataset.at)));
  });
  /** How the model's tokens are spelled, as far as they were seen. @type {Map<number, Piece>} */
  const spelled = new Map();
  /** @type {string | null} */
  let speller = null;
  let written = "";

  /** @param {State} state remember how tokens are spelled that may be shown before the answer with them is here */
  function learn(state) {
    const side = onSide(state, "a");
    if (side.model !== speller) spelled.clear();
    speller = side.model;
    for (const { id, text: word, piece } of lastNext(state)?.candidates ?? []) {
      const kind = word.startsWith("␣") ? "word_start" : "continuation";
      if (!spelled.has(id)) spelled.set(id, { id, text: word.replace(/^␣(?=.)/, ""), piece, kind });
    }
    for (const token of [...(state.writing?.tokens ?? []), ...(writtenOn(side) ?? [])]) spelled.set(token.id, token);
  }

  /** @param {State} state */
  function renderChips(state) {
    learn(state);
    const side = onSide(state, "a");
    const isBusy = isWriting(state);
    /** @type {(id: number) => Piece} */
    const pieceOf = (id) => spelled.get(id) ?? { id, text: `⟨${id}⟩`, piece: "", kind: "continuation" };
    const before = writtenOn(side) ?? side.continuation.map(pieceOf);
    const fresh = isBusy ? (state.writing?.tokens ?? []) : [];
    const pieces = [...before, ...fresh];
    // Chips that stay the same are not replaced: the keyboard may be on one of them.
    const key = JSON.stringify([isBusy, before.length, pieces.map(({ id, text: word }) => [id, word])]);
    if (key !== written) chips.replaceChildren(...pieces.map((piece, at) => chip(piece, at, at >= before.length, isBusy)));
    written = key;
    chips.hidden = pieces.length === 0;
    empty.hidden = pieces.length > 0;
    rewind.disabled = isBusy;
    rewind.hidden = hint.hidden = side.continuation.length === 0;
  }

  /** @param {Branch[]} all @param {number[]} continuation @param {boolean} isBusy */
  function renderBranches(all, continuation, isBusy) {
    const now = continuation.join();
    branches.hidden = all.every((branch) => idsOf(branch).join() === now);
    list.replaceChildren(
      ...all.map((branch) => {
        const ids = idsOf(branch);
        const isNow = ids.join() === now;
        const isLonger = isBeginning(continuation, ids) && continuation.length > 0;
        const current = { disabled: isBusy, "aria-current": isNow ? "true" : null };
        const attributes = { type: "button", class: "branch", ...current, onclick: () => actions.continueWith(ids) };
        const place = isNow ? ", shown" : isLonger ? ", goes on from here" : "";
        const count = `${ids.length} ${ids.length === 1 ? "token" : "tokens"}${place}`;
        const parts = [element("span", { dir: "auto" }, inWords(branch)), element("span", { class: "quiet" }, count)];
        return element("li", {}, element("button", attributes, ...parts));
      }),
    );
  }

  const typed = pageView(({ sides }) => [sides.a.text ?? ""], (words) => {
    setText(text, words.length > LONGEST_TEXT ? `…${words.slice(-LONGEST_TEXT)}` : words);
  });
  /** @type {PageView} */
  const tokens = {
    reads(state) {
      const side = onSide(state, "a");
      return [side.model, side.continuation, side.analysis, isStale(side), state.writing, lastNext(state)];
    },
    render: renderChips,
  };
  const others = pageView((state) => [branchesOf(onSide(state, "a")), state.sides.a.continuation, isWriting(state)], renderBranches);
  return { root, branches, views: [typed, tokens, others] };
}

/** @param {Piece} piece @param {number} at @param {boolean} isFresh whether it is being written now @param {boolean} isBusy */
function chip(piece, at, isFresh, isBusy) {
  const label = { "aria-label": `Rewind to before “${tokenInWords(piece)}”`, title: "Rewind to before it" };
  const data = { class: `token ${piece.kind}${isFresh ? " fresh" : ""}`, "data-at": at, "data-id": piece.id };
  return element("button", { type: "button", dir: "auto", disabled: isBusy, ...data, ...label }, piece.text);
}
