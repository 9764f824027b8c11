// The text and what the model wrote after it, every token with its position; a click on a written one goes back to before
// it. Its branches are below.

import { asTyped, branchesOf, idsOf, inWords, isBeginning, stemOf, writtenOn } from "../../generate/branches.js";
import { isWriting, next } from "../../generate/next.js";
import { element, setText } from "../../page/dom.js";
import { placedToken, tokenInWords } from "../../page/labels.js";
import { isChat, isStale } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { button } from "../../views/parts/button.js";

/** @typedef {import("../../generate/branches.js").Piece} Piece */

/** Of a long text the last tokens are shown: the continuation follows them. */
const MOST_TOKENS = 60;
/** So many written tokens are also shown as plain text. */
const LEAST_READ = 4;
/** Before the model has read the text it is shown as typed. */
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
  const invitation = element("span");
  const empty = element("p", { class: "written-empty quiet" }, "Nothing is written yet. ", invitation);
  const rewind = element("button", { type: "button", class: "plain", onclick: () => actions.continueWith([]) }, "Rewind all");
  const list = element("ul", { class: "branches" });
  const branches = element("section", { class: "branches-box", "aria-label": "Branches" }, element("h3", {}, "Branches"), list);
  const line = element("p", { class: "written-line" }, text, " ", chips);
  const plain = element("p", { class: "written-plain", dir: "auto", hidden: true });
  const root = element("div", { class: "written" }, line, rewind, plain, empty);
  chips.addEventListener("click", ({ target }) => {
    const clicked = target instanceof Element ? target.closest("button") : null;
    if (clicked) actions.continueWith(store.state.sides.a.continuation.slice(0, Number(clicked.dataset.at)));
  });
  /** How the model's tokens are spelled, as far as they were seen. @type {Map<number, Piece>} */
  const spelled = new Map();
  /** @type {string | null} */
  let speller = null;
  let written = "";
  /** The tokens of the text alone, and what they belong to: they stay on screen while the text is read with more. */
  let prompt = { stem: "", tokens: /** @type {Token[]} */ ([]) };

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

  /** @param {SideView} side @returns {Token[] | null} null: the model has not read the text yet */
  function promptOf(side) {
    const { analysis, continuation } = side;
    const stem = stemOf(side);
    if (writtenOn(side) !== null && analysis) prompt = { stem, tokens: analysis.tokens.slice(0, analysis.tokens.length - continuation.length) };
    return prompt.stem === stem ? prompt.tokens : null;
  }

  /** @param {Token[] | null} tokens @param {string} typed */
  function renderPrompt(tokens, typed) {
    if (tokens === null) return text.replaceChildren(typed.length > LONGEST_TEXT ? `…${typed.slice(-LONGEST_TEXT)}` : typed);
    const n_before = Math.max(0, tokens.length - MOST_TOKENS);
    const before = n_before > 0 ? [`… ${n_before} tokens before `] : [];
    text.replaceChildren(...before, ...tokens.slice(n_before).flatMap((token, at) => [read(token, n_before + at), " "]));
  }

  /** @param {State} state */
  function renderChips(state) {
    learn(state);
    const side = onSide(state, "a");
    const base = promptOf(side);
    const isBusy = isWriting(state);
    /** @type {(id: number) => Piece} */
    const pieceOf = (id) => spelled.get(id) ?? { id, text: `⟨${id}⟩`, piece: "", kind: "continuation" };
    const before = writtenOn(side) ?? side.continuation.map(pieceOf);
    const fresh = isBusy ? (state.writing?.tokens ?? []) : [];
    const pieces = [...before, ...fresh];
    // Tokens that stay the same are not replaced: the keyboard may be on one of them.
    const n_base = base?.length ?? null;
    const key = JSON.stringify([isBusy, before.length, base?.map(({ id }) => id) ?? side.text, pieces.map(({ id, text: word }) => [id, word])]);
    const place = (/** @type {number} */ at) => (n_base === null ? null : n_base + at);
    chips.hidden = pieces.length === 0;
    rewind.disabled = isBusy;
    rewind.hidden = side.continuation.length === 0;
    if (key !== written) {
      renderPrompt(base, side.text ?? "");
      chips.replaceChildren(...pieces.map((piece, at) => chip(piece, at, place(at), at >= before.length, isBusy)));
      line.scrollTop = line.scrollHeight; // what is beside it has its place by now
    }
    written = key;
    empty.hidden = pieces.length > 0;
    // Among positions a text is hard to read.
    plain.hidden = pieces.length < LEAST_READ;
    setText(plain, plain.hidden ? "" : asTyped(pieces)?.trim() ?? "");
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
        const place = isNow ? ", shown" : isLonger ? ", continues from here" : "";
        const count = `${ids.length} ${ids.length === 1 ? "token" : "tokens"}${place}`;
        const parts = [element("span", { dir: "auto" }, inWords(branch)), element("span", { class: "quiet" }, count)];
        return element("li", {}, element("button", attributes, ...parts));
      }),
    );
  }

  /** The example that a model continues, offered while another text is in the box. */
  const invited = pageView((state) => [inviting(state), isChat(onSide(state, "a"))], (example, isWrapped) => {
    const reply = isWrapped ? "Step or stream to have the model reply." : "Step or stream to continue the text.";
    const offer = example ? [" Or try ", button("inline", `“${example.text}”`, () => actions.chooseExample(example)), "."] : [];
    invitation.replaceChildren(reply, ...offer);
  });
  /** @type {PageView} */
  const tokens = {
    reads(state) {
      const side = onSide(state, "a");
      return [side.model, side.text, isChat(side), side.continuation, side.analysis, isStale(side), state.writing, lastNext(state)];
    },
    render: renderChips,
  };
  const others = pageView((state) => [branchesOf(onSide(state, "a")), state.sides.a.continuation, isWriting(state)], renderBranches);
  return { root, branches, views: [invited, tokens, others] };
}

/** @param {State} state the example that invites a continuation, unless it is in the box or its model is not there */
function inviting({ config, models, sides: { a } }) {
  const found = config?.examples.find(({ tab, text }) => tab === "generate" && text !== a.text);
  return found && models.some(({ id, available }) => id === found.model && available) ? found : null;
}

/** @param {number | null} place null: not known yet */
function placeMark(place) {
  return place === null ? [] : [element("span", { class: "place" }, `·${place}`)];
}

/** A token of the text. @param {Token} token @param {number} place */
function read(token, place) {
  return element("span", { class: `placed ${token.kind}`, dir: "auto", title: token.piece }, token.text, ...placeMark(place));
}

/** A written token. @param {Piece} piece @param {number} at @param {number | null} place @param {boolean} isFresh whether it is being written now @param {boolean} isBusy */
function chip(piece, at, place, isFresh, isBusy) {
  const name = place === null ? tokenInWords(piece) : placedToken(piece, place);
  const label = { "aria-label": `Rewind to before “${name}”`, title: "Rewind to before it" };
  const data = { class: `token ${piece.kind}${isFresh ? " fresh" : ""}`, "data-at": at, "data-id": piece.id };
  return element("button", { type: "button", dir: "auto", disabled: isBusy, ...data, ...label }, piece.text, ...placeMark(place));
}
