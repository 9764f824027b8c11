// A number as a bar, with optional ticks to compare it with.

import { element } from "../../page/dom.js";

/** @param {number} part of the whole bar, 0 to 1 @param {number | null} [tick] the same of what is marked; null: nothing is @param {number | null} [pale] of a second mark */
export function bar(part, tick = null, pale = null) {
  const fill = element("span", { class: "edge-fill" });
  fill.style.width = `${100 * part}%`;
  const root = element("span", { class: "edge-bar", "aria-hidden": "true" }, fill);
  for (const [at, name] of /** @type {const} */ ([[pale, "edge-tick pale"], [tick, "edge-tick"]])) {
    if (at === null) continue;
    const mark = element("span", { class: name });
    mark.style.left = `${100 * at}%`;
    root.append(mark);
  }
  return root;
}
