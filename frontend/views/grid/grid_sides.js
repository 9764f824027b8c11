// Whose heads the grid shows while two sides are compared: A, B, or A minus B.

import { shownSide, whyNoDifference } from "../../heads/grid_side.js";
import { byId, element, setText } from "../../page/dom.js";

const OF_INTEREST = ["against", "grid_side", "comparison", "other", "model", "run", "color_by", "atlas", "analysis", "measured"];
/** @type {{side: GridSide, label: string, name: string}[]} */
const SIDES = [
  { side: "a", label: "A", name: "Heads of A" },
  { side: "b", label: "B", name: "Heads of B" },
  { side: "difference", label: "A − B", name: "A − B: what A gives more or less than B" },
];

/** @param {Actions} actions */
export function createGridSides(actions) {
  const root = byId("grid-sides", HTMLElement);
  const note = byId("grid-side-note", HTMLElement);
  const buttons = SIDES.map(({ side, label, name }) =>
    element(
      "button",
      { type: "button", "data-side": side, "aria-label": name, onclick: () => actions.look({ grid_side: side }) },
      label,
    ),
  );
  root.replaceChildren(...buttons);

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     */
    render(state, changed) {
      if (!OF_INTEREST.some((key) => changed.has(key))) return;
      root.hidden = state.against === null;
      const { why } = shownSide(state);
      note.hidden = why === "";
      setText(note, why);
      if (root.hidden) return;
      const never = whyNoDifference(state);
      const isReady = never === "" && state.comparison?.answer != null;
      for (const button of buttons) {
        const isDifference = button.dataset.side === "difference";
        button.setAttribute("aria-pressed", String(button.dataset.side === state.grid_side));
        // What is chosen stays to be seen as chosen, also while its answer is on its way.
        button.disabled = isDifference && !isReady && state.grid_side !== "difference";
        button.title = isDifference && !isReady ? never || "When both sides have been compared." : "";
      }
    },
  };
}
