// A training run as files: its record as JSON, and every score at every checkpoint as CSV, a line each.

import { fileName } from "./caption.js";
import { csvField } from "./map_files.js";

/** @typedef {import("./formats.js").ExportFile} ExportFile */
/** @typedef {(string | number | null)[]} Row */

const COLUMNS = ["step", "what", "layer", "head", "value", "low", "high", "n", "baseline"];

/** @param {RunRecord} record @param {string} ending */
const named = (record, ending) => fileName({ model: record.id, text: null }, ending);

/** @param {RunRecord} record @returns {ExportFile} */
export function recordFile(record) {
  return { name: named(record, ".json"), content: new Blob([`${JSON.stringify(record, null, 1)}\n`], { type: "application/json" }) };
}

/** @param {RunRecord} record @returns {ExportFile} */
export function pointsFile(record) {
  return { name: named(record, "-points.csv"), content: new Blob([pointsCsv(record)], { type: "text/csv" }) };
}

/** @param {RunRecord} record a video of it @param {Blob} content @returns {ExportFile} */
export function filmFile(record, content) {
  return { name: named(record, ".webm"), content };
}

/** @param {Pick<RunRecord, "points">} record */
export function pointsCsv({ points }) {
  const lines = [COLUMNS, ...points.flatMap(rowsOf)].map((row) => row.map((cell) => (cell === null ? "" : csvField(String(cell)))).join(","));
  return `${lines.join("\n")}\n`;
}

/** @param {import("../training/record.js").Point} point @returns {Row[]} */
function rowsOf({ step, loss, accuracy, metrics, relations }) {
  /** @type {(what: string, value: number | null, more?: Row) => Row} */
  const ofModel = (what, value, more = [null, null, null, null]) => [step, what, null, null, value, ...more];
  const ofHeads = (/** @type {(number | null)[][]} */ rows, /** @type {(layer: number, head: number) => Row} */ make) => rows.flatMap((row, layer) => row.map((_, head) => make(layer, head)));
  return [
    ofModel("loss", loss),
    ofModel("accuracy", accuracy),
    ...Object.entries(metrics).flatMap(([name, { value, low, high, n, baseline }]) =>
      ofHeads(value, (layer, head) => [step, name, layer, head, value[layer][head], low[layer][head], high[layer][head], n, baseline]),
    ),
    ...Object.entries(relations).flatMap(([name, relation]) => [
      ofModel(`${name}: model`, relation.accuracy, [relation.low, relation.high, relation.n, null]),
      ...(relation.hard_accuracy === null ? [] : [ofModel(`${name}: model, hard cases`, relation.hard_accuracy, [null, null, relation.n_hard, null])]),
      ...ofHeads(relation.heads, (layer, head) => [step, name, layer, head, relation.heads[layer][head], null, null, relation.n, relation.rule_accuracy]),
    ]),
  ];
}
