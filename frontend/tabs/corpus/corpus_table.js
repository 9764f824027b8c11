// The ranking of heads over a corpus, each with a bar, the whisker of its interval and the tick of its baseline.

import { corpusMeans } from "../../corpus/question.js";
import { rankedRows, rankedWords, rankingOf, rankings, rowWords, scaleOf } from "../../corpus/ranking.js";
import { numberText } from "../../heads/measures.js";
import { atlasOnScreen, rolesOf } from "../../heads/roles.js";
import { element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { hasPin } from "../../state/pins.js";
import { onSide } from "../../state/sides.js";
import { badges } from "../../views/parts/badges.js";
import { menu } from "../../views/parts/menu.js";
import { showMore } from "../../views/parts/show_more.js";

/** @typedef {import("../../corpus/ranking.js").Row} Row */
/** @typedef {import("../../corpus/ranking.js").BarScale} BarScale */

const FIRST_ROWS = 12;

/** @param {Actions} actions @returns {{root: HTMLElement, view: PageView}} */
export function createCorpusTable(actions) {
  const byMenu = menu("corpus-by", "Rank by", (by) => actions.rankCorpus(by));
  const words = element("p", { class: "corpus-words-of" });
  const ends = element("span", { class: "quiet" });
  const turn = element("button", { type: "button", class: "corpus-turn", onclick: () => actions.turnCorpus() }, "Mean");
  const mean = element("th", { scope: "col", colspan: 2 }, turn, " ", ends);
  const titles = [
    element("th", { scope: "col" }, "Head"),
    mean,
    element("th", { scope: "col" }, "95 % interval"),
    element("th", { scope: "col", title: "Texts of a link, cases of a metric" }, "n"),
  ];
  const body = element("tbody");
  const table = element("table", { class: "ranking corpus-ranking" }, element("thead", {}, element("tr", {}, ...titles)), body);
  const more = showMore(FIRST_ROWS);

  /** @param {State} state */
  function render(state) {
    const { answer, question } = corpusMeans.latest(state) ?? {};
    const ranking = rankingOf(state);
    if (!answer || !ranking) return;
    const { by, falling } = ranking;
    byMenu.write([{ label: "", options: rankings(answer) }], by);
    setText(words, rankedWords(answer, question.draft, by));
    mean.setAttribute("aria-sort", falling ? "descending" : "ascending");
    const rows = rankedRows(answer, by, falling);
    const scale = scaleOf(rows);
    setText(ends, `${numberOf(scale.start)} to ${numberOf(scale.end)}`);
    more.show(rows, answer, (shown) => {
      const focused = /** @type {HTMLElement | null} */ (body.querySelector("tr:focus-within"));
      body.replaceChildren(...shown.map((row) => tableRow(onSide(state, "a"), row, scale, question.model)));
      if (focused === null) return;
      const { layer, head } = focused.dataset; // the keyboard stays at its head
      body.querySelector(`[data-layer="${layer}"][data-head="${head}"]`)?.querySelector("button")?.focus();
    });
  }

  /** @param {SideView} side @param {Row} row @param {BarScale} scale @param {string} model whose head it is */
  function tableRow(side, row, scale, model) {
    const cell = { layer: row.layer, head: row.head, stack: 0 };
    const name = headName(row.layer, row.head);
    const isHere = model === side.model; // heads of another model cannot be pinned
    const isPinned = isHere && hasPin(side.pins, cell);
    const pin = {
      type: "button",
      class: "corpus-head",
      disabled: !isHere,
      title: isPinned ? "Unpin this head" : "Pin this head",
      "aria-pressed": String(isPinned),
      "aria-label": `${isPinned ? "Pinned" : "Pin"} ${name}`,
      onclick: () => actions.togglePin(cell),
    };
    const interval = row.low === null || row.high === null ? "–" : `${numberText(row.low)} to ${numberText(row.high)}`;
    const data = { "data-layer": row.layer, "data-head": row.head, "data-mean": row.mean };
    return element(
      "tr",
      { ...data, onpointerenter: () => isHere && actions.pointAt(cell), onpointerleave: () => actions.pointAt(null) },
      element("th", { scope: "row" }, element("button", pin, name), " ", ...(model === side.analysis?.model ? badges(rolesOf(side, cell)) : [])),
      element("td", { class: "edge", title: rowWords(row) }, intervalBar(row, scale)),
      element("td", { class: "number" }, row.mean === null ? "no case" : numberText(row.mean)),
      element("td", { class: "number quiet" }, interval),
      element("td", { class: "number quiet" }, row.n.toLocaleString("en")),
    );
  }

  /** @param {State} state */
  function reads(state) {
    const side = onSide(state, "a");
    return [corpusMeans.latest(state), state.corpus.ranking, state.pins, atlasOnScreen(side), side.model, side.analysis?.model];
  }
  return { root: element("div", { class: "card ranking-card" }, byMenu.field, words, table, more.button), view: { reads, render } };
}

/** @param {number} value of a scale's end, which is round */
function numberOf(value) {
  return String(Number(value.toPrecision(3))).replace("-", "−");
}

/** @param {Row} row @param {BarScale} scale */
function intervalBar({ mean, low, high, baseline }, { start, end }) {
  const place = (/** @type {number} */ value) => (100 * (value - start)) / (end - start);
  const part = (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) => {
    const made = element("span", { class: name });
    made.style.left = `${place(Math.min(from, to))}%`;
    if (from !== to) made.style.width = `${Math.abs(place(to) - place(from))}%`;
    return made;
  };
  const bar = element("span", { class: "edge-bar", "aria-hidden": "true" });
  if (mean !== null) bar.append(part("edge-fill", 0, mean));
  if (low !== null && high !== null) bar.append(part("edge-whisker", low, high));
  if (mean !== null && baseline !== null) bar.append(part("edge-tick", baseline, baseline));
  return bar;
}
