// Maps as numbers: what is written is what is shown, every digit of it, and says what was done to it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arraysOf, csvOf, jsonOf, shownPart } from "../../../frontend/export/map_files.js";
import { exportedContent, exportedMaps, exportedStore } from "../exported_view.js";

/** The lines of a table, its quotes taken off. */
function linesOf(csv) {
  const rows = csv.trimEnd().split("\n").map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare));
  const [columns, ...lines] = rows;
  return lines.map((line) => Object.fromEntries(columns.map((column, at) => [column, line[at]])));
}

test("the table has one line a weight, from which the very same float comes back", () => {
  const store = exportedStore("1.2h,0.0h", { look: { values: "both", sinks: "show" } });
  const { maps } = exportedMaps(store);
  const lines = linesOf(csvOf(maps));
  assert.equal(lines.length, 4 * 16);
  assert.deepEqual(Object.keys(lines[0]), ["panel", "values", "query", "key", "query_text", "key_text", "weight", "treatment"]);
  assert.deepEqual(new Set(lines.map(({ panel, values }) => `${panel} ${values}`)), new Set(["L1 H2 raw", "L1 H2 weighted", "L0 H0 raw", "L0 H0 weighted"]));
  const written = Float32Array.from(lines, ({ weight }) => Number(weight));
  assert.deepEqual(written, Float32Array.from(maps.flatMap(({ drawing }) => [...drawing.sheet.weights])));
  assert.deepEqual([lines[6].query, lines[6].key, lines[6].query_text, lines[6].key_text, lines[6].treatment], ["1", "2", "t1", "t2", "none"]);
});

test("files say whether sinks were dimmed, and their weights are the same either way", () => {
  const [dimmed, shown] = ["dim", "show"].map((sinks) => exportedStore("0.0h", { look: { sinks } }));
  const [one, other] = [dimmed, shown].map((store) => linesOf(csvOf(exportedMaps(store).maps)));
  assert.deepEqual([one[0].treatment, other[0].treatment], ["sinks (special and first tokens) dimmed, weights unchanged", "none"]);
  assert.deepEqual(one.map(({ weight }) => weight), other.map(({ weight }) => weight));
  assert.deepEqual([dimmed, shown].map((store) => JSON.parse(jsonOf(exportedContent(store))).treatment.sinks), ["dim", "show"]);
});

test("texts with commas, quotes and line breaks stay in their field", () => {
  const texts = ['a,"b"', ",", '"', "="];
  const store = exportedStore("0.0h");
  store.state.sides.a.analysis.tokens.forEach((token, at) => (token.text = texts[at]));
  const lines = linesOf(csvOf(exportedMaps(store).maps));
  assert.deepEqual(lines.slice(0, 4).map(({ key_text }) => key_text), texts);
});

test("the treatment stands in the table, words carry all their tokens, hidden ones are gone", () => {
  const store = exportedStore("0.0h", { look: { hide: "first", renormalise: true, words: true } });
  const { tokens } = store.state.sides.a.analysis;
  tokens[3].word = tokens[2].word;
  const { maps } = exportedMaps(store);
  const lines = linesOf(csvOf(maps));
  assert.deepEqual([...new Set(lines.map(({ query }) => query))], ["1", "2+3"]);
  assert.equal(lines[0].treatment, "first token hidden, rows renormalised, pieces merged into words");
  const sums = [0, 2].map((from) => Number(lines[from].weight) + Number(lines[from + 1].weight));
  for (const sum of sums) assert.ok(Math.abs(sum - 1) < 1e-6);
});

test("of a filtered map only what is shown is written", () => {
  const message = { segmentOf: (index) => Number(index > 0) };
  const store = exportedStore("0.0h", { message, look: { filter: "ab" } });
  const [{ drawing }] = exportedMaps(store).maps;
  const { queries, keys, weights } = shownPart(drawing);
  assert.deepEqual([queries.groups, keys.groups], [[[0]], [[1], [2], [3]]]);
  assert.deepEqual(weights, drawing.sheet.weights.slice(1, 4));
  assert.match(linesOf(csvOf(exportedMaps(store).maps))[0].treatment, /only links A→B/);
});

test("the JSON document has the view, the tokens, where they come from, and the maps", () => {
  const store = exportedStore("1.2l,diff(0.0;1.1)h");
  const { maps } = exportedMaps(store);
  const told = JSON.parse(jsonOf(exportedContent(store)));
  assert.deepEqual(store.views.read(told.view), store.views.pick(store.state));
  assert.equal(told.made, "2026-01-05T12:00:00.000Z");
  const [side] = told.sides;
  assert.deepEqual([side.side, side.model, side.text, side.revision, side.device, side.dtype], ["a", "both", "first example", "r1", "cpu", "float32"]);
  assert.deepEqual(side.tokens, store.state.sides.a.analysis.tokens);
  assert.deepEqual(told.panels.map(({ title, what, mode, signed }) => [title, what, mode, signed]), [
    ["L1 H2 · raw", "1.2", "lines", false],
    ["L0 H0 − L1 H1 · raw", "diff(0.0;1.1)", "heatmap", true],
  ]);
  told.panels.forEach(({ weights, queries }, at) => {
    assert.deepEqual(Float32Array.from(weights.flat()), maps[at].drawing.sheet.weights);
    assert.deepEqual(queries.labels, ["t0", "t1", "t2", "t3"]);
  });
});

test("what was asked is told beside what was done: a filter without a second sentence is none, pooled maps merge no words", () => {
  const store = exportedStore("0.0h", { look: { filter: "ab", words: true, sinks: "show" } });
  const told = JSON.parse(jsonOf(exportedContent(store)));
  assert.equal(told.treatment.filter, "all");
  assert.deepEqual([told.panels[0].merged, told.panels[0].treatment], [true, ["pieces merged into words"]]);
  const [map] = exportedMaps(store).maps;
  const unmerged = { ...map, treatment: [], drawing: { ...map.drawing, sheet: { ...map.drawing.sheet, merged: false } } };
  const plain = JSON.parse(jsonOf({ ...exportedContent(store), maps: [unmerged] })).panels[0];
  assert.deepEqual([plain.merged, plain.treatment], [false, []]);
  assert.equal(linesOf(csvOf([unmerged]))[0].treatment, "none");
});

test("the arrays have the same maps, and JSON beside them that says what they are", () => {
  const store = exportedStore("1.2h,0.0h");
  const { maps } = exportedMaps(store);
  const arrays = arraysOf(exportedContent(store));
  assert.deepEqual(arrays.map(({ name }) => name), ["map_1", "queries_1", "keys_1", "map_2", "queries_2", "keys_2", "about"]);
  assert.deepEqual(arrays[3].shape, [4, 4]);
  assert.deepEqual(arrays[3].values, maps[1].drawing.sheet.weights);
  const about = JSON.parse(arrays.at(-1).values[0]);
  assert.equal(about.panels[1].title, "L0 H0 · raw");
  assert.equal(about.panels[1].weights, undefined);
});

test("of an overlay each head is written with its own weights", () => {
  const { maps } = exportedMaps(exportedStore("lines(1.2+0.0)l"));
  assert.equal(maps.length, 1);
  const lines = linesOf(csvOf(maps));
  assert.deepEqual([...new Set(lines.map(({ panel }) => panel))], ["L1 H2", "L0 H0"]);
  const written = Float32Array.from(lines, ({ weight }) => Number(weight));
  assert.deepEqual(written, Float32Array.from(maps[0].drawing.sheet.overlaid.flatMap((head) => [...head.sheet.weights])));
});
