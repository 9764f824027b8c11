// The arrangement of a step as figures: which matrices of the model stand in which row, with which operators.

import { ATTENTION_LAYOUTS } from "./layouts/attention.js";
import { INPUT_LAYOUTS } from "./layouts/inputs.js";
import { OUTPUT_LAYOUTS } from "./layouts/outputs.js";

/** @typedef {import("./layouts/inputs.js").Arrangement} Arrangement */
/** @typedef {{name: string, transposed: boolean}} Alternative */
/**
 * @typedef {object} Cell one place of a row
 * @property {string} op what is written before the figure; "" nothing
 * @property {Alternative[]} names the matrix, or several of which the first one that is there is drawn; [] an empty place
 * @property {boolean} optional whether the model may lack it
 * @property {boolean} each whether it stands for one figure a head
 */
/** @typedef {{op: string, name: string | null, transposed: boolean, each: boolean}} Placed name null: an empty place */
/** @typedef {{grid: boolean, rows: Placed[][]}} Arranged */

/** By step. */
export const LAYOUTS = { ...INPUT_LAYOUTS, ...ATTENTION_LAYOUTS, ...OUTPUT_LAYOUTS };

const OPERATORS = ["+", "×", "=", "→"];

/** @param {string} text a row as it is written in the layouts @returns {Cell[]} */
export function parseRow(text) {
  /** @type {Cell[]} */
  const cells = [];
  let op = "";
  for (const word of text.match(/\{[^}]*\}|\S+/g) ?? []) {
    if (word.startsWith("{")) op = word.slice(1, -1);
    else if (OPERATORS.includes(word)) op = word;
    else {
      const names = word === "." ? [] : word.split("|").map((part) => ({ name: part.replace(/['?*]+$/, ""), transposed: part.includes("'") }));
      cells.push({ op, names, optional: word.includes("?"), each: word.includes("*") });
      op = "";
    }
  }
  return cells;
}

/** Every matrix that the arrangements of a step may draw. @param {string} step @returns {string[]} */
export function namesIn(step) {
  const cells = (LAYOUTS[step] ?? []).flatMap(({ rows }) => rows.flatMap(parseRow));
  return [...new Set(cells.flatMap(({ names }) => names.map(({ name }) => name)))];
}

/**
 * An arrangement with what the model has; null: the model lacks something that it must have.
 * @param {Arrangement} arrangement
 * @param {(name: string) => boolean} has
 * @returns {Arranged | null}
 */
export function arranged({ grid = false, rows }, has) {
  const made = rows.map((row) => parseRow(row).map((cell) => placed(cell, has)));
  if (made.some((row) => row.includes(null))) return null;
  const kept = /** @type {Placed[][]} */ (made).map((row) => (grid ? row : row.filter(({ op, name }) => name !== null || op !== "")));
  return { grid, rows: kept.filter((row) => row.some(({ name }) => name !== null)) };
}

/** @param {Cell} cell @param {(name: string) => boolean} has @returns {Placed | null} null: it must be there and is not */
function placed({ op, names, optional, each }, has) {
  const found = names.find(({ name }) => has(name));
  if (found) return { op, each, ...found };
  if (names.length === 0) return { op, name: null, transposed: false, each: false };
  return optional ? { op: "", name: null, transposed: false, each: false } : null;
}

/** What can be drawn of a step: the arrangements with most matrices. @param {string} step @param {(name: string) => boolean} has */
export function candidates(step, has) {
  const possible = (LAYOUTS[step] ?? []).map((one) => arranged(one, has)).filter((one) => one !== null);
  const count = (/** @type {Arranged} */ { rows }) => rows.flat().filter(({ name }) => name !== null).length;
  const most = Math.max(0, ...possible.map(count));
  return possible.filter((one) => count(one) === most);
}
