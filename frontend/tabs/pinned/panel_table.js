// One sheet as a table, for those who read numbers or hear them: per query its strongest keys, or all links of what is
// chosen.

import { element, setText } from "../../page/dom.js";
import { weightText } from "../../page/labels.js";
import { isSameList } from "../../page/memo.js";

/** @typedef {Pick<Drawing, "sheet" | "focus" | "visible">} TableContent */
/** @typedef {{row: number, col: number, weight: number}} Link */
/**
 * @typedef {object} Line one row of the table
 * @property {number} row of the sheet
 * @property {number | null} col null: the line has the strongest keys of its query
 * @property {boolean} chosen whether both its ends are in the focus
 * @property {Link[]} entries
 * @property {string} [head] whose entries they are, where several heads are overlaid
 */
/** @typedef {{about: string, headings: string[], lines: Line[], note: string}} Table */

/** No table is longer. */
export const MOST_LINES = 512;
const WEIGHT = "Weight";
const STRONGEST = ["1st", "2nd", "3rd"];

/**
 * Rows have `data-row` and `data-col` of the sheet for click handlers; the button in each is for the keyboard,
 * its click reaches the row like any other.
 */
export function createPanelTable() {
  /** What the table was written from. @type {unknown[]} */
  let writtenFrom = [];
  const caption = element("caption");
  const head = element("tr");
  const body = element("tbody");
  const noted = element("p", { class: "note" });
  const table = element("table", { class: "panel-table" }, caption, element("thead", {}, head), body);
  const region = element("div", { class: "table-scroll", tabindex: 0, role: "region" }, table);
  return {
    root: element("div", {}, region, noted),
    /** @param {string} name of what the sheet shows, such as `L3 H1` @param {TableContent} content */
    render(name, { sheet, focus, visible }) {
      // A lock changes nothing here: the keyboard must not lose the row it is on.
      const from = [sheet, visible, name, JSON.stringify(focus)];
      if (isSameList(from, writtenFrom)) return;
      writtenFrom = from;
      const { about, headings, lines, note } = tableOf({ sheet, focus, visible });
      setText(caption, `${name}: ${about}`);
      region.setAttribute("aria-label", `${name} as a table`);
      setText(noted, note);
      const wasInside = body.contains(document.activeElement);
      head.replaceChildren(...headings.map((text) => element("th", { scope: "col", class: text === WEIGHT ? "weight" : null }, text)));
      body.replaceChildren(...lines.map((line) => tableRow(line, sheet)));
      // The button that was pressed is gone with its row; the keyboard stays at the table.
      if (wasInside) region.focus();
    },
  };
}

/** @param {Line} line @param {Sheet} sheet */
function tableRow({ row, col, chosen, entries, head }, { queries, keys, exact }) {
  const number = (/** @type {number} */ weight) => element("b", {}, `${exact ? "" : "≈ "}${weightText(weight)}`);
  const keyAt = (/** @type {number} */ at) => whole(keys.labels[at]);
  const linkCells = () => [element("td", {}, keyAt(entries[0].col)), element("td", { class: "weight" }, number(entries[0].weight))];
  const strongestCells = () =>
    STRONGEST.map((_, at) => {
      if (at >= entries.length) return element("td", { class: "quiet" }, "–");
      return element("td", {}, element("div", { class: "link" }, keyAt(entries[at].col), " ", number(entries[at].weight)));
    });
  return element(
    "tr",
    { "data-row": row, "data-col": col, class: chosen ? "chosen" : null },
    element("th", { scope: "row" }, element("button", { type: "button" }, whole(queries.labels[row]))),
    ...(head === undefined ? [] : [element("td", {}, head)]),
    ...(col === null ? strongestCells() : linkCells()),
  );
}

/** @param {string} label as much as there is room for; the tooltip has all of it */
function whole(label) {
  return element("bdi", { title: label }, label);
}

/** What the table says: with nothing chosen one line per query, else one per link of what is chosen. @param {TableContent} content */
export function tableOf({ sheet, focus, visible }) {
  return sheet.overlaid ? overlaidTable(sheet.overlaid, focus, visible) : headTable({ sheet, focus, visible });
}

