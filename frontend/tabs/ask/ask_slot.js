// One side of the link that is asked for.

import { tokenNamed } from "../../heads/ranking.js";
import { element } from "../../page/dom.js";

/** @type {{side: Ask["side"], label: string, hint: string}[]} */
export const SLOTS = [
  { side: "queries", label: "From", hint: "the token that looks" },
  { side: "keys", label: "To", hint: "the token it looks at" },
];

/** One side of the link: its tokens, and whether the next click adds to it. */
export class Slot {
  /**
   * @param {{side: Ask["side"], label: string, hint: string}} slot
   * @param {Actions} actions
   */
  constructor({ side, label, hint }, actions) {
    this.side = side;
    this.hint = hint;
    this.actions = actions;
    this.name = element("button", { type: "button", class: "slot-name" }, label);
    this.chosen = element("div", { class: "slot-tokens" });
    // The whole slot takes the click; its name is the button for the keyboard.
    this.root = element(
      "div",
      { class: "slot", "data-side": side, onclick: () => actions.chooseSlot(side) },
      this.name,
      this.chosen,
    );
  }

  /**
   * @param {Ask} ask
   * @param {Token[]} tokens
   */
  render(ask, tokens) {
    const isActive = ask.side === this.side;
    this.root.classList.toggle("active", isActive);
    this.name.setAttribute("aria-pressed", String(isActive));
    this.name.title = isActive ? "The next token you click goes here" : "Click to add tokens here";
    const chips = ask[this.side]
      .filter((index) => index < tokens.length)
      .map((index) => {
        const name = tokenNamed(tokens, index);
        const remove = (/** @type {Event} */ event) => {
          event.stopPropagation();
          this.actions.chooseToken(index);
        };
        const attributes = {
          type: "button",
          class: "slot-token",
          title: "Remove",
          "aria-label": `Remove ${name}`,
          onclick: remove,
        };
        return element(
          "button",
          attributes,
          element("bdi", {}, tokens[index].text),
          element("span", { "aria-hidden": "true" }, " ×"),
        );
      });
    const hint = element("span", { class: "quiet" }, this.hint);
    this.chosen.replaceChildren(...(chips.length > 0 ? chips : [hint]));
  }
}
