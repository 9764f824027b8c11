// The token strip: what the model really reads, one chip a token. It must not know the maps.

import { byId, element } from "../dom.js";
import { suggestedLink, tokenNamed } from "../ranking.js";
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
  let isAsking = false;

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
    if (focus && isAsking) actions.chooseToken(focus.query);
    else if (focus) actions.toggleLock(focus);
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
  }

  /** @param {State} state */
  function renderHint(state) {
    const example = chosenExample(state);
    const tokens = state.analysis?.tokens ?? [];
    const link = suggestedLink(tokens, example);
    const usual = "Point at a token to follow it through the heads; click to lock it.";
    /** @type {(Node | string)[]} */
    let parts = isAsking ? [nextStep(state)] : [usual];
    if (link && !isAsking) {
      const [from, to] = [tokenNamed(tokens, link.queries[0]), tokenNamed(tokens, link.keys[0])];
      const open = element("button", { type: "button", class: "inline", onclick: () => actions.chooseTab("ask") }, "Open Ask");
      parts = [open, `, click ${from}, then ${to}. Or point at a token to follow it through the heads; a click locks it.`];
    }
    hint.replaceChildren(...(example ? [`${example.hint} `] : []), ...parts);
  }

  /** @param {State} state what the next click on a token does */
  function nextStep({ ask }) {
    const isFrom = ask.side === "queries";
    if (ask[ask.side].length > 0) return `More tokens go to “${isFrom ? "From" : "To"}”; click a chosen one to take it out.`;
    return isFrom ? "Click the token that looks." : "Now click the token it looks at.";
  }

  /** @param {State} state which tokens are chosen, or locked where nothing is asked */
  function renderChosen({ lock, ask }) {
    chips.forEach((made, at) => {
      const [isFrom, isTo] = [isAsking && ask.queries.includes(at), isAsking && ask.keys.includes(at)];
      made.classList.toggle("asked-from", isFrom);
      made.classList.toggle("asked-to", isTo);
      const isLocked = !isAsking && lock?.query === at && lock.key === null;
      made.setAttribute("aria-pressed", String(isFrom || isTo || isLocked));
    });
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     */
    render(state, changed) {
      if (changed.has("analysis")) rebuild(state);
      strip.classList.toggle("stale", isStale(state));
      isAsking = state.tab === "ask";
      if (["analysis", "tab", "ask", "config"].some((key) => changed.has(key))) renderHint(state);
      if (["analysis", "tab", "ask", "lock"].some((key) => changed.has(key))) renderChosen(state);
      if (!["analysis", "hover", "lock"].some((key) => changed.has(key))) return;
      const focus = shownFocus(state);
      chips.forEach((made, at) => {
        made.classList.toggle("is-query", focus?.query === at);
        made.classList.toggle("is-key", focus?.key === at);
      });
    },
  };
}
