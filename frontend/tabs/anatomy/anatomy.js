// The tab Anatomy: its four parts, of which one is shown.

import { PARTS, partChoice } from "../../anatomy/walk.js";
import { element, setHidden } from "../../page/dom.js";
import { pageView } from "../../views/draw_views.js";
import { segmented } from "../../views/parts/segmented.js";
import { createCalculator } from "./calculator.js";
import { createExercises } from "./exercises.js";
import { createLoop } from "./loop.js";
import { createWalk } from "./walk.js";

/** @typedef {import("../../anatomy/walk.js").Part} Part */

/** @type {Record<Part, string>} */
const NAMES = { walk: "Walk", calculator: "Head calculator", exercises: "Exercises", loop: "Loop against batch" };

/** @param {Store} store @param {HTMLElement} root @returns {PageView[]} */
export function createAnatomy(store, root) {
  const parts = segmented("Part of Anatomy", PARTS.map((value) => ({ value, text: NAMES[value] })), (part) => store.actions.choose(partChoice, /** @type {Part} */ (part)), "part");
  const walk = createWalk(store);
  /** @type {Record<Part, {root: HTMLElement, views: PageView[]}>} */
  const made = { walk, calculator: createCalculator(store), exercises: createExercises(store), loop: createLoop(store) };
  root.replaceChildren(element("div", { class: "anatomy-head" }, parts.group, walk.pickers), ...PARTS.map((part) => made[part].root));
  const whileShown = (/** @type {Part} */ part) => (/** @type {PageView} */ { reads, render }) => ({
    // A part that is not shown has no room to be drawn in.
    reads: (/** @type {State} */ state, /** @type {Theme} */ theme) => (partChoice.of(state) === part ? reads(state, theme) : null),
    render,
  });
  return [
    pageView((state) => [partChoice.of(state)], (chosen) => {
      parts.mark(chosen);
      for (const part of PARTS) setHidden(made[part].root, part !== chosen);
      setHidden(walk.pickers, chosen !== "walk");
    }),
    ...PARTS.flatMap((part) => made[part].views.map(whileShown(part))),
  ];
}
