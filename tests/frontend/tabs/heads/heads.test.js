// The tab Heads as it is drawn: evidence, menus, the chart's standing and the table.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atlas } from "../../../../frontend/heads/atlas.js";
import { chartChoice, tableChoice } from "../../../../frontend/tabs/heads/choices.js";
import { figure } from "../../../../frontend/tabs/heads/chart_choice.js";
import { createHeads } from "../../../../frontend/tabs/heads/heads.js";
import { answer, config, models, newStore, start, tell } from "../../small_answer.js";
import { smallAtlas } from "../../small_atlas.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";

const metric = (name) => ({ name, label: name, unit: "", range: [0, 1], meaning: `${name}.`, kind: "number", called: null });
const catalogue = { metrics: [metric("distance"), metric("entropy")], shapes: [] };
const chart = { data: [], layout: { title: { subtitle: { text: "n = 6" } } } };
const measures = (first) => ({ raw: { distance: [first, 0.2, 0.3], entropy: [0, 0, 0] }, weighted: null, labels: [[], [], []] });

/** The open tab on a text of four tokens, of a model with a record of a corpus. */
function shown() {
  const store = newStore();
  store.actions.describe(models, config, catalogue);
  tell(store, atlas, smallAtlas());
  answer(store, start(4));
  globalThis.ResizeObserver = class {
    observe() {}
  };
  globalThis.window.matchMedia = () => ({ matches: false });
  globalThis.document.head = { append: () => {} }; // the chart's library never comes
  const { root } = newPage("root");
  drawOn(store, createHeads(store, root), { scale: { css: ["red"] } });
  const find = (name) => ofClass(root, name)[0];
  const rows = () => find("heads-table").childNodes[1].childNodes;
  return { store, root, find, rows, names: () => rows().map((row) => row.querySelector("button").textContent) };
}

test("the card counts roles, and offers to measure what is not", () => {
  const { store, find } = shown();
  assert.equal(find("role-count").textContent, "3 of 6 heads have a role, 3 not counting sinks and delimiters.");
  assert.equal(find("measure-open").textContent, "What was measured…");
  store.actions.describe([{ ...models[0], no_atlas: "Build one." }], config, catalogue);
  assert.equal(find("measure-open").textContent, "Measure this model's heads…");
  assert.match(find("role-count").textContent, /^No head has a role/);
});

test("an older chart stays, dimmed, until the next one is here; a problem takes its place", () => {
  const { store, find } = shown();
  const standing = () => [find("chart").hidden, find("chart").classes.has("stale"), find("chart-problem").textContent];
  assert.deepEqual(standing(), [true, true, "Waiting for the chart…"]);
  tell(store, figure, chart);
  assert.deepEqual(standing(), [false, false, ""]);
  store.actions.choose(chartChoice, { ...chartChoice.usual, x: "entropy" });
  assert.deepEqual(standing(), [false, true, ""]);
  tell(store, figure, null, undefined, { code: "bad", message: "No such chart.", details: null });
  assert.deepEqual(standing(), [true, false, "No such chart."]);
  store.actions.choose(chartChoice, chartChoice.usual);
  assert.deepEqual(standing(), [false, false, ""], "what was asked before is still known");
});

test("a similarity that was not measured is said to be so", () => {
  const { store, find } = shown();
  store.actions.choose(chartChoice, { ...chartChoice.usual, kind: "map" });
  assert.match(find("chart-problem").textContent, /^How similar the heads of this model are was not measured/);
});

test("the table is not written while layers come, and its rows are marked anew when it is", () => {
  const { store, rows, names } = shown();
  assert.deepEqual(names(), ["L0 H0", "L0 H1", "L0 H2", "L1 H0", "L1 H1", "L1 H2"]);
  const before = rows();
  store.actions.togglePin({ layer: 0, head: 1 });
  store.actions.pointAt({ layer: 1, head: 0 });
  const marked = (name) => rows().findIndex(({ classes }) => classes.has(name));
  assert.deepEqual([rows() === before, marked("pinned"), marked("pointed")], [true, 1, 3]);
  const run = store.actions.sides.a;
  run.pend();
  run.begin(start(4));
  for (const layer of [0, 1]) run.receiveMeasures({ layer, ...measures(layer) });
  assert.equal(rows(), before, "rows that jump about would be no help");
  run.finish({ total_ms: 1 });
  assert.notEqual(rows(), before);
  assert.equal(marked("pinned"), 1);
  store.actions.choose(tableChoice, { by: "distance", falling: true });
  assert.deepEqual(names().slice(0, 2), ["L1 H0", "L0 H2"]);
  assert.equal(marked("pinned"), 3);
});

test("the cursor of another side or attention marks no row", () => {
  const { store, rows } = shown();
  store.actions.pointAt({ layer: 0, head: 0, stack: 1 });
  assert.ok(rows().every(({ classes }) => !classes.has("pointed")));
});
