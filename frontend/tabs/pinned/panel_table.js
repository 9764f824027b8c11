// One sheet as a table, for those who read numbers or hear them: per query its strongest keys, or all links of what is
// chosen.

import { element, setText } from "../../page/dom.js";
import { weightText } from "../../page/labels.js";
import { isSameList } from "../../page/memo.js";

/** @typedef {Pick<Drawing, "sheet" | "focus" | "visible">} TableContent */
/** @typedef {{row: number, col: number, weight: number}} Link */
/**
 * @typedef {object} Line one row of the table
 * @property {number | null} row of the sheet, null when it is the same for all of them
 * @property {number | null} col
 * @property {boolean} chosen whether both its ends are in the focus
 * @property {Link[]} entries
 */
/** @typedef {{about: string, headings: string[], lines: Line[], note: string}} Table */

/** No table is longer. */
export const MOST_LINES = 512;
const WEIGHT = "Weight";
const STRONGEST = ["1st", "2nd", "3rd"];

export class PanelTable {
  /** What the table was written from. @type {unknown[]} */
  #writtenFrom = [];

  constructor() {
    this.caption = element("caption");
    this.head = element("tr");
    this.body = element("tbody");
    this.note = element("p", { class: "note" });
    const table = element("table", { class: "panel-table" }, this.caption, element("thead", {}, this.head), this.body);
    this.region = element("div", { class: "table-scroll", tabindex: 0, role: "region" }, table);
    this.root = element("div", {}, this.region, this.note);
  }

  /**
   * Rows carry `data-row` and `data-col` of the sheet for whoever listens to clicks; the button in each is for the
   * keyboard, its click reaches the row like any other.
   * @param {string} name of what the sheet shows, such as `L3 H1`
   * @param {TableContent} shown
   */
  render(name, { sheet, focus, visible }) {
    // A lock changes nothing here: the keyboard must not lose the row it is on.
    const from = [sheet, visible, name, JSON.stringify(focus)];
    if (isSameList(from, this.#writtenFrom)) return;
    this.#writtenFrom = from;
    const { about, headings, lines, note } = tableOf({ sheet, focus, visible });
    setText(this.caption, `${name}: ${about}`);
    this.region.setAttribute("aria-label", `${name} as a table`);
    setText(this.note, note);
    const wasInside = this.body.contains(document.activeElement);
    const isNumber = (/** @type {string} */ heading) => heading === WEIGHT;
    this.head.replaceChildren(...headings.map((it) => element("th", { scope: "col", class: isNumber(it) ? "weight" : null }, it)));
    this.body.replaceChildren(...lines.map((line) => tableRow(line, sheet)));
    // The button that was pressed is gone with its row; the keyboard stays at the table.
    if (wasInside) this.region.focus();
  }
}

/** @param {Line} line @param {Drawing["sheet"]} sheet */
function tableRow({ row, col, chosen, entries }, { queries, keys, exact }) {
  const about = exact ? "" : "≈ ";
  const number = (/** @type {number} */ weight) => element("b", {}, `${about}${weightText(weight)}`);
  const attributes = { "data-row": row, "data-col": col, class: chosen ? "chosen" : null };
  const named = (/** @type {string} */ label) =>
    element("th", { scope: "row" }, element("button", { type: "button" }, whole(label)));
  if (row !== null && col !== null) {
    const { weight } = entries[0];
    const key = element("td", {}, whole(keys.labels[col]));
    return element("tr", attributes, named(queries.labels[row]), key, element("td", { class: "weight" }, number(weight)));
  }
  const cells = STRONGEST.map((_, at) => {
    const entry = entries[at];
    return entry
      ? element("td", {}, element("div", { class: "link" }, whole(keys.labels[entry.col]), " ", number(entry.weight)))
      : element("td", { class: "quiet" }, "–");
  });
  return element("tr", attributes, named(queries.labels[row ?? 0]), ...cells);
}

/** @param {string} label as much as there is room for; pointing at it tells all of it */
function whole(label) {
  return element("bdi", { title: label }, label);
}

/**
 * What the table says: with nothing chosen one line per query, else one line per link of what is chosen.
 * @param {TableContent} shown
 * @returns {Table}
 */
export function tableOf({ sheet, focus, visible }) {
  if (focus !== null && focus.rows.length + focus.cols.length > 0) return linksOf({ sheet, focus, visible });
  const rows = shownOf(sheet.queries.labels.length, visible?.rows);
  const cols = shownOf(sheet.keys.labels.length, visible?.cols);
  const lines = rows.slice(0, MOST_LINES).map((row) => ({
    row,
    col: null,
    chosen: false,
    entries: strongest(entriesOf(sheet, [row], cols)),
  }));
  const cut = rows.length > MOST_LINES ? `The first ${MOST_LINES} of ${rows.length} queries. ` : "";
  return {
    about: "the strongest keys of each query",
    headings: ["Query", ...STRONGEST],
    lines,
    note: `${cut}Choose a token for all of its links.`,
  };
}

/**
 * The links of the chosen queries, else of the chosen keys, strongest first.
 * @param {TableContent & {focus: NonNullable<Drawing["focus"]>}} shown
 * @returns {Table}
 */
function linksOf({ sheet, focus, visible }) {
  const { queries, keys } = sheet;
  const byQuery = focus.rows.length > 0;
  const among = (/** @type {number[]} */ shown, /** @type {number[]} */ wanted) => shown.filter((at) => wanted.includes(at));
  const allRows = shownOf(queries.labels.length, visible?.rows);
  const allCols = shownOf(keys.labels.length, visible?.cols);
  const rows = byQuery ? among(allRows, focus.rows) : allRows;
  const cols = byQuery ? allCols : among(allCols, focus.cols);
  const found = entriesOf(sheet, rows, cols).sort(bySizeFalling);
  const lines = found.slice(0, MOST_LINES).map((entry) => ({
    row: entry.row,
    col: entry.col,
    chosen: focus.rows.includes(entry.row) && focus.cols.includes(entry.col),
    entries: [entry],
  }));
  const names = byQuery ? rows.map((row) => queries.labels[row]) : cols.map((col) => keys.labels[col]);
  const cut = found.length > MOST_LINES ? `The strongest ${MOST_LINES} of ${found.length} links. ` : "";
  const nothing = rows.length * cols.length - found.length;
  return {
    about: `all links ${byQuery ? "from" : "to"} ${names.join(", ") || "what is hidden"}`,
    headings: ["Query", "Key", WEIGHT],
    lines,
    note: `${cut}${nothing > 0 ? `${nothing} without any weight are left out.` : ""}`.trim(),
  };
}

/** @param {number} n @param {Uint8Array | undefined} flags which of them a filter shows */
function shownOf(n, flags) {
  return Array.from({ length: n }, (_, at) => at).filter((at) => flags === undefined || flags[at] === 1);
}

/** @param {Drawing["sheet"]} sheet @param {number[]} rows @param {number[]} cols @returns {Link[]} those which are not zero */
function entriesOf({ keys, weights }, rows, cols) {
  const weightAt = (/** @type {number} */ row, /** @type {number} */ col) => weights[row * keys.labels.length + col];
  return rows.flatMap((row) =>
    cols.filter((col) => weightAt(row, col) !== 0).map((col) => ({ row, col, weight: weightAt(row, col) })),
  );
}

/** @param {Link[]} entries */
function strongest(entries) {
  return entries.sort(bySizeFalling).slice(0, STRONGEST.length);
}

/** What is below zero counts by its size. @param {Link} one @param {Link} other */
function bySizeFalling(one, other) {
  return Math.abs(other.weight) - Math.abs(one.weight);
}
