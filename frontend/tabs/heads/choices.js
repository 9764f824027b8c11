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
    const isKnown = ["scatter", "map", "layers"].includes(kind) && ["sentence", "corpus"].includes(source);
    return isKnown && x && y && color ? /** @type {Chart} */ ({ kind, x, y, color, source }) : null;
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

/** Sort by a column: a second click reverses it; numbers begin with the largest. @param {TableOrder} table @param {string} by */
export function sortedBy(table, by) {
  return { by, falling: table.by === by ? !table.falling : by !== "head" && by !== "roles" };
}
