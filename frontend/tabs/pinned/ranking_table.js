// The ranking of heads by a link as a table; while comparing also the weight of the same link in B, and A − B.

import { comparison } from "../../compare/comparison.js";
import { rankingTable } from "../../export/number_tables.js";
import { numberText } from "../../heads/measures.js";
import { barEnd, edgeWords } from "../../heads/ranking.js";
import { atlasOnScreen, rolesOf } from "../../heads/roles.js";
import { element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { hasPin } from "../../state/pins.js";
import { onSide } from "../../state/sides.js";
import { badges } from "../../views/parts/badges.js";
import { bar } from "../../views/parts/bar.js";
import { downloadNumbers } from "../../views/parts/download_numbers.js";
import { showMore } from "../../views/parts/show_more.js";
import { otherEdges, rankedHeads, wordsOfB } from "./other_edges.js";

/** @typedef {import("./other_edges.js").RankedHead} RankedHead */

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
    return answer && rankingTable(state.sides.a.analysis?.tokens ?? [], answer, rankedHeads(state, answer), isCompared);
  });
  const root = element("div", { class: "ranking-list" }, ofB, table, element("div", { class: "list-foot" }, more.button, downloads));

  /** @param {boolean} isCompared @param {number} end of the bars */
  function titles(isCompared, end) {
    const title = (/** @type {string} */ text, /** @type {object} */ others = {}) => element("th", { scope: "col", ...others }, text);
    const weight = element("th", { scope: "col", colspan: 2 }, isCompared ? "A " : "Weight ", element("span", { class: "quiet" }, `0 to ${end}`));
    const other = [title("B"), title("A − B")];
    const pin = element("th", {}, element("span", { class: "unseen" }, "Pin"));
    return [title("Head"), weight, ...(isCompared ? other : []), title("Weighted", { class: "by-norm", title: BY_NORM }), pin];
  }

  /** @param {State} state @param {RankedHead} ranked @param {number} end @param {boolean} isCompared */
  function row(state, { edge, other }, end, isCompared) {
    const a = onSide(state, "a");
    const stack = Math.max(0, a.analysis?.stacks.findIndex((one) => one.stack === edge.stack) ?? 0);
    const cell = { layer: edge.layer, head: edge.head, stack };
    const name = headName(edge.layer, edge.head);
    const isPinned = hasPin(state.pins, cell);
    const word = isPinned ? "Pinned" : "Pin";
    const onclick = () => actions.togglePin(cell);
    const button = { type: "button", class: "chip", "aria-pressed": String(isPinned), "aria-label": `${word} ${name}`, onclick };
    const data = { "data-layer": edge.layer, "data-head": edge.head, "data-weight": edge.weight };
    return element(
      "tr",
      { ...data, onpointerenter: () => actions.pointAt(cell), onpointerleave: () => actions.pointAt(null) },
      element("th", { scope: "row" }, element("span", {}, name), " ", ...badges(rolesOf(a, cell))),
      element("td", { class: "edge", title: edgeWords(edge) }, bar(edge.weight / end, edge.by_position && edge.by_position / end)),
      element("td", { class: "number" }, numberText(edge.weight)),
      ...(isCompared ? comparedCells(edge, other) : []),
      element("td", { class: "number quiet by-norm" }, edge.weighted === null ? "–" : numberText(edge.weighted)),
      element("td", { class: "act" }, element("button", button, word)),
    );
  }

  /** @type {PageView} */
  const rows = {
    reads: (state) => [
      ...[rankingOf(state), otherEdges.of(state), comparison.of(state), wordsOfB(state)],
      ...[state.pins, atlasOnScreen(onSide(state, "a")), state.sides.a.analysis],
    ],
    render(state) {
      const answer = rankingOf(state);
      root.hidden = answer === null;
      if (answer === null) return;
      const isCompared = otherEdges.of(state)?.answer != null;
      const end = barEnd(answer.heads);
      table.classList.toggle("two-sides", isCompared);
      head.replaceChildren(...titles(isCompared, end));
      setText(ofB, wordsOfB(state));
      const ranked = rankedHeads(state, answer);
      more.show(ranked, answer, (shown) => body.replaceChildren(...shown.map((one) => row(state, one, end, isCompared))));
    },
  };
  return { root, views: [rows] };
}

/** @param {Edge} edge @param {Edge | null} other */
function comparedCells(edge, other) {
  if (other === null) return ["–", "–"].map((text) => element("td", { class: "number quiet" }, text));
  const isMatch = other.layer !== edge.layer || other.head !== edge.head;
  const name = headName(other.layer, other.head);
  const match = isMatch ? [element("span", { class: "ranking-match quiet" }, name)] : [];
  return [
    element("td", { class: "number", "data-other": other.weight, title: `${name} of B` }, numberText(other.weight), ...match),
    element("td", { class: "number" }, signed(edge.weight - other.weight)),
  ];
}

/** @param {number} difference */
function signed(difference) {
  const text = numberText(difference);
  return difference > 0 ? `+${text}` : text;
}
