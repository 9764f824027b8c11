// Tables of numbers as files: what is in them, and what their header says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { numberFile } from "../../../frontend/export/number_files.js";
import { comparisonTable, headsTable, rankingTable } from "../../../frontend/export/number_tables.js";
import { compared, comparisonOf, tokensOf } from "../small_answer.js";

const NOW = new Date("2026-01-02T03:04:05Z");
const TABLE = { id: "things", title: "some things", facts: { from: "“a\nb”", keys: [3, 4], uniform: 0.1 }, columns: ["name", "weight"], rows: [["##s, x", 0.1234567], ["y", null]] };
const LINK = {
  ...{ query: [2], key: [0], other_query: [2], other_key: [0], query_text: "t2", key_text: "t0" },
  ...{ other_query_text: "t2", other_key_text: "t0", one: 0.677, other: 0.281 },
};

async function saved(state, format, table = TABLE) {
  const { name, content } = numberFile(state, table, format, NOW);
  return { name, text: await content.text(), type: content.type };
}

/** Two compared sides whose models have revisions. */
function twoSides() {
  const store = compared(3);
  store.state.sides.a.analysis.revision = "r1";
  return store;
}

test("the name tells the model, the sentence and what it is", async () => {
  const { state } = twoSides();
  assert.deepEqual((await saved(state, "csv")).name, "headscope-both-first-example-things.csv");
  assert.deepEqual((await saved(state, "json")).name, "headscope-both-first-example-things.json");
});

test("a table begins with what it is of, each line after a #, and quotes what programs would misread", async () => {
  const store = twoSides();
  store.actions.setView({ values: "weighted", hide: "special" });
  const { text, type } = await saved(store.state, "csv");
  const lines = text.split("\n");
  assert.equal(type, "text/csv");
  assert.deepEqual(lines.slice(-4), ["name,weight", '"##s, x",0.1234567', "y,", ""]);
  const header = lines.slice(0, -4);
  assert.ok(header.every((line) => line.startsWith("# ")));
  for (const line of [
    ...["# table: some things", "# values: value-weighted", "# made: 2026-01-02T03:04:05.000Z", "# from: “a b”"],
    ...["# hidden: special tokens hidden in the maps on the page; these numbers count all tokens"],
    ...["# A model: both", "# A text: first example", "# A revision: r1", "# B model: both", "# B text: other words"],
  ]) {
    assert.ok(header.includes(line), line);
  }
});

test("a document has the same as metadata and its rows by name", async () => {
  const told = JSON.parse((await saved(twoSides().state, "json")).text);
  assert.deepEqual(told.rows, [{ name: "##s, x", weight: 0.1234567 }, { name: "y", weight: null }]);
  assert.deepEqual([told.values, told.table, told.from], ["raw", "some things", "“a\nb”"]);
  assert.match(told.hidden, /^nothing hidden/);
  assert.deepEqual(told.sides.map(({ side, model, text, revision }) => [side, model, text, revision]), [
    ["A", "both", "first example", "r1"],
    ["B", "both", "other words", null],
  ]);
});

test("a ranking has B's weight and the difference where B is ranked too", () => {
  const edge = (head, weight) => ({ stack: "encoder", layer: 1, head, weight, by_position: null, by_others: 0.2, weighted: 0.3 });
  const edges = { queries: [2], keys: [0], uniform: 0.1, elsewhere: 3, others: 1, heads: [] };
  const ranked = [{ edge: edge(0, 0.75), other: edge(2, 0.5) }, { edge: edge(1, 0.25), other: null }];
  const plain = rankingTable(tokensOf(3), edges, ranked, false, false);
  assert.deepEqual(plain.rows, [[1, "encoder", 1, 0, 0.75, null, 0.2, 0.3], [2, "encoder", 1, 1, 0.25, null, 0.2, 0.3]]);
  assert.deepEqual(plain.facts, { from: "“t2”", to: "“t0”", queries: [2], keys: [0], uniform: 0.1, by_position_pairs: 3, by_others_tokens: 1 });
  const both = rankingTable(tokensOf(3), edges, ranked, true, true);
  assert.deepEqual(both.columns.slice(8), ["b_layer", "b_head", "b_weight", "b_value_weighted", "a_minus_b"]);
  assert.deepEqual(both.rows.map((row) => row.slice(8)), [[1, 2, 0.5, 0.3, 0.25], [null, null, null, null, null]]);
});

test("the table of heads has roles by name and classes in words, and says what was measured on a corpus", () => {
  const quantity = (more) => ({ label: "x", meaning: "Means x.", where: "on this sentence", unit: "", low: 0, high: 1, classes: null, ...more });
  const columns = [{ name: "x", quantity: quantity({}) }];
  const rows = [{ layer: 0, head: 1, roles: [{ role: { label: "one" } }, { role: { label: "two" } }], values: [0.123456] }];
  const table = headsTable(columns, rows, "sentence");
  assert.deepEqual([table.columns, table.rows], [["layer", "head", "roles", "x"], [[0, 1, "one; two", 0.123456]]]);
  assert.deepEqual([table.facts, table.values], [{ x: "Means x. (on this sentence)" }, undefined]);
  assert.match(headsTable(columns, rows, "corpus").values, /corpus/);
});

test("a comparison has all its numbers and three links a head, empty where there are fewer", () => {
  const head = { layer: 3, head: 1, other_layer: 4, other_head: 2, change: 0.1, similarity: 0.9, share_one: 1, share_other: 0.5, typical: null };
  const { columns, rows, title } = comparisonTable(comparisonOf(3, { heads: [{ ...head, links: [LINK] }] }));
  assert.equal(columns.length, rows[0].length);
  const told = Object.fromEntries(columns.map((name, at) => [name, rows[0][at]]));
  assert.deepEqual([told.rank, told.layer, told.other_head, told.change, told.share_other], [1, 3, 2, 0.1, 0.5]);
  assert.deepEqual([told.link_1_from, told.link_1_to, told.link_1_a, told.link_1_b, told.link_2_from], ["t2", "t0", 0.677, 0.281, null]);
  assert.match(title, /most changed first/);
});
