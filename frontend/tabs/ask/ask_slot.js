// One end of the link that is asked for: its tokens, and whether the next click adds to it.

import { tokenNamed } from "../../heads/ranking.js";
import { element } from "../../page/dom.js";
import { pageView } from "../../views/draw_views.js";
import { askChoice } from "./choice.js";

export const SLOTS = /** @type {const} */ ([
  { end: "queries", label: "From", hint: "the token that looks" },
  { end: "keys", label: "To", hint: "the token it looks at" },
]);

/**
 * @param {typeof SLOTS[number]} slot
 * @param {import("./actions.js").AskActions} asking
 * @param {(state: State) => Token[]} tokensOf those that can be asked for
 * @returns {{root: HTMLElement, views: PageView[]}}
 */
export function createSlot({ end, label, hint }, asking, tokensOf) {
  const name = element("button", { type: "button", class: "slot-name" }, label);
  const chosen = element("div", { class: "slot-tokens" });
  // The whole slot takes the click; its name is the button for the keyboard.
  const root = element("div", { class: "slot", "data-side": end, onclick: () => asking.chooseEnd(end) }, name, chosen);

  /** @param {Token[]} tokens @param {number} index */
  function chip(tokens, index) {
    const onclick = (/** @type {Event} */ event) => {
      event.stopPropagation();
      asking.chooseToken(index);
    };
    const attributes = { type: "button", class: "slot-token", title: "Remove", "aria-label": `Remove ${tokenNamed(tokens, index)}`, onclick };
    return element("button", attributes, element("bdi", {}, tokens[index].text), element("span", { "aria-hidden": "true" }, " ×"));
  }

  const active = pageView(
    (state) => [askChoice.of(state).end === end],
    (isActive) => {
      root.classList.toggle("active", isActive);
      name.setAttribute("aria-pressed", String(isActive));
      name.title = isActive ? "The next token you click goes here" : "Click to add tokens here";
    },
  );

  /** @type {PageView} */
  const content = {
    reads: (state) => [tokensOf(state), askChoice.of(state)[end].join()],
    render(state) {
      const tokens = tokensOf(state);
      const chips = askChoice.of(state)[end].filter((index) => index < tokens.length).map((index) => chip(tokens, index));
      chosen.replaceChildren(...(chips.length > 0 ? chips : [element("span", { class: "quiet" }, hint)]));
    },
  };
  return { root, views: [active, content] };
}
