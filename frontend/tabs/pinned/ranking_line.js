// The heads that make the chosen link most, in one line above the pinned maps: the whole ranking is below these.

import { listed, shownNumbers } from "../../heads/ranking.js";
import { numberText } from "../../heads/measures.js";
import { chosenLink, edges } from "../../maps/edges.js";
import { element } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { hasPin } from "../../state/pins.js";
import { isWeighted } from "../../state/selectors.js";
import { button } from "../../views/parts/button.js";
import { rankedHeads } from "./ranked_heads.js";

const FIRST_HEADS = 3;

/** @param {Store} store @param {() => void} showAll go to the whole ranking @returns {{root: HTMLElement, view: PageView}} */
export function createRankingLine(store, showAll) {
  const { actions } = store;
  const root = element("p", { class: "ranking-line", hidden: true });

  /** @param {State} state @param {Edge} edge */
  function head(state, edge) {
    const stack = Math.max(0, state.sides.a.analysis?.stacks.findIndex((one) => one.stack === edge.stack) ?? 0);
    const cell = { layer: edge.layer, head: edge.head, stack };
    const { weight } = shownNumbers(edge, isWeighted(state));
    const chip = button("chip small", headName(edge.layer, edge.head), () => actions.togglePin(cell), {
      "aria-pressed": String(hasPin(state.pins, cell)),
      onpointerenter: () => actions.pointAt(cell),
      onpointerleave: () => actions.pointAt(null),
    });
    chip.append(" ", element("b", {}, weight === null ? "–" : numberText(weight)));
    return chip;
  }

  return {
    root,
    view: {
      reads: (state) => [state.pins, chosenLink(state), edges.of(state), state.sides.a.analysis, isWeighted(state)],
      render(state) {
        const [link, answer, { analysis }] = [chosenLink(state), edges.of(state)?.answer, state.sides.a];
        root.hidden = state.pins.length === 0 || !link || !answer || analysis === null;
        if (root.hidden || !link || !answer || analysis === null) return;
        const names = `${listed(analysis.tokens, link.queries)} → ${listed(analysis.tokens, link.keys)}`;
        const first = rankedHeads(state, answer).slice(0, FIRST_HEADS).map(({ edge }) => head(state, edge));
        root.replaceChildren(element("span", {}, names), ...first, button("plain", "All heads ranked", showAll));
      },
    },
  };
}
