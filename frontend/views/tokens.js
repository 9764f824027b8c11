// What the models really read: a strip of tokens for each side; the two are scrolled together.

import { byId } from "../page/dom.js";
import { analysisOf } from "../state/sides.js";
import { pageView } from "./draw_views.js";
import { createTokenStrip } from "./token_strip.js";

/** @param {Actions} actions @returns {PageView[]} */
export function createTokens(actions) {
  const [a, b] = ["tokens", "tokens-b"].map((id) => byId(id, HTMLElement));
  const follow = scrollTogether(a, b);
  const aligned = pageView((state) => [analysisOf(state, "b")], (_analysis) => follow());
  return [...createTokenStrip(actions, "a", a), ...createTokenStrip(actions, "b", b), aligned];
}

/** Aligned tokens stay below each other, as far as the shorter strip goes. @param {HTMLElement} one @param {HTMLElement} other @returns {() => void} scrolls the other one to where the first is */
function scrollTogether(one, other) {
  /** Strips that were scrolled to follow: what they report is no wish of anybody. @type {Set<HTMLElement>} */
  const following = new Set();

  /** @param {HTMLElement} moved @param {HTMLElement} still */
  function follow(moved, still) {
    const room = Math.max(0, still.scrollWidth - still.clientWidth);
    const goal = Math.sign(moved.scrollLeft) * Math.min(Math.abs(moved.scrollLeft), room); // below zero from right to left
    if (Math.abs(still.scrollLeft - goal) < 1) return;
    following.add(still);
    still.scrollLeft = goal;
  }
  for (const [moved, still] of [[one, other], [other, one]]) {
    moved.addEventListener("scroll", () => void (following.delete(moved) || follow(moved, still)), { passive: true });
  }
  return () => follow(one, other);
}
