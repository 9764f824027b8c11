// A number as a bar, with an optional tick to compare it with.

import { element } from "../../page/dom.js";

/** @param {number} part of the whole bar, 0 to 1 @param {number | null} [tick] the same of what is marked; null: nothing is */
export function bar(part, tick = null) {
  const fill = element("span", { class: "edge-fill" });
  fill.style.width = `${100 * part}%`;
  const root = element("span", { class: "edge-bar", "aria-hidden": "true" }, fill);
  if (tick === null) return root;
  const mark = element("span", { class: "edge-tick" });
  mark.style.left = `${100 * tick}%`;
  root.append(mark);
  return root;
}
