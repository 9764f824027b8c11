// The table of all heads: sorted by a click on a column, pinned by a click on a row.

import { headsTable } from "../../export/number_tables.js";
import { valueText } from "../../heads/measures.js";
import { atlasOnScreen, capital } from "../../heads/roles.js";
import { element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { headPins } from "../../state/pins.js";
import { onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { badges } from "../../views/parts/badges.js";
import { downloadNumbers } from "../../views/parts/download_numbers.js";
import { shownChart } from "./chart_choice.js";
import { chartChoice, sortedBy, tableChoice } from "./choices.js";
import { columnsOf, headRows, orderAmong, orderedRows } from "./head_rows.js";

/** @typedef {import("./head_rows.js").Column} Column */

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createHeadsTable(store) {
  const { actions } = store;
  const head = element("tr");
  const body = element("tbody");
  const note = element("p", { class: "hint", id: "heads-table-note" });
  const table = element("table", { class: "heads-table" }, element("thead", {}, head), body);
  const region = { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Table of all heads" };
  // The button with the head's name is for the keyboard; its click reaches here like any other in the row.
  body.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (cell) actions.togglePin(cell);
  });
  body.addEventListener("pointerover", (event) => actions.pointAt(cellOf(event)));
  body.addEventListener("pointerleave", () => actions.pointAt(null));
  /** The rows on screen by "layer.head". @type {Map<string, HTMLTableRowElement>} */
  let shown = new Map();

  /** @param {string} by @param {string} label @param {string} title @param {import("./choices.js").TableOrder} order */
  function heading(by, label, title, order) {
    const sorted = order.by !== by ? "none" : order.falling ? "descending" : "ascending";
    const sort = () => actions.choose(tableChoice, sortedBy(tableChoice.of(store.state), by));
    const button = element("button", { type: "button", title, onclick: sort }, label);
    return element("th", { scope: "col", "aria-sort": sorted, "data-by": by }, button);
  }

  /** @type {PageView} */
  const rows = {
    reads(state) {
      const side = onSide(state, "a");
      const { analysis, run, measured, values, metrics_catalogue } = side;
      // Measures arrive layer by layer; rows that jump about meanwhile would be no help.
      if (run.phase === "streaming") return null;
      return [chartChoice.of(state), tableChoice.of(state), atlasOnScreen(side), metrics_catalogue, analysis, measured, values];
    },
    render(state) {
      const side = onSide(state, "a");
      const columns = columnsOf(side);
      const order = orderAmong(columns, tableChoice.of(side));
      const focused = head.querySelector("th:focus-within")?.getAttribute("data-by");
      head.replaceChildren(
        heading("head", "Head", "In the model's order", order),
        heading("roles", "Roles", "Proven on the corpus", order),
        ...columns.map(({ name, quantity }) => heading(name, capital(quantity.label), `${quantity.meaning} (${quantity.where})`, order)),
      );
      if (focused) head.querySelector(`[data-by="${CSS.escape(focused)}"]`)?.querySelector("button")?.focus();
      const ordered = orderedRows(headRows(side, columns), columns, tableChoice.of(state));
      shown = new Map(ordered.map((row) => [keyOf(row), tableRow(row, columns)]));
      body.replaceChildren(...shown.values());
      const where = columns[0] ? `Numbers ${columns[0].quantity.where}. ` : "";
      setText(note, `${where}A click on a row pins the head, a click on a column sorts.`);
    },
  };

  const marks = pageView((state) => [shown, state.pins, onSide(state, "a").cursor], (all, pins, cursor) => {
    const pinned = new Set(headPins(pins).map(keyOf));
    const pointed = cursor && keyOf(cursor);
    for (const [key, row] of all) {
      row.classList.toggle("pinned", pinned.has(key));
      row.classList.toggle("pointed", key === pointed);
      row.querySelector("button")?.setAttribute("aria-pressed", String(pinned.has(key)));
    }
  });

  const downloads = downloadNumbers(store, "the table", (state) => {
    const side = onSide(state, "a");
    const columns = columnsOf(side);
    return headsTable(columns, orderedRows(headRows(side, columns), columns, tableChoice.of(state)), shownChart(side).source);
  });
  return { root: element("div", {}, element("div", region, table), note, downloads), views: [rows, marks] };
}

/** @param {Cell} cell */
const keyOf = ({ layer, head }) => `${layer}.${head}`;

/** @param {import("./head_rows.js").HeadRow} row @param {Column[]} columns */
function tableRow({ layer, head, roles, values }, columns) {
  const name = headName(layer, head);
  return element(
    "tr",
    { "data-layer": layer, "data-head": head },
    element("th", { scope: "row" }, element("button", { type: "button", "aria-label": `Pin ${name}` }, name)),
    element("td", { class: "roles" }, ...(roles.length > 0 ? badges(roles) : [element("span", { class: "quiet" }, "–")])),
    ...columns.map(({ quantity }, at) => {
      const isNumber = values[at] !== null && quantity.classes === null;
      return element("td", { class: isNumber ? "number" : "quiet" }, valueText(quantity, values[at]));
    }),
  );
}

/** The head of the row an event happened in. @param {Event} event @returns {Cell | null} */
function cellOf({ target }) {
  const row = target instanceof Element ? target.closest("tr") : null;
  return row ? { layer: Number(row.dataset.layer), head: Number(row.dataset.head) } : null;
}
