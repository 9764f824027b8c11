// All heads ranked by the link between the chosen tokens, beside the head in focus.

import { listed, measuredWords } from "../../heads/ranking.js";
import { element, setText } from "../../page/dom.js";
import { isStale, isWeighted } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { button } from "../../views/parts/button.js";
import { chosenLink, edges, isMaskedChoice } from "../../maps/edges.js";
import { createRankingTable } from "./ranking_table.js";

/** @type {Token[]} */
const NO_TOKENS = [];

/** @param {State} state those that can be chosen: not those of an older text */
function tokensOf(state) {
  const a = onSide(state, "a");
  return a.analysis === null || isStale(a) ? NO_TOKENS : a.analysis.tokens;
}

/** @param {State} state what the server said of the link; null while unknown */
function knownOf(state) {
  return chosenLink(state) ? edges.of(state) : null;
}

const LATER = "A causal model attends only to earlier tokens, so no head can have this link. Swap turns it round.";

/** In what the ranking differs from the maps beside it. @param {State} state */
function countedWords({ hide, renormalise, words }) {
  const rows = hide !== "none" && renormalise ? " All tokens count: the rows of the ranking and of the tiles are not renormalised." : "";
  return `${rows}${words ? " The ranking counts the chosen tokens, not whole words." : ""}`;
}

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createLinkRanking(store) {
  const { actions } = store;
  const title = element("h3");
  const swap = button("plain", "Swap", () => actions.swapLock(), { title: "Swap from and to" });
  const clear = button("plain", "Clear", () => actions.setView({ lock: null }), { title: "Choose other tokens (Escape)" });
  const said = element("p", { class: "hint ranking-said", role: "status" });
  const problem = element("p", { class: "problem ranking-problem", role: "alert" });
  const ranking = createRankingTable(store, (state) => knownOf(state)?.answer ?? null);
  const head = element("header", { class: "ranking-head" }, title, swap, clear);
  const root = element("section", { class: "link-ranking", "aria-label": "Heads ranked by the chosen link" }, head, problem, ranking.root, said);

  return {
    root,
    views: [
      pageView((state) => [chosenLink(state), tokensOf(state)], (link, tokens) => {
        root.hidden = link === null;
        setText(title, link ? `${listed(tokens, link.queries)} → ${listed(tokens, link.keys)}` : "");
      }),
      pageView((state) => [chosenLink(state), tokensOf(state), knownOf(state), countedWords(state), isMaskedChoice(state), isWeighted(state)], (link, tokens, known, counted, isMasked, ofValues) => {
        const wait = isMasked ? LATER : link && !known ? "Ranking all heads…" : "";
        setText(said, known?.answer ? `${measuredWords(tokens, known.answer, ofValues)}${counted}` : wait);
      }),
      pageView((state) => [knownOf(state)?.problem ?? null], (found) => {
        problem.hidden = found === null;
        setText(problem, found?.message ?? "");
      }),
      ...ranking.views,
    ],
  };
}
