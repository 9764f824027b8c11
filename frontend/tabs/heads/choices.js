// The chart and the table of the Heads tab as parts of the view.

import { choice } from "../../state/choice.js";

/** @typedef {"scatter" | "map" | "layers"} ChartKind */
/** @typedef {{kind: ChartKind, x: string, y: string, color: string, source: "sentence" | "corpus"}} Chart */
/** @typedef {{by: string, falling: boolean}} TableOrder by "head", "roles" or a column */

/** The order of the model. @type {TableOrder} */
export const FIRST_ORDER = { by: "head", falling: false };

export const chartChoice = choice("chart", {
  usual: /** @type {Chart} */ ({ kind: "scatter", x: "distance", y: "entropy", color: "layer", source: "sentence" }),
  write: ({ kind, x, y, color, source }) => [kind, x, y, color, source].join(","),
  read(word) {
    const [kind, x, y, color, source] = word.split(",");
    const isKind = kind === "scatter" || kind === "map" || kind === "layers";
    const isSource = source === "sentence" || source === "corpus";
    return isKind && isSource && x && y && color ? /** @type {Chart} */ ({ kind, x, y, color, source }) : null;
  },
});

export const tableChoice = choice("table", {
  usual: FIRST_ORDER,
  write: ({ by, falling }) => `${by},${falling ? "falling" : "rising"}`,
  read(word) {
    const match = /^(.+),(falling|rising)$/.exec(word);
    return match && { by: match[1], falling: match[2] === "falling" };
  },
});

/**
 * The order after a click on a column: the same one again turns round; numbers begin with the largest.
 * @param {TableOrder} table
 * @param {string} by
 * @returns {TableOrder}
 */
export function sortedBy(table, by) {
  const isName = by === "head" || by === "roles";
  return { by, falling: table.by === by ? !table.falling : !isName };
}
