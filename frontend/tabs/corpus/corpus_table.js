// Heads ranked by their mean over a corpus, each with a bar, the whisker of its interval and the tick of its baseline.

import { rankedRows, rankedWords, rankings, rowWords, scaleOf } from "../../corpus/ranking.js";
import { numberText } from "../../heads/measures.js";
import { rolesOf } from "../../heads/roles.js";
import { headName } from "../../maps/labels.js";
import { element, setText } from "../../page/dom.js";
import { Memo } from "../../page/memo.js";
import { hasPin } from "../../state/pins.js";
import { badges } from "../../views/parts/badges.js";
import { menu } from "../../views/parts/menu.js";

/** @typedef {import("../../corpus/ranking.js").Row} Row */
/** @typedef {import("../../corpus/ranking.js").Scale} Scale */

const FIRST_ROWS = 12;

export class CorpusTable {
  /** The answer all of whose heads are listed. @type {CorpusAnswer | null} */
  #whole = null;
  /** @type {State | null} */
  #state = null;
  #written = new Memo();

  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.by = menu("corpus-by", "Rank by", (by) => actions.rankCorpus(by));
    this.words = element("p", { class: "corpus-words-of" });
    this.scale = element("span", { class: "quiet" });
    const turn = element("button", { type: "button", class: "corpus-turn", onclick: () => actions.turnCorpus() }, "Mean");
    this.mean = element("th", { scope: "col", colspan: 2 }, turn, " ", this.scale);
    const titles = [
      element("th", { scope: "col" }, "Head"),
      this.mean,
      element("th", { scope: "col" }, "95 % interval"),
      element("th", { scope: "col", title: "Texts of a link, cases of a metric" }, "n"),
    ];
    this.body = element("tbody");
    const table = element("table", { class: "ranking corpus-ranking" }, element("thead", {}, element("tr", {}, ...titles)), this.body);
    this.more = element("button", { type: "button", class: "chip more", onclick: () => this.#showAll() });
    this.root = element("div", { class: "card ranking-card" }, this.by.field, this.words, table, this.more);
  }

  #showAll() {
    const state = this.#state;
    this.#whole = state?.corpus.known?.answer ?? null;
    if (state) this.render(state);
  }

  /** @param {State} state with an answer */
  render(state) {
    this.#state = state;
    const { known, by, falling } = state.corpus;
    if (known === null) return;
    const { answer, question } = known;
    this.by.write([{ label: "", options: rankings(answer) }], by);
    setText(this.words, rankedWords(answer, question, by));
    this.mean.setAttribute("aria-sort", falling ? "descending" : "ascending");
    this.#written.get([answer, by, falling, this.#whole, state.pins, state.atlas, state.model], () => this.#write(state, answer));
  }

  /** @param {State} state @param {CorpusAnswer} answer */
  #write(state, answer) {
    const { by, falling } = state.corpus;
    const rows = rankedRows(answer, by, falling);
    const scale = scaleOf(rows);
    const count = this.#whole === answer ? rows.length : FIRST_ROWS;
    setText(this.scale, `${numberOf(scale.start)} to ${numberOf(scale.end)}`);
    const focused = this.body.querySelector("tr:focus-within");
    const at = focused && [focused.getAttribute("data-layer"), focused.getAttribute("data-head")];
    // Heads of another model than the one on screen cannot be pinned.
    const isHere = answer.model === state.model;
    this.body.replaceChildren(...rows.slice(0, count).map((row) => this.#row(state, row, scale, isHere)));
    if (at) this.body.querySelector(`[data-layer="${at[0]}"][data-head="${at[1]}"]`)?.querySelector("button")?.focus();
    this.more.hidden = count >= rows.length;
    setText(this.more, `Show all ${rows.length} heads`);
  }

  /** @param {State} state @param {Row} row @param {Scale} scale @param {boolean} isHere */
  #row(state, row, scale, isHere) {
    const cell = { layer: row.layer, head: row.head, stack: 0 };
    const name = headName(row.layer, row.head);
    const isPinned = isHere && hasPin(state.pins, cell);
    const pin = {
      type: "button",
      class: "corpus-head",
      disabled: !isHere,
      title: isPinned ? "Unpin this head" : "Pin this head",
      "aria-pressed": String(isPinned),
      "aria-label": `${isPinned ? "Pinned" : "Pin"} ${name}`,
      onclick: () => this.actions.togglePin(cell),
    };
    const interval = row.low === null || row.high === null ? "–" : `${numberText(row.low)} to ${numberText(row.high)}`;
    return element(
      "tr",
      {
        "data-layer": row.layer,
        "data-head": row.head,
        "data-mean": row.mean,
        onpointerenter: () => isHere && this.actions.pointAt(cell),
        onpointerleave: () => this.actions.pointAt(null),
      },
      element("th", { scope: "row" }, element("button", pin, name), " ", ...(isHere ? badges(rolesOf(state, cell)) : [])),
      element("td", { class: "edge", title: rowWords(row) }, bar(row, scale)),
      element("td", { class: "number" }, row.mean === null ? "no case" : numberText(row.mean)),
      element("td", { class: "number quiet" }, interval),
      element("td", { class: "number quiet" }, row.n.toLocaleString("en")),
    );
  }
}

/** @param {number} value of a scale's end, which is round */
function numberOf(value) {
  return String(Number(value.toPrecision(3))).replace("-", "−");
}

/**
 * @param {Row} row
 * @param {Scale} scale
 */
function bar({ mean, low, high, baseline }, { start, end }) {
  const place = (/** @type {number} */ value) => (100 * (value - start)) / (end - start);
  const part = (/** @type {string} */ name, /** @type {number} */ from, /** @type {number} */ to) => {
    const made = element("span", { class: name });
    made.style.left = `${place(Math.min(from, to))}%`;
    made.style.width = `${Math.abs(place(to) - place(from))}%`;
    return made;
  };
  const parts = [];
  if (mean !== null) parts.push(part("edge-fill", 0, mean));
  if (low !== null && high !== null) parts.push(part("edge-whisker", low, high));
  if (mean !== null && baseline !== null) {
    const tick = element("span", { class: "edge-tick" });
    tick.style.left = `${place(baseline)}%`;
    parts.push(tick);
  }
  return element("span", { class: "edge-bar", "aria-hidden": "true" }, ...parts);
}
