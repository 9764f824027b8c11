// Whose heads the grid shows while two sides are compared: A, B, or A minus B.

import { comparison } from "../../compare/comparison.js";
import { shownSide, whyNoDifference } from "../../heads/grid_side.js";
import { byId, setText } from "../../page/dom.js";
import { CONTROLS, optionsOf } from "../../state/controls.js";
import { pageView } from "../draw_views.js";
import { segmented } from "../parts/segmented.js";

/** @type {Record<string, string>} */
const NAMES = { a: "Heads of A", b: "Heads of B", difference: "A − B: what A gives more or less than B" };

/** @param {Actions} actions @returns {PageView} */
export function createGridSides(actions) {
  const root = byId("grid-sides", HTMLElement);
  const note = byId("grid-side-note", HTMLElement);
  const options = optionsOf("grid_side").map((option) => ({ ...option, name: NAMES[option.value] }));
  const choose = (/** @type {string} */ side) => actions.setView({ grid_side: /** @type {GridSide} */ (side) });
  const sides = segmented(CONTROLS.grid_side.label, options, choose, "side");
  root.replaceChildren(...sides.buttons);
  const difference = sides.buttons[options.findIndex(({ value }) => value === "difference")];
  return pageView(
    (state) => [state.sides.b === null, state.grid_side, shownSide(state).why, whyNoDifference(state), comparison.of(state)?.answer],
    (isAlone, chosen, why, whyNot, compared) => {
      root.hidden = isAlone;
      note.hidden = why === "";
      setText(note, why);
      const isReady = whyNot === "" && Boolean(compared);
      // What is chosen stays to be seen as chosen, also while its answer is on its way.
      sides.mark(chosen, isReady || chosen === "difference" ? [] : ["difference"]);
      difference.title = isReady ? "" : whyNot || "When both sides have been compared.";
    },
  );
}
