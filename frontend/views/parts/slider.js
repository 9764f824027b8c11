// A slider from 0 to 100 with its label and what its value means.

import { element, setText } from "../../page/dom.js";

/** @param {string} id @param {string} label @param {(value: number) => string} inWords @param {(value: number) => void} choose */
export function slider(id, label, inWords, choose) {
  const input = element("input", { type: "range", id, min: 0, max: 100, step: 1, oninput: () => choose(Number(input.value)) });
  const said = element("output", { for: id });
  return {
    field: element("label", { class: "tool mass", for: id }, element("span", {}, `${label} `, said), input),
    /** @param {number} value */
    mark(value) {
      input.value = String(value);
      setText(said, inWords(value));
    },
  };
}
