// What to do with the tokens next, while no link between two of them is chosen.

import { isByRole } from "../../heads/cells.js";
import { headsOnScreen } from "../../heads/grid_side.js";
import { chosenQuantity } from "../../heads/measures.js";
import { suggestedLink, tokenNamed } from "../../heads/ranking.js";
import { element } from "../../page/dom.js";
import { chosenExample, isStale } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { button } from "../../views/parts/button.js";
import { chosenLink } from "../../maps/edges.js";

const POINT = "Point at a token above: every tile shows what that token attends to. Click to keep it.";
const EXAMPLE = "Every tile shows what the example's token attends to. Underlined: up to five heads with the largest weights on another word. Point at any token; click to keep it.";
const SECOND = "Every tile shows what the chosen token attends to. Underlined: up to five heads with the largest weights on another word. Click a second token to rank all heads by the attention between the two.";

const TOGETHER = "The maps show the chosen tokens together. Choose one token alone to see its row in every tile.";

const COLOURED = "Point at a token above to see what it attends to in this head. Colour the grid by maps to see it in every tile.";

/** @param {State} state */
function nextStep(state) {
  const { lock, example } = state;
  const seen = headsOnScreen(state);
  if (isByRole(seen) || chosenQuantity(seen) !== null) return COLOURED;
  if (lock === null) return POINT;
  if (lock === example) return EXAMPLE;
  return lock.queries.length === 1 && lock.keys.length === 0 ? SECOND : TOGETHER;
}

/** @param {Store} store @returns {{root: HTMLElement, view: PageView}} */
export function createLinkHint({ actions }) {
  const root = element("div", { class: "hint link-hint" });

  /** What to look for in the example, and the link that it is about as a button. @param {Token[]} tokens @param {import("../../requests/api.js").Example | null} example */
  function invitation(tokens, example) {
    const link = suggestedLink(tokens, example);
    if (example === null) return [];
    if (link === null) return [element("p", {}, example.hint)];
    const words = `${tokenNamed(tokens, link.queries[0])} → ${tokenNamed(tokens, link.keys[0])}`;
    return [element("p", {}, example.hint, " ", button("chip small", words, () => actions.setView({ lock: { side: "a", ...link } })))];
  }

  const view = pageView(
    (state) => {
      const a = onSide(state, "a");
      return [isStale(a) ? null : a.analysis?.tokens, chosenExample(a), nextStep(state), chosenLink(state) !== null];
    },
    (tokens, example, words, isLink) => {
      root.hidden = !tokens || isLink;
      if (tokens) root.replaceChildren(element("p", {}, words), ...invitation(tokens, example));
    },
  );
  return { root, view };
}
