// The token strip: what the model really reads, one chip a token. It must not know the maps.

import { byId, element, setText } from "../dom.js";
import { chosenExample, hasPair, isStale, shownFocus } from "../selectors.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../store.js").Actions} Actions */
/** @typedef {import("../api.js").Token} Token */

/** @param {Actions} actions */
export function createTokens(actions) {
  const strip = byId("tokens", HTMLElement);
  const hint = byId("tokens-hint", HTMLElement);
  /** @type {HTMLElement[]} */
  let chips = [];

  /** @param {Event} event */
  const focusOf = (event) => {
    const chip = event.target instanceof Element ? event.target.closest("button") : null;
    return chip ? { query: Number(chip.dataset.index), key: null } : null;
  };
  strip.addEventListener("pointerover", (event) => actions.hover(focusOf(event)));
  strip.addEventListener("pointerleave", () => actions.hover(null));
  strip.addEventListener("focusout", () => actions.hover(null));
  strip.addEventListener("focusin", (event) => actions.hover(focusOf(event)));
  strip.addEventListener("click", (event) => {
    const focus = focusOf(event);
    if (focus) actions.toggleLock(focus);
  });

  /**
   * @param {Token} token
   * @param {boolean} isPair
   */
  function chip(token, isPair) {
    return element(
      "button",
      {
        type: "button",
        class: `token ${token.kind}`,
        dir: "auto",
        "data-index": token.index,
        "data-segment": isPair ? "AB"[token.segment] : null,
        title: `${token.piece} · id ${token.id}`,
      },
      token.text,
    );
  }

  /** @param {State} state */
  function rebuild(state) {
    const tokens = state.analysis?.tokens ?? [];
    const isPair = hasPair(state);
    chips = tokens.map((token) => chip(token, isPair));
    /** @type {HTMLElement[]} */
    const groups = [];
    tokens.forEach((token, at) => {
      const isJoined = token.kind === "continuation" && groups.length > 0;
      if (isJoined) groups[groups.length - 1].append(chips[at]);
      else groups.push(element("span", { class: "word", role: "presentation" }, chips[at]));
    });
    strip.replaceChildren(...groups);
    hint.hidden = tokens.length === 0;
    setText(hint, `${chosenExample(state)?.hint ?? ""} Point at a token to follow it through the heads; click to lock it.`.trim());
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     */
    render(state, changed) {
      if (changed.has("analysis")) rebuild(state);
      strip.classList.toggle("stale", isStale(state));
      if (!["analysis", "hover", "lock"].some((key) => changed.has(key))) return;
      const focus = shownFocus(state);
      chips.forEach((made, at) => {
        made.classList.toggle("is-query", focus?.query === at);
        made.classList.toggle("is-key", focus?.key === at);
        made.setAttribute("aria-pressed", String(state.lock?.query === at && state.lock.key === null));
      });
    },
  };
}