/**
 * The lines of each head, with a column that names it: by query, or the links of what is chosen by strength.
 * @param {NonNullable<Sheet["overlaid"]>} heads
 * @param {Drawing["focus"]} focus
 * @param {Drawing["visible"]} visible
 * @returns {Table}
 */
function overlaidTable(heads, focus, visible) {
  const tables = heads.map(({ sheet }) => headTable({ sheet, focus, visible }));
  const [{ about, headings: [query, ...others], note }] = tables;
  const all = tables.flatMap(({ lines }, at) => lines.map((line) => ({ ...line, head: heads[at].name })));
  const strengthOf = (/** @type {Line} */ { entries }) => Math.abs(entries[0]?.weight ?? 0);
  all.sort((one, other) => (one.col === null ? one.row - other.row : strengthOf(other) - strengthOf(one)));
  const cut = all.length > MOST_LINES ? `${MOST_LINES} of ${all.length} lines. ` : "";
  return { about, headings: [query, "Head", ...others], lines: all.slice(0, MOST_LINES), note: `${cut}${all[0]?.col === null ? note : ""}`.trim() };
}

/** @param {TableContent} content */
function headTable({ sheet, focus, visible }) {
  const rows = shownOf(sheet.queries.labels.length, visible?.rows);
  const cols = shownOf(sheet.keys.labels.length, visible?.cols);
  const isChosen = focus !== null && focus.rows.length + focus.cols.length > 0;
  return isChosen ? linksTable(sheet, focus, rows, cols) : strongestTable(sheet, rows, cols);
}

/** @param {Sheet} sheet @param {number[]} rows that are visible @param {number[]} cols @returns {Table} */
function strongestTable(sheet, rows, cols) {
  const lines = rows.slice(0, MOST_LINES).map((row) => {
    const entries = entriesOf(sheet, [row], cols).slice(0, STRONGEST.length);
    return { row, col: null, chosen: false, entries };
  });
  const cut = rows.length > MOST_LINES ? `The first ${MOST_LINES} of ${rows.length} queries. ` : "";
  const note = `${cut}Choose a token for all of its links.`;
  return { about: "the strongest keys of each query", headings: ["Query", ...STRONGEST], lines, note };
}

/**
 * The links of the chosen queries, else of the chosen keys, strongest first.
 * @param {Sheet} sheet
 * @param {NonNullable<Drawing["focus"]>} focus
 * @param {number[]} allRows that are visible
 * @param {number[]} allCols
 * @returns {Table}
 */
function linksTable(sheet, focus, allRows, allCols) {
  const byQuery = focus.rows.length > 0;
  const rows = byQuery ? allRows.filter((row) => focus.rows.includes(row)) : allRows;
  const cols = byQuery ? allCols : allCols.filter((col) => focus.cols.includes(col));
  const found = entriesOf(sheet, rows, cols);
  const lines = found.slice(0, MOST_LINES).map((entry) => {
    const chosen = focus.rows.includes(entry.row) && focus.cols.includes(entry.col);
    return { row: entry.row, col: entry.col, chosen, entries: [entry] };
  });
  const names = byQuery ? rows.map((row) => sheet.queries.labels[row]) : cols.map((col) => sheet.keys.labels[col]);
  const about = `all links ${byQuery ? "from" : "to"} ${names.join(", ") || "what is hidden"}`;
  const cut = found.length > MOST_LINES ? `The strongest ${MOST_LINES} of ${found.length} links. ` : "";
  const nothing = rows.length * cols.length - found.length;
  const note = `${cut}${nothing > 0 ? `${nothing} without any weight are left out.` : ""}`.trim();
  return { about, headings: ["Query", "Key", WEIGHT], lines, note };
}

/** @param {number} n @param {Uint8Array | undefined} flags which of them a filter shows */
function shownOf(n, flags) {
  return Array.from({ length: n }, (_, at) => at).filter((at) => flags === undefined || flags[at] === 1);
}

/** The links that are not zero, largest absolute weight first. @param {Sheet} sheet @param {number[]} rows @param {number[]} cols */
function entriesOf({ keys, weights }, rows, cols) {
  return rows
    .flatMap((row) => cols.map((col) => ({ row, col, weight: weights[row * keys.labels.length + col] })))
    .filter(({ weight }) => weight !== 0)
    .sort((one, other) => Math.abs(other.weight) - Math.abs(one.weight));
}
