// The table of all heads: sorted by a click on a column, pinned by a click on a row.

import { columnsOf, headRows, orderAmong, orderedRows } from "../../heads/head_rows.js";
import { valueText } from "../../heads/measures.js";
import { capital } from "../../heads/roles.js";
import { headName } from "../../maps/labels.js";
import { element, setText } from "../../page/dom.js";
import { headPins } from "../../state/pins.js";
import { badges } from "../../views/parts/badges.js";

/** @typedef {import("../../heads/head_rows.js").Column} Column */
/** @typedef {import("../../heads/head_rows.js").HeadRow} HeadRow */

const OF_INTEREST = ["tab", "analysis", "run", "atlas", "metrics_catalogue", "chart", "table", "values", "model"];

export class HeadsTable {
  /** The rows on screen by "layer.head". @type {Map<string, HTMLTableRowElement>} */
  #rows = new Map();

  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.head = element("tr");
    this.body = element("tbody");
    this.note = element("p", { class: "hint", id: "heads-table-note" });
    const table = element("table", { class: "heads-table" }, element("thead", {}, this.head), this.body);
    const region = { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Table of all heads" };
    this.root = element("div", {}, element("div", region, table), this.note);
    // The button with the head's name is for the keyboard; its click reaches here like any other in the row.
    this.body.addEventListener("click", (event) => {
      const cell = cellOf(event);
      if (cell) actions.togglePin(cell);
    });
    this.body.addEventListener("pointerover", (event) => actions.pointAt(cellOf(event)));
    this.body.addEventListener("pointerleave", () => actions.pointAt(null));
  }

  /**
   * @param {State} state
   * @param {Set<string>} changed
   */
  render(state, changed) {
    // Measures come layer by layer; rows that jump about while they come would be no help.
    const isDue = OF_INTEREST.some((key) => changed.has(key)) && state.run.phase !== "streaming";
    if (isDue) this.#rebuild(state);
    if (isDue || changed.has("pins") || changed.has("cursor")) this.#mark(state);
  }

  /** @param {State} state */
  #rebuild(state) {
    const columns = columnsOf(state);
    const order = orderAmong(columns, state.table);
    const heading = (/** @type {string} */ by, /** @type {string} */ label, /** @type {string} */ title) => {
      const sorted = order.by !== by ? "none" : order.falling ? "descending" : "ascending";
      const button = element("button", { type: "button", title, onclick: () => this.actions.sortTable(by) }, label);
      return element("th", { scope: "col", "aria-sort": sorted, "data-by": by }, button);
    };
    const focused = this.head.querySelector("th:focus-within")?.getAttribute("data-by");
    this.head.replaceChildren(
      heading("head", "Head", "In the model's order"),
      heading("roles", "Roles", "Proven on the corpus"),
      ...columns.map(({ name, quantity }) =>
        heading(name, capital(quantity.label), `${quantity.meaning} (${quantity.where})`),
      ),
    );
    if (focused)
      this.head
        .querySelector(`[data-by="${CSS.escape(focused)}"]`)
        ?.querySelector("button")
        ?.focus();
    const rows = orderedRows(headRows(state, columns), columns, state.table);
    this.#rows = new Map(rows.map((row) => [`${row.layer}.${row.head}`, tableRow(row, columns)]));
    this.body.replaceChildren(...this.#rows.values());
    const where = columns[0] ? `Numbers ${columns[0].quantity.where}. ` : "";
    setText(this.note, `${where}A click on a row pins the head, a click on a column sorts.`);
  }

  /** @param {State} state */
  #mark({ pins, cursor }) {
    const pinned = new Set(headPins(pins).map(({ layer, head }) => `${layer}.${head}`));
    const pointed = cursor && `${cursor.layer}.${cursor.head}`;
    for (const [name, row] of this.#rows) {
      row.classList.toggle("pinned", pinned.has(name));
      row.classList.toggle("pointed", name === pointed);
      row.querySelector("button")?.setAttribute("aria-pressed", String(pinned.has(name)));
    }
  }
}

/**
 * @param {HeadRow} row
 * @param {Column[]} columns
 */
function tableRow({ layer, head, roles, values }, columns) {
  const name = headName(layer, head);
  return element(
    "tr",
    { "data-layer": layer, "data-head": head },
    element("th", { scope: "row" }, element("button", { type: "button", "aria-label": `Pin ${name}` }, name)),
    element(
      "td",
      { class: "roles" },
      ...(roles.length > 0 ? badges(roles) : [element("span", { class: "quiet" }, "–")]),
    ),
    ...columns.map(({ quantity }, at) => {
      const isNumber = values[at] !== null && quantity.classes === null;
      return element("td", { class: isNumber ? "number" : "quiet" }, valueText(quantity, values[at]));
    }),
  );
}

/**
 * The head of the row an event happened in.
 * @param {Event} event
 * @returns {Cell | null}
 */
function cellOf({ target }) {
  const row = target instanceof Element ? target.closest("tr") : null;
  return row ? { layer: Number(row.dataset.layer), head: Number(row.dataset.head) } : null;
}
