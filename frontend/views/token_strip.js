// The tokens of one side, one chip each: hover follows a token, a click locks it, Shift adds it to those locked.

import { markWords, oppositesOf } from "../compare/alignment.js";
import { focusOn } from "../compare/comparison.js";
import { element } from "../page/dom.js";
import { isStale, shownFocus } from "../state/selectors.js";
import { seenFrom } from "../state/side.js";
import { sideBadge } from "./parts/side_badge.js";

/** @typedef {import("../state/view.js").Side} Side */

export class TokenStrip {
  /** @type {HTMLElement[]} */
  #chips = [];
  /** @type {Token[] | null} */
  #tokens = null;
  #isAsking = false;
  /** Whether these are the tokens of an older question. */
  #isOld = false;
  /** Whether two sides are compared. */
  #isCompared = false;

  /**
   * @param {Side} side
   * @param {HTMLElement} root
   * @param {Actions} actions
   */
  constructor(side, root, actions) {
    this.side = side;
    this.root = root;
    const focusOf = (/** @type {Event} */ event) => {
      const chip = event.target instanceof Element ? event.target.closest("button") : null;
      return chip ? { side, queries: [Number(chip.dataset.index)], keys: [] } : null;
    };
    root.addEventListener("pointerover", (event) => actions.hover(focusOf(event)));
    root.addEventListener("pointerleave", () => actions.hover(null));
    root.addEventListener("focusout", () => actions.hover(null));
    root.addEventListener("focusin", (event) => actions.hover(focusOf(event)));
    root.addEventListener("click", (event) => {
      const focus = focusOf(event);
      if (focus && this.#isAsking) actions.chooseToken(focus.queries[0]);
      else if (focus) actions.toggleLock(focus, event.shiftKey || event.ctrlKey || event.metaKey);
    });
  }

  /** @param {State} state seen from this side */
  #rebuild({ analysis }) {
    this.#tokens = analysis?.tokens ?? null;
    const tokens = this.#tokens ?? [];
    const hasTwo = tokens.some((token) => token.segment === 1);
    this.#chips = tokens.map((token) => chip(token, hasTwo));
    /** @type {HTMLElement[]} */
    const groups = [];
    tokens.forEach((token, at) => {
      const isJoined = token.kind === "continuation" && groups.length > 0;
      if (isJoined) groups[groups.length - 1].append(this.#chips[at]);
      else groups.push(element("span", { class: "word", role: "presentation" }, this.#chips[at]));
    });
    const badge = this.#isCompared && tokens.length > 0 ? [sideBadge(this.side)] : [];
    this.root.replaceChildren(...badge, ...groups);
    if (this.side === "a") this.root.setAttribute("aria-label", this.#isCompared ? "Tokens of A" : "Tokens");
  }

  /** @param {State} state which tokens have another one opposite, or none */
  #renderMarks({ comparison, analysis }) {
    const opposites = oppositesOf(comparison?.answer?.units ?? [], this.side);
    this.#chips.forEach((made, at) => {
      made.classList.toggle("changed", opposites[at]?.mark === "changed");
      made.classList.toggle("alone", opposites[at]?.mark === "alone");
      const token = /** @type {Analysis} */ (analysis).tokens[at];
      made.title = [titleOf(token), markWords(opposites[at], this.side)].filter(Boolean).join(" · ");
    });
  }

  /** @param {State} state which tokens are asked for, or locked where nothing is asked */
  #renderChosen({ lock, ask }) {
    this.#chips.forEach((made, at) => {
      const isAsked = this.#isAsking && !this.#isOld;
      const [isFrom, isTo] = [isAsked && ask.queries.includes(at), isAsked && ask.keys.includes(at)];
      made.classList.toggle("asked-from", isFrom);
      made.classList.toggle("asked-to", isTo);
      const isLocked = !this.#isAsking && !this.#isOld && lock?.side === this.side && lock.queries.includes(at) && lock.keys.length === 0;
      made.setAttribute("aria-pressed", String(isFrom || isTo || isLocked));
    });
  }

  /**
   * @param {State} state
   * @param {Set<string>} changed
   */
  render(state, changed) {
    const seen = seenFrom(state, { side: this.side, stack: 0 });
    this.root.hidden = this.side === "b" && state.against === null;
    const isCompared = state.against !== null;
    const isOther = (seen.analysis?.tokens ?? null) !== this.#tokens || isCompared !== this.#isCompared;
    this.#isCompared = isCompared;
    if (isOther) this.#rebuild(seen);
    if (isOther || changed.has("comparison")) this.#renderMarks(seen);
    const wasOld = this.#isOld;
    this.#isOld = isStale(seen);
    this.root.classList.toggle("stale", this.#isOld);
    // Only the tokens of side a can be asked for: the ranking is of its heads.
    this.#isAsking = state.tab === "ask" && this.side === "a";
    const isTurned = isOther || wasOld !== this.#isOld;
    if (isTurned || ["tab", "ask", "lock"].some((key) => changed.has(key))) this.#renderChosen(state);
    if (!isTurned && !["hover", "lock", "comparison"].some((key) => changed.has(key))) return;
    const focus = focusOn(state, shownFocus(state), this.side);
    this.#chips.forEach((made, at) => {
      made.classList.toggle("is-query", focus?.queries.includes(at) ?? false);
      made.classList.toggle("is-key", focus?.keys.includes(at) ?? false);
    });
  }
}

/**
 * @param {Token} token
 * @param {boolean} hasTwo whether there is a second text
 */
function chip(token, hasTwo) {
  return element(
    "button",
    {
      type: "button",
      class: `token ${token.kind}`,
      dir: "auto",
      "data-index": token.index,
      "data-segment": hasTwo ? "AB"[token.segment] : null,
      title: titleOf(token),
    },
    token.text,
  );
}

/** @param {Token} token */
function titleOf({ piece, id }) {
  return `${piece} · id ${id}`;
}
