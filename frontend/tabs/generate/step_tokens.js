// The tokens that all heads together attend to: each with its position and its share, sinks faded. A click colours the
// heads by their weight on it.

import { element } from "../../page/dom.js";
import { headName, tokenInWords } from "../../page/labels.js";
import { bar } from "../../views/parts/bar.js";

/** @typedef {import("./step_heads.js").Drawn} Drawn */
/** @typedef {import("../../generate/step_rows.js").GenerationStep} GenerationStep */
/** @typedef {import("../../generate/step_rows.js").TokenShare} TokenShare */

/** As many as candidates beside it. */
const MOST = 10;

/** @param {number} share as a percentage, a sign where it would be zero */
export function shareText(share) {
  if (share > 0 && share < 0.0005) return "<0.1 %";
  return `${(100 * share).toFixed(1)} %`;
}

/**
 * The first token, then those with the largest shares; a watched one is always among them.
 * @param {TokenShare[]} shares in the order of the text
 * @param {number | null} watched
 */
export function listedShares(shares, watched) {
  const [first, ...others] = shares;
  const falling = others.sort((one, other) => other.share - one.share);
  const top = falling.slice(0, MOST - 1);
  const named = falling.find(({ key }) => key === watched);
  if (named && !top.includes(named)) top.splice(-1, 1, named);
  return first ? [first, ...top] : [];
}

/**
 * @param {(key: number | null) => void} point at a token, or at none
 * @param {(key: number) => void} choose
 */
export function createStepTokens(point, choose) {
  const list = element("ol", { class: "shares" });
  const keyOf = (/** @type {Event} */ { target }) => {
    const row = target instanceof Element ? target.closest("button") : null;
    return row ? Number(row.dataset.key) : null;
  };
  for (const type of ["pointerover", "focusin"]) list.addEventListener(type, (event) => point(keyOf(event)));
  for (const type of ["pointerleave", "focusout"]) list.addEventListener(type, () => point(null));
  list.addEventListener("click", (event) => {
    const key = keyOf(event);
    if (key !== null) choose(key);
  });
  /** Rows that stay the same are not replaced: the pointer or the keyboard may be on one of them. */
  let written = "";
  /** @type {HTMLElement[]} */
  let buttons = [];

  /** @param {GenerationStep} step @param {TokenShare} one @returns {HTMLElement} a button */
  function row({ tokens }, { key, share, layer, head, weight }) {
    const token = tokens[key];
    const best = `most from ${headName(layer, head)}, ${weight.toFixed(2)}`;
    const attributes = { type: "button", "data-key": key, "data-share": share, title: `${token.piece} · ${best}` };
    const word = element("span", { class: "placed-word", dir: "auto" }, tokenInWords(token));
    const name = element("span", { class: `placed ${token.kind}` }, word, element("span", { class: "place" }, `·${key}`));
    return element("button", attributes, name, bar(share), element("b", {}, shareText(share)));
  }

  return {
    list,
    /** @param {Pick<Drawn, "step" | "shares" | "watched" | "isDim">} drawn @param {boolean} isLocked whether the watched token was clicked */
    render({ step, shares, watched, isDim }, isLocked) {
      const listed = listedShares(shares, isLocked ? watched : null);
      const key = JSON.stringify(listed.map((one) => [one.key, one.share, step.tokens[one.key].id, isDim(one.key)]));
      if (key !== written) {
        const rest = 1 - listed.reduce((sum, { share }) => sum + share, 0);
        const others = element("li", { class: "others" }, "All others", bar(Math.max(0, rest)), element("b", {}, shareText(Math.max(0, rest))));
        buttons = listed.map((one) => row(step, one));
        const items = buttons.map((one, at) => element("li", { class: isDim(listed[at].key) ? "sink" : null }, one));
        list.replaceChildren(...items, ...(listed.length < shares.length ? [others] : []));
      }
      written = key;
      listed.forEach((one, at) => buttons[at].setAttribute("aria-pressed", String(isLocked && one.key === watched)));
    },
  };
}
