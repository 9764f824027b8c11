// Tables of numbers as files, CSV or JSON, with a header that says what they are of: models, sentences, values, hiding.

import { isWeighted, question } from "../state/selectors.js";
import { onSide, sidesOf } from "../state/sides.js";
import { HIDING, fileName } from "./caption.js";
import { csvField } from "./map_files.js";

/** @typedef {string | number | null} Value a text, a number as the server gave it, or nothing */
/**
 * @typedef {object} NumberTable
 * @property {string} id ends the name of the file
 * @property {string} title what it is
 * @property {string} [values] whose numbers; by default raw or value-weighted as the page shows them
 * @property {Record<string, string | number | number[]>} [facts] what else must be known to read it
 * @property {string[]} columns
 * @property {Value[][]} rows
 */
/** @typedef {"csv" | "json"} NumberFormat */

const FORMAT = 1;
const TYPES = { csv: "text/csv", json: "application/json" };

/** @param {State} state @param {NumberTable} table @param {NumberFormat} format @param {Date} now @returns {import("./formats.js").ExportFile} */
export function numberFile(state, table, format, now) {
  const content = (format === "csv" ? csvOf : jsonOf)(table, about(state, table, now));
  return { name: fileName(state.sides.a, `-${table.id}.${format}`), content: new Blob([content], { type: TYPES[format] }) };
}

/** What made some numbers, and of what models and texts. @param {State} state @param {Date} now */
export function originOf(state, now) {
  const sides = sidesOf(state).map((side) => {
    const seen = onSide(state, side);
    return { side: side.toUpperCase(), ...question(seen), revision: seen.analysis?.revision ?? null };
  });
  return { made_by: `HeadScope ${state.config?.version ?? ""}`.trim(), made: now.toISOString(), sides };
}

/** @param {State} state @param {NumberTable} table @param {Date} now */
function about(state, { title, values, facts = {} }, now) {
  const { sides, ...made } = originOf(state, now);
  return {
    ...made,
    table: title,
    values: values ?? (isWeighted(state) ? "value-weighted" : "raw"),
    hidden: `${HIDING[state.hide] || "nothing hidden"} in the maps on the page; these numbers count all tokens`,
    sinks: `${state.sinks === "dim" ? "dimmed" : "not dimmed"} on the page; these numbers do not depend on it`,
    ...facts,
    sides,
  };
}

/** Lines of what is known about a table, each after a #. @param {ReturnType<typeof originOf>} known and more facts */
export function headerLines({ sides, ...known }) {
  const line = (/** @type {[string, unknown]} */ [name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
  const facts = Object.entries(known).map(line);
  const sources = sides.flatMap(({ side, ...facts_of }) => Object.entries(facts_of).map((fact) => `${side} ${line(fact)}`));
  return [...facts, ...sources].map((text) => `# ${text.replace(/\s*[\r\n]+\s*/g, " ")}`);
}

/** What is known about the table, then the table. @param {NumberTable} table @param {ReturnType<typeof about>} known */
export function csvOf({ columns, rows }, known) {
  const lines = [columns, ...rows].map((cells) => cells.map((cell) => (cell === null ? "" : csvField(String(cell)))).join(","));
  return `${[...headerLines(known), ...lines].join("\n")}\n`;
}

/** @param {NumberTable} table @param {ReturnType<typeof about>} known */
export function jsonOf({ columns, rows }, known) {
  const named = rows.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at]])));
  return `${JSON.stringify({ format: FORMAT, ...known, columns, rows: named }, null, 1)}\n`;
}
