// The tokens of one side, one chip each: hover follows a token, a click locks it, Shift adds it to those locked.

import { markWords, oppositesOf } from "../compare/alignment.js";
import { comparison, focusOn } from "../compare/comparison.js";
import { element } from "../page/dom.js";
import { isStaleOn, shownFocus } from "../state/selectors.js";
import { analysisOf } from "../state/sides.js";
import { pageView } from "./draw_views.js";
import { sideBadge } from "./parts/badges.js";

/** The same list always: a fresh one would be drawn again. @type {never[]} */
const NONE = [];

/**
 * @param {Store} store
 * @param {Side} side
 * @param {HTMLElement} root
 * @param {(state: State) => import("./tabs.js").TokenUse | null} useOf what a click on a token does; null: it locks it
 * @returns {PageView[]}
 */
export function createTokenStrip(store, side, root, useOf) {
  const { actions } = store;
  /** Made again with the tokens; views that mark them read this list. @type {HTMLElement[]} */
  let chips = [];

  const focusOf = (/** @type {Event} */ event) => {
    const chip = event.target instanceof Element ? event.target.closest("button") : null;
    return chip ? { side, queries: [Number(chip.dataset.index)], keys: [] } : null;
  };
  for (const type of ["pointerover", "focusin"]) root.addEventListener(type, (event) => actions.hover(focusOf(event)));
  for (const type of ["pointerleave", "focusout"]) root.addEventListener(type, () => actions.hover(null));
  root.addEventListener("click", (event) => {
    const focus = focusOf(event);
    const use = useOf(store.state);
    if (focus && use) use.choose(store, focus.queries[0]);
    else if (focus) actions.toggleLock(focus, event.shiftKey || event.ctrlKey || event.metaKey);
  });

  const tokensOf = (/** @type {State} */ state) => analysisOf(state, side)?.tokens ?? NONE;
  const unitsOf = (/** @type {State} */ state) => comparison.of(state)?.answer?.units ?? NONE;

  /** The tokens that are marked as being in focus. @type {Set<number>} */
  let focused = new Set();

  return [
    pageView((state) => [tokensOf(state), state.sides.b !== null], (tokens, isCompared) => {
      const hasTwo = tokens.some((token) => token.segment === 1);
      chips = tokens.map((token) => {
        const data = { "data-index": token.index, "data-segment": hasTwo ? "AB"[token.segment] : null };
        return element("button", { type: "button", class: `token ${token.kind}`, dir: "auto", ...data }, token.text);
      });
      /** @type {HTMLElement[]} */
      const words = [];
      tokens.forEach(({ kind }, at) => {
        if (kind === "continuation" && words.length > 0) words[words.length - 1].append(chips[at]);
        else words.push(element("span", { class: "word", role: "presentation" }, chips[at]));
      });
      root.replaceChildren(...(isCompared && tokens.length > 0 ? [sideBadge(side)] : []), ...words);
      root.hidden = side === "b" && !isCompared;
      if (side === "a") root.setAttribute("aria-label", isCompared ? "Tokens of A" : "Tokens");
    }),
    pageView((state) => [isStaleOn(state, side)], (isOld) => void root.classList.toggle("stale", isOld)),
    pageView(
      (state) => [chips, tokensOf(state), unitsOf(state)],
      (made, tokens, units) => {
        const opposites = oppositesOf(units, side);
        made.forEach((one, at) => {
          one.classList.toggle("changed", opposites[at]?.mark === "changed");
          one.classList.toggle("alone", opposites[at]?.mark === "alone");
          one.title = [`${tokens[at].piece} · id ${tokens[at].id}`, markWords(opposites[at], side)].filter(Boolean).join(" · ");
        });
      },
    ),
    // What is asked for, or locked where nothing is asked.
    pageView(
      (state) => [chips, isStaleOn(state, side), useOf(state)?.marked(state) ?? null, state.lock],
      (made, isOld, marked, lock) => {
        const locked = marked === null && !isOld && lock?.side === side && lock.keys.length === 0 ? lock.queries : [];
        made.forEach((one, at) => {
          const [isFrom, isTo] = [marked?.queries, marked?.keys].map((tokens) => !isOld && (tokens?.includes(at) ?? false));
          one.classList.toggle("asked-from", isFrom);
          one.classList.toggle("asked-to", isTo);
          one.setAttribute("aria-pressed", String(isFrom || isTo || locked.includes(at)));
        });
      },
    ),
    {
      reads: (state) => [chips, shownFocus(state), unitsOf(state)],
      render(state) {
        const focus = focusOn(state, shownFocus(state), side);
        const now = new Set([...(focus?.queries ?? []), ...(focus?.keys ?? [])]);
        for (const at of new Set([...focused, ...now])) {
          chips[at]?.classList.toggle("is-query", focus?.queries.includes(at) ?? false);
          chips[at]?.classList.toggle("is-key", focus?.keys.includes(at) ?? false);
        }
        focused = now;
      },
    },
  ];
}

