// A check box with its label.

import { element } from "../../page/dom.js";

/** @param {string} id @param {string} label @param {(on: boolean) => void} choose */
export function switchBox(id, label, choose) {
  const box = element("input", { type: "checkbox", id, onchange: () => choose(box.checked) });
  return { box, field: element("label", { class: "switch", for: id }, box, label) };
}
