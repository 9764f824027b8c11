// A head's numbers as a table to save: all of them, not rounded, empty where nothing is known.

import assert from "node:assert/strict";
import { test } from "node:test";

import { headNumbersTable } from "../../../frontend/export/head_numbers.js";
import { smallAtlas } from "../small_atlas.js";

const metric = (name, label) => ({ name, label });
const opportunities = { entropy: { n: 4, baseline: 1, ceiling: 1 }, segment: { n: 0, baseline: null, ceiling: null } };
const raw = { entropy: [0.1, 0.123456789, 0.3], segment: [null, null, null] };
const measures = new Map([[0, { raw, weighted: { entropy: [0, 0.25, 0] }, labels: [[], [], []] }]]);
const stateOf = (values) => ({
  values,
  side: "a",
  analysis: { model: "both", measures, opportunities },
  metrics_catalogue: { metrics: [metric("entropy", "entropy"), metric("segment", "own sentence, of a pair")] },
});
const rowsOf = (values, record) => headNumbersTable(stateOf(values), { layer: 0, head: 1 }, record).rows;

test("each metric has a row with both numbers, what is of the corpus alone comes after", () => {
  const record = smallAtlas();
  record.measures.gap = { ...record.measures.gap, baseline: 0.5, low: [0, 0.4], high: [0, 0.6] };
  const { columns, rows } = headNumbersTable(stateOf("raw"), { layer: 0, head: 1 }, record);
  assert.ok(rows.every((row) => row.length === columns.length));
  assert.deepEqual(rows, [
    ["A", 0, 1, "entropy", "entropy", "raw", 0.123456789, 4, 1, "raw", 0.2, null, null, 50, null],
    ["A", 0, 1, "segment", "own sentence, of a pair", "raw", null, 0, null, null, null, null, null, null, null],
    ["A", 0, 1, "gap", "pronoun to name", null, null, null, null, "raw", 0.52, 0.4, 0.6, 50, 0.5],
  ]);
});

test("value-weighted numbers are marked so, and so is what is raw beside them", () => {
  const record = smallAtlas();
  record.measures.entropy.weighted = [0, 0.75, 0, 0, 0, 0];
  const [entropy, , gap] = rowsOf("weighted", record);
  assert.deepEqual(entropy.slice(5), ["weighted", 0.25, 4, 1, "weighted", 0.75, null, null, 50, null]);
  assert.deepEqual(gap.slice(9, 11), ["raw", 0.52]);
});

test("without a record the columns of the corpus are empty, and the file is named after the head", () => {
  const [entropy] = rowsOf("raw", null);
  assert.deepEqual(entropy.slice(9), [null, null, null, null, null, null]);
  assert.equal(headNumbersTable(stateOf("raw"), { layer: 3, head: 1 }, null).id, "L3-H1-numbers");
});
