// A row of buttons of which one is pressed.

import { element } from "../../page/dom.js";

/**
 * @param {string} label
 * @param {{value: string, text: string, name?: string}[]} options name: what a screen reader says where the text is too short
 * @param {(value: string) => void} choose
 * @param {string} [data] the name of the data attribute that holds a button's value
 */
export function segmented(label, options, choose, data = "choice") {
  const buttons = options.map(({ value, text, name }) =>
    element("button", { type: "button", [`data-${data}`]: value, "aria-label": name, onclick: () => choose(value) }, text),
  );
  return {
    buttons,
    group: element("div", { class: "segmented", role: "group", "aria-label": label }, ...buttons),
    /** @param {string} chosen @param {string[]} [disabled] values that cannot be chosen */
    mark(chosen, disabled = []) {
      options.forEach(({ value }, at) => {
        buttons[at].setAttribute("aria-pressed", String(value === chosen));
        buttons[at].disabled = disabled.includes(value);
      });
    },
  };
}
