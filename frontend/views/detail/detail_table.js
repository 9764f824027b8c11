// The numbers of a query-key detail as tables, for eyes and programs that read no colours: all dimensions, all keys.

import { runningSums } from "../../maps/query_key.js";
import { element } from "../../page/dom.js";

export function createNumberTables() {
  const tables = element("div", { class: "detail-tables" });
  const root = element("details", { class: "detail-numbers" }, element("summary", {}, "All numbers as tables"), tables);
  /** Whose numbers are in the tables, or will be when they are opened. @type {QueryKey | null} */
  let shown = null;
  /** A long text has a thousand rows: they are made when somebody wants to see them. */
  let write = () => {};
  root.addEventListener("toggle", () => write());

  /** @param {QueryKey} steps @param {Token[]} tokens */
  function show(steps, tokens) {
    if (steps === shown) return;
    shown = steps;
    const { q, k, product, scores, weights, keys } = steps;
    write = () => {
      if (!root.open) return;
      const sums = runningSums(product);
      const dimensions = q.map((value, at) => [String(at), digits(value), digits(k[at]), digits(product[at]), sums[at].toFixed(6)]);
      const looked = weights.map((weight, at) => {
        const { index, text } = tokens[keys[0] + at];
        return [`${index} ${text}`, scores[at] === null ? "not visible" : digits(scores[at]), digits(weight)];
      });
      tables.replaceChildren(
        table("Dimensions", ["Dimension", "q", "k", "q × k", "Sum so far"], dimensions),
        table("Keys", ["Key", "Score", "Weight"], looked),
      );
      write = () => {};
    };
    write();
  }
  return { root, show };
}

/** @param {number} value as the server gave it, to the last digit */
function digits(value) {
  return String(value).replaceAll("-", "−");
}

/** @param {string} caption @param {string[]} titles @param {string[][]} rows */
function table(caption, titles, rows) {
  const cells = (/** @type {string[]} */ row) =>
    row.map((text, at) => (at === 0 ? element("th", { scope: "row" }, text) : element("td", {}, text)));
  const made = element(
    "table",
    { class: "detail-table" },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...titles.map((title) => element("th", { scope: "col" }, title)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row)))),
  );
  return element("div", { class: "detail-scroll", tabindex: 0, role: "region", "aria-label": caption }, made);
}
