// The ranking of heads by a link as a table; while comparing also the weight of the same link in B, and A − B.

import { comparison } from "../../compare/comparison.js";
import { rankingTable } from "../../export/number_tables.js";
import { numberText } from "../../heads/measures.js";
import { barEnd, edgeWords, shownNumbers } from "../../heads/ranking.js";
import { atlasOnScreen, rolesOf } from "../../heads/roles.js";
import { otherEdges } from "../../maps/edges.js";
import { element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { hasPin } from "../../state/pins.js";
import { isWeighted } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { badges } from "../../views/parts/badges.js";
import { bar } from "../../views/parts/bar.js";
import { downloadNumbers } from "../../views/parts/download_numbers.js";
import { showMore } from "../../views/parts/show_more.js";
import { rankedHeads, wordsOfB } from "./ranked_heads.js";

/** @typedef {import("./ranked_heads.js").RankedHead} RankedHead */

const FIRST_ROWS = 12;
const BY_NORM = "Each weight multiplied by the length of the vector it passes on (Kobayashi and others, 2020)";

/**
 * @param {Store} store
 * @param {(state: State) => Edges | null} rankingOf what the server said of the link; null while unknown
 * @returns {{root: HTMLElement, views: PageView[]}}
 */
export function createRankingTable(store, rankingOf) {
  const { actions } = store;
  const head = element("tr");
  const body = element("tbody");
  const table = element("table", { class: "ranking" }, element("thead", {}, head), body);
  const ofB = element("p", { class: "hint ranking-of-b", role: "status" });
  const more = showMore(FIRST_ROWS);
  const downloads = downloadNumbers(store, "the ranking", (state) => {
    const answer = rankingOf(state);
    const isCompared = otherEdges.of(state)?.answer != null;
    return answer && rankingTable(state.sides.a.analysis?.tokens ?? [], answer, rankedHeads(state, answer), isCompared, isWeighted(state));
  });
  const root = element("div", { class: "ranking-list" }, ofB, table, element("div", { class: "list-foot" }, more.button, downloads));

  /** @param {boolean} isCompared @param {boolean} ofValues whether the maps on screen are value-weighted @param {number} end of the bars */
  function titles(isCompared, ofValues, end) {
    const title = (/** @type {string} */ text, /** @type {object} */ others = {}) => element("th", { scope: "col", ...others }, text);
    const name = isCompared ? "A" : ofValues ? "Weighted" : "Weight";
    const weight = element("th", { scope: "col", colspan: 2, title: ofValues ? BY_NORM : null }, `${name} `, element("span", { class: "quiet" }, `0 to ${end}`));
    const other = [title("B"), title("A − B")];
    const pin = element("th", {}, element("span", { class: "unseen" }, "Pin"));
    const beside = title(ofValues ? "Raw" : "Weighted", { class: "beside", title: ofValues ? null : BY_NORM });
    return [title("Head"), weight, ...(isCompared ? other : []), beside, pin];
  }

  /** @param {State} state @param {RankedHead} ranked @param {number} end @param {boolean} isCompared */
  function row(state, { edge, other }, end, isCompared) {
    const a = onSide(state, "a");
    const ofValues = isWeighted(state);
    const { weight, by_position, by_others, beside } = shownNumbers(edge, ofValues);
    const stack = Math.max(0, a.analysis?.stacks.findIndex((one) => one.stack === edge.stack) ?? 0);
    const cell = { layer: edge.layer, head: edge.head, stack };
    const name = headName(edge.layer, edge.head);
    const isPinned = hasPin(state.pins, cell);
    const word = isPinned ? "Pinned" : "Pin";
    const onclick = () => actions.togglePin(cell);
    const button = { type: "button", class: "chip", "aria-pressed": String(isPinned), "aria-label": `${word} ${name}`, onclick };
    const data = { "data-layer": edge.layer, "data-head": edge.head, "data-weight": weight };
    return element(
      "tr",
      // Below pinned maps a head in focus would take their place, and the row would leave the pointer.
      { ...data, onpointerenter: () => store.state.pins.length === 0 && actions.pointAt(cell), onpointerleave: () => actions.pointAt(null) },
      element("th", { scope: "row" }, element("span", {}, name), " ", ...badges(rolesOf(a, cell))),
      element("td", { class: "edge", title: ofValues ? null : edgeWords(edge) }, bar((weight ?? 0) / end, by_position && by_position / end, by_others && by_others / end)),
      element("td", { class: "number" }, numberOr(weight)),
      ...(isCompared ? comparedCells(edge, other, ofValues) : []),
      element("td", { class: "number quiet beside" }, numberOr(beside)),
      element("td", { class: "act" }, element("button", button, word)),
    );
  }

  /** @type {PageView} */
  const rows = {
    reads: (state) => [
      ...[rankingOf(state), otherEdges.of(state), comparison.of(state), wordsOfB(state)],
      ...[state.pins, atlasOnScreen(onSide(state, "a")), state.sides.a.analysis, isWeighted(state)],
    ],
    render(state) {
      const answer = rankingOf(state);
      root.hidden = answer === null;
      if (answer === null) return;
      const isCompared = otherEdges.of(state)?.answer != null;
      const ofValues = isWeighted(state);
      const end = barEnd(answer.heads.map((edge) => shownNumbers(edge, ofValues)));
      table.classList.toggle("two-sides", isCompared);
      head.replaceChildren(...titles(isCompared, ofValues, end));
      setText(ofB, wordsOfB(state));
      const ranked = rankedHeads(state, answer);
      more.show(ranked, answer, (shown) => body.replaceChildren(...shown.map((one) => row(state, one, end, isCompared))));
    },
  };
  return { root, views: [rows] };
}

/** @param {number | null} value */
function numberOr(value) {
  return value === null ? "–" : numberText(value);
}

/** @param {Edge} edge @param {Edge | null} other @param {boolean} ofValues */
function comparedCells(edge, other, ofValues) {
  const [mine, theirs] = [edge, other].map((one) => one && shownNumbers(one, ofValues).weight);
  if (other === null || mine === null || theirs === null) return ["–", "–"].map((text) => element("td", { class: "number quiet" }, text));
  const isMatch = other.layer !== edge.layer || other.head !== edge.head;
  const name = headName(other.layer, other.head);
  const match = isMatch ? [element("span", { class: "ranking-match quiet" }, name)] : [];
  return [
    element("td", { class: "number", "data-other": theirs, title: `${name} of B` }, numberText(theirs), ...match),
    element("td", { class: "number" }, signed(mine - theirs)),
  ];
}

/** @param {number} difference */
function signed(difference) {
  const text = numberText(difference);
  return difference > 0 ? `+${text}` : text;
}
