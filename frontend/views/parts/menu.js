// A menu with its label, rewritten only when what it offers changes.

import { element } from "../../page/dom.js";

/** @typedef {{label: string, options: {value: string, text: string, title?: string}[]}} Part one group of a menu */

/** @param {string} id @param {string} label @param {(value: string) => void} choose */
export function menu(id, label, choose) {
  const select = element("select", { id, onchange: () => choose(select.value) });
  const field = element("div", { class: "tool" }, element("label", { for: id }, label), select);
  let written = "";
  return {
    field,
    select,
    /** @param {Part[]} parts @param {string} value one that this model does not have is listed too, as unknown */
    write(parts, value) {
      const isKnown = parts.some(({ options }) => options.some((option) => option.value === value));
      const unknown = { label: "", options: [{ value, text: "Not measured for this model" }] };
      const all = isKnown ? parts : [unknown, ...parts];
      // An open menu must not be rebuilt under the pointer when nothing in it changed.
      const key = JSON.stringify(all);
      if (key !== written) {
        written = key;
        select.replaceChildren(...all.filter(({ options }) => options.length > 0).flatMap(partElements));
      }
      select.value = value;
    },
  };
}

/** @param {Part} part */
function partElements({ label, options }) {
  const made = options.map(({ value, text, title }) => element("option", { value, title }, text));
  return label === "" ? made : [element("optgroup", { label }, ...made)];
}
