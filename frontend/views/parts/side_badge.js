// The letter of a side, A or B, wherever something belongs to one of them.

import { element } from "../../page/dom.js";

/** @param {Side} side */
export function sideBadge(side) {
  return element("b", { class: "side-badge", "data-side": side }, side.toUpperCase());
}
