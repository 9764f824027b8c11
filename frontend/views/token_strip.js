// The tokens of one side, one chip each: pointing at one shows its row in every head, a click keeps it, a second click on
// another chooses where attention goes to.

import { markWords, oppositesOf } from "../compare/alignment.js";
import { comparison, focusOn } from "../compare/comparison.js";
import { element } from "../page/dom.js";
import { directionOf } from "../page/labels.js";
import { isStaleOn, shownFocus } from "../state/selectors.js";
import { analysisOf } from "../state/sides.js";
import { pageView } from "./draw_views.js";
import { sideBadge } from "./parts/badges.js";

/** The same list always: a fresh one would be drawn again. @type {never[]} */
const NONE = [];

/** If none of some tokens is in sight, scroll the first to the middle of its strip; the page stays where it is. @param {HTMLElement} strip @param {HTMLElement[]} tokens */
function bringIntoSight(strip, tokens) {
  const { left, width } = strip.getBoundingClientRect();
  const middles = tokens.map((token) => token.getBoundingClientRect()).map((box) => box.left + box.width / 2 - left);
  if (middles.length > 0 && !middles.some((middle) => middle >= 0 && middle <= width)) strip.scrollLeft += middles[0] - width / 2;
}

/** @param {Actions} actions @param {Side} side @param {HTMLElement} root @returns {PageView[]} */
export function createTokenStrip(actions, side, root) {
  /** Made again with the tokens; views that mark them read this list. @type {HTMLElement[]} */
  let chips = [];

  const focusOf = (/** @type {Event} */ event) => {
    const chip = event.target instanceof Element ? event.target.closest("button") : null;
    return chip ? { side, queries: [Number(chip.dataset.token)], keys: [] } : null;
  };
  for (const type of ["pointerover", "focusin"]) root.addEventListener(type, (event) => actions.hover(focusOf(event)));
  for (const type of ["pointerleave", "focusout"]) root.addEventListener(type, () => actions.hover(null));
  root.addEventListener("click", (event) => {
    const focus = focusOf(event);
    if (focus) actions.chooseToken(side, focus.queries[0], event.shiftKey || event.ctrlKey || event.metaKey);
  });
  // The strip is one stop of the Tab key; arrows move inside it.
  root.addEventListener("keydown", (event) => {
    const at = chips.findIndex((chip) => chip === document.activeElement);
    const forward = root.dir === "rtl" ? -1 : 1;
    /** @type {Record<string, number>} */
    const goals = { ArrowLeft: at - forward, ArrowRight: at + forward, Home: 0, End: chips.length - 1 };
    const goal = chips[Math.min(chips.length - 1, Math.max(0, goals[event.key] ?? -1))];
    if (at < 0 || !(event.key in goals)) return;
    event.preventDefault();
    stopAt(goal);
    goal.focus();
    goal.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  root.addEventListener("wheel", (event) => {
    if (Math.abs(event.deltaY) <= Math.abs(event.deltaX) || root.scrollWidth <= root.clientWidth) return;
    root.scrollLeft += root.dir === "rtl" ? -event.deltaY : event.deltaY;
    event.preventDefault();
  });
  const stopAt = (/** @type {HTMLElement} */ stop) => {
    for (const chip of chips) chip.tabIndex = chip === stop ? 0 : -1;
  };

  const tokensOf = (/** @type {State} */ state) => analysisOf(state, side)?.tokens ?? NONE;
  const unitsOf = (/** @type {State} */ state) => comparison.of(state)?.answer?.units ?? NONE;

  /** What was chosen when the strip was last scrolled to it. @type {Focus | null} */
  let shown = null;
  /** The tokens that are marked as being in focus. @type {Set<number>} */
  let focused = new Set();

  return [
    pageView((state) => [tokensOf(state), state.sides.b !== null], (tokens, isCompared) => {
      const hasTwo = tokens.some((token) => token.segment === 1);
      chips = tokens.map((token) => {
        const data = { "data-token": token.index, "data-segment": hasTwo ? "AB"[token.segment] : null };
        const unknown = token.unknown ? { class: `token ${token.kind} unknown`, "data-piece": token.piece } : {};
        return element("button", { type: "button", class: `token ${token.kind}`, dir: "auto", ...data, ...unknown }, token.text);
      });
      /** @type {HTMLElement[]} */
      const words = [];
      tokens.forEach(({ kind }, at) => {
        if (kind === "continuation" && words.length > 0) words[words.length - 1].append(chips[at]);
        else words.push(element("span", { class: "word", role: "presentation" }, chips[at]));
      });
      root.replaceChildren(...(isCompared && tokens.length > 0 ? [sideBadge(side)] : []), ...words);
      if (chips.length > 0) stopAt(chips[0]);
      // [CLS] and its like were not typed: what was says which way the text runs.
      root.dir = directionOf(tokens.flatMap(({ kind, text }) => (kind === "special" ? [] : [text])).join(" "));
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
          const { piece, id, unknown } = tokens[at];
          const lacks = unknown && `Not in this model's vocabulary: the model sees only ${piece}`;
          one.title = [lacks, `${piece} · id ${id}`, markWords(opposites[at], side)].filter(Boolean).join(" · ");
        });
      },
    ),
    // What is chosen: where attention comes from, and where it goes to.
    pageView(
      (state) => [chips, isStaleOn(state, side), state.lock?.side === side ? state.lock : null],
      (made, isOld, marked) => {
        made.forEach((one, at) => {
          const [isFrom, isTo] = [marked?.queries, marked?.keys].map((tokens) => !isOld && (tokens?.includes(at) ?? false));
          one.classList.toggle("locked-to", isTo);
          one.setAttribute("aria-pressed", String(isFrom || isTo));
        });
        // A link or an example may choose tokens beyond the strip's edge. What was shown once may be scrolled away.
        if (isOld || marked === null || marked === shown || made.length === 0) return;
        shown = marked;
        bringIntoSight(root, [...marked.queries, ...marked.keys].flatMap((token) => made[token] ?? []));
      },
    ),
    {
      reads: (state) => [chips, shownFocus(state), unitsOf(state), state.words],
      render(state) {
        const focus = focusOn(state, shownFocus(state), side);
        // Where maps merge the pieces of a word, all of them are in focus.
        const whole = (/** @type {number} */ at) => (state.words ? chips.flatMap((chip, one) => (chip.parentElement === chips[at]?.parentElement ? [one] : [])) : [at]);
        const [queries, keys] = [focus?.queries ?? [], focus?.keys ?? []].map((tokens) => tokens.flatMap(whole));
        const now = new Set([...queries, ...keys]);
        for (const at of new Set([...focused, ...now])) {
          chips[at]?.classList.toggle("is-query", queries.includes(at));
          chips[at]?.classList.toggle("is-key", keys.includes(at));
        }
        focused = now;
      },
    },
  ];
}

