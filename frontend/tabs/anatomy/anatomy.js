// The tab Anatomy: its four parts, of which one is shown. Each is made when it is opened for the first time.

import { PARTS, partChoice } from "../../anatomy/walk.js";
import { element, setHidden } from "../../page/dom.js";
import { drawWhenChanged } from "../../views/draw_views.js";
import { segmented } from "../../views/parts/segmented.js";
import { createCalculator } from "./calculator.js";
import { createExercises, keepRight } from "./exercises.js";
import { createLoop } from "./loop.js";
import { createWalk } from "./walk.js";

/** @typedef {import("../../anatomy/walk.js").Part} Part */
/** @typedef {{root: HTMLElement, head?: HTMLElement, views: PageView[]}} Made head: what stands beside the names of the parts */

/** @type {Record<Part, string>} */
const NAMES = { walk: "Walk", calculator: "Head calculator", exercises: "Exercises", loop: "Loop against batch" };
/** @type {Record<Part, (store: Store) => Made>} */
const CREATE = { walk: createWalk, calculator: createCalculator, exercises: createExercises, loop: createLoop };

/** @param {Store} store @param {HTMLElement} root @returns {PageView[]} */
export function createAnatomy(store, root) {
  const parts = segmented("Part of Anatomy", PARTS.map((value) => ({ value, text: NAMES[value] })), (part) => store.actions.choose(partChoice, /** @type {Part} */ (part)), "part");
  const top = element("div", { class: "anatomy-head" }, parts.group);
  root.replaceChildren(top);
  keepRight(store);
  /** @type {Map<Part, Made & {draws: PageView["render"][]}>} */
  const made = new Map();

  /** @param {Part} part */
  function make(part) {
    const created = CREATE[part](store);
    if (created.head) top.append(created.head);
    root.append(created.root);
    const whole = { ...created, draws: created.views.map(drawWhenChanged) };
    made.set(part, whole);
    return whole;
  }

  return [
    {
      reads: (state, theme) => [state, theme],
      render(state, theme) {
        const chosen = partChoice.of(state);
        const shown = made.get(chosen) ?? make(chosen);
        parts.mark(chosen);
        for (const { root: one, head } of made.values()) {
          setHidden(one, one !== shown.root);
          if (head) setHidden(head, one !== shown.root);
        }
        for (const draw of shown.draws) draw(state, theme);
      },
    },
  ];
}
