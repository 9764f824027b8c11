// The ranking as a table, alone and beside B.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../../frontend/compare/comparison.js";
import { edges, otherEdges } from "../../../../frontend/maps/edges.js";
import { createRankingTable } from "../../../../frontend/tabs/pinned/ranking_table.js";
import { compared, comparisonOf, tell } from "../../small_answer.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";

const edge = (layer, head, weight) => ({ stack: "encoder", layer, head, weight, by_position: null, by_others: null, weighted: null });
const ranking = (...heads) => ({ queries: [2], keys: [0], uniform: 0.1, elsewhere: 3, others: 0, heads });

function shown(changes) {
  const store = compared(3);
  newPage("root");
  const { root, views } = createRankingTable(store, (state) => edges.of(state)?.answer ?? null);
  drawOn(store, views);
  for (const token of [2, 0]) store.actions.chooseToken("a", token);
  tell(store, edges, ranking(edge(0, 0, 0.6), edge(0, 1, 0.2)));
  tell(store, comparison, comparisonOf(3, changes));
  const [table] = ofClass(root, "ranking");
  const texts = (at) => table.childNodes[at].childNodes.map((row) => row.childNodes.map((cell) => cell.textContent.trim()));
  return { store, root, titles: () => texts(0)[0], rows: () => texts(1) };
}

test("until B is answered the ranking is that of A, then it has B and A − B", () => {
  const { store, root, titles, rows } = shown();
  assert.deepEqual(titles(), ["Head", "Weight 0 to 1", "Weighted", "Pin"]);
  tell(store, otherEdges, ranking(edge(0, 0, 0.25), edge(0, 1, 0.3)));
  assert.deepEqual(titles(), ["Head", "A 0 to 1", "B", "A − B", "Weighted", "Pin"]);
  assert.deepEqual(rows().map((row) => row.slice(2, 5)), [["0.600", "0.250", "+0.350"], ["0.200", "0.300", "−0.100"]]);
  assert.match(ofClass(root, "ranking-of-b")[0].textContent, /same head/);
  store.actions.compareWith(null);
  assert.equal(titles().length, 4);
});

test("while only value-weighted maps are shown, heads are ranked and drawn by these weights, with the raw ones beside", () => {
  const { store, root, titles, rows } = shown();
  const weighted = ([one, other]) => ranking({ ...edge(0, 0, 0.6), by_position: 0.5, by_others: null, weighted: one }, { ...edge(0, 1, 0.2), weighted: other });
  tell(store, edges, weighted([0.125, 0.4]));
  store.actions.compareWith(null);
  const names = () => rows().map(([name, , ...numbers]) => [name, ...numbers.slice(0, 2)]);
  assert.deepEqual(names(), [["L0 H0", "0.600", "0.125"], ["L0 H1", "0.200", "0.400"]]);
  store.actions.setView({ values: "weighted" });
  assert.deepEqual(titles(), ["Head", "Weighted 0 to 0.5", "Raw", "Pin"]);
  assert.deepEqual(names(), [["L0 H1", "0.400", "0.200"], ["L0 H0", "0.125", "0.600"]]);
  assert.deepEqual(ofClass(root, "edge-tick"), [], "what position alone gives is known of raw maps");
  tell(store, edges, weighted([null, 0.4]));
  assert.deepEqual(names()[1], ["L0 H0", "–", "0.600"]);
});

test("of two models B names the head that the number is of, and a head without a match has none", () => {
  const heads = [{ layer: 0, head: 0, other_layer: 1, other_head: 2, links: [] }];
  const { store, rows } = shown({ heads, same_model: false });
  tell(store, otherEdges, ranking(edge(1, 2, 0.25)));
  assert.deepEqual(rows().map((row) => row.slice(3, 5)), [["0.250L1 H2", "+0.350"], ["–", "–"]]);
});

test("a row points at its head, and its button pins it", () => {
  const { store, root } = shown();
  const [first] = ofClass(root, "ranking")[0].childNodes[1].childNodes;
  first.listeners.pointerenter[0]();
  assert.deepEqual(store.state.cursor, { side: "a", stack: 0, layer: 0, head: 0 });
  first.listeners.pointerleave[0]();
  assert.equal(store.state.cursor, null);
  ofClass(first, "chip")[0].click();
  assert.deepEqual(store.state.pins.map(({ layer, head }) => [layer, head]), [[0, 0]]);
});

test("its numbers can be saved as CSV and as JSON", () => {
  const { root } = shown();
  const labels = ofClass(ofClass(root, "download-numbers")[0], "chip").map((button) => button.getAttribute("aria-label"));
  assert.deepEqual(labels, ["Save the ranking as CSV, all rows", "Save the ranking as JSON, all rows"]);
});
