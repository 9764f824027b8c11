// The text and what the model wrote after it, one chip a token: a click goes back to before it. Under it the other
// ways it was gone on with.

import { branchesOf, idsOf, inWords, isBeginning, writtenOn } from "../../generate/branches.js";
import { isWriting } from "../../generate/generation.js";
import { tokenInWords } from "../../maps/labels.js";
import { element, setText } from "../../page/dom.js";

/** @typedef {import("../../generate/branches.js").Piece} Piece */

const LONGEST_TEXT = 240;

export class WrittenText {
  /** How the model's tokens are spelled, as far as they were seen. @type {Map<number, Piece>} */
  #spelled = new Map();
  #model = "";
  #written = "";
  #listed = "";

  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.text = element("span", { class: "written-text", dir: "auto" });
    this.chips = element("span", { class: "written-tokens", role: "group", "aria-label": "Written tokens" });
    this.empty = element("span", { class: "quiet" }, "Nothing is written yet.");
    this.rewind = element("button", { type: "button", class: "plain", onclick: () => actions.continueWith([]) }, "Rewind all");
    this.hint = element("p", { class: "hint" }, "Click a written token to go back to before it.");
    this.list = element("ul", { class: "branches" });
    this.branches = element("section", { class: "branches-box", "aria-label": "Branches" }, element("h3", {}, "Branches"), this.list);
    this.root = element(
      "div",
      { class: "written" },
      element("p", { class: "written-line" }, this.text, " ", this.chips, this.empty),
      element("div", { class: "written-foot" }, this.hint, this.rewind),
    );
    this.chips.addEventListener("click", ({ target }) => {
      const chip = target instanceof Element ? target.closest("button") : null;
      if (chip) actions.continueWith(this.ids.slice(0, Number(chip.dataset.at)));
    });
    /** @type {number[]} */
    this.ids = [];
  }

  /** @param {State} state what may be spelled soon is remembered before its own answer comes */
  #learn(state) {
    if (state.model !== this.#model) this.#spelled.clear();
    this.#model = state.model ?? "";
    for (const { id, text, piece } of state.next?.answer?.candidates ?? []) {
      const kind = text.startsWith("␣") ? "word_start" : "continuation";
      if (!this.#spelled.has(id)) this.#spelled.set(id, { id, text: text.replace(/^␣(?=.)/, ""), piece, kind });
    }
    for (const token of [...(state.writing?.tokens ?? []), ...(writtenOn(state) ?? [])]) this.#spelled.set(token.id, token);
  }

  /** @param {State} state */
  render(state) {
    this.#learn(state);
    const isBusy = isWriting(state);
    const text = state.text ?? "";
    setText(this.text, text.length > LONGEST_TEXT ? `…${text.slice(-LONGEST_TEXT)}` : text);
    this.ids = state.continuation;
    const before = writtenOn(state) ?? state.continuation.map((id) => this.#spelled.get(id) ?? unknown(id));
    const fresh = isBusy ? (state.writing?.tokens ?? []) : [];
    const pieces = [...before, ...fresh];
    const key = JSON.stringify([isBusy, before.length, pieces.map(({ id, text: word }) => [id, word])]);
    if (key !== this.#written) {
      this.#written = key;
      this.chips.replaceChildren(...pieces.map((piece, at) => chip(piece, at, at >= before.length, isBusy)));
    }
    this.chips.hidden = pieces.length === 0;
    this.empty.hidden = pieces.length > 0;
    this.rewind.disabled = isBusy;
    this.rewind.hidden = this.hint.hidden = state.continuation.length === 0;
    this.#renderBranches(state, isBusy);
  }

  /** @param {State} state @param {boolean} isBusy */
  #renderBranches(state, isBusy) {
    const branches = branchesOf(state);
    const now = JSON.stringify(state.continuation);
    const isAlone = branches.length === 1 && JSON.stringify(idsOf(branches[0])) === now;
    this.branches.hidden = branches.length === 0 || isAlone;
    const key = JSON.stringify([branches.map(idsOf), now, isBusy]);
    if (key === this.#listed) return;
    this.#listed = key;
    this.list.replaceChildren(
      ...branches.map((branch) => {
        const ids = idsOf(branch);
        const isNow = JSON.stringify(ids) === now;
        const isOn = isBeginning(state.continuation, ids) && state.continuation.length > 0;
        const current = { disabled: isBusy, "aria-current": isNow ? "true" : null };
        const attributes = { type: "button", class: "branch", ...current, onclick: () => this.actions.continueWith(ids) };
        const place = isNow ? ", shown" : isOn ? ", goes on from here" : "";
        const count = `${ids.length} ${ids.length === 1 ? "token" : "tokens"}${place}`;
        const parts = [element("span", { dir: "auto" }, inWords(branch)), element("span", { class: "quiet" }, count)];
        return element("li", {}, element("button", attributes, ...parts));
      }),
    );
  }
}

/** @param {number} id @returns {Piece} a token that nothing was heard of yet */
function unknown(id) {
  return { id, text: `⟨${id}⟩`, piece: "", kind: "continuation" };
}

/**
 * @param {Piece} piece
 * @param {number} at
 * @param {boolean} isFresh whether it is being written now
 * @param {boolean} isBusy
 */
function chip(piece, at, isFresh, isBusy) {
  const name = tokenInWords(piece);
  const attributes = {
    type: "button",
    class: `token ${piece.kind}${isFresh ? " fresh" : ""}`,
    dir: "auto",
    "data-at": at,
    "data-id": piece.id,
    disabled: isBusy,
    "aria-label": `Rewind to before “${name}”`,
    title: "Rewind to before it",
  };
  return element("button", attributes, piece.text);
}
