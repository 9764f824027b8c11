// A button that acts at once and never submits a form.

import { element } from "../../page/dom.js";

/** @param {string} kind its class @param {string} label @param {() => void} onclick @param {Parameters<typeof element>[1]} [others] */
export function button(kind, label, onclick, others) {
  return element("button", { type: "button", class: kind, onclick, ...others }, label);
}
