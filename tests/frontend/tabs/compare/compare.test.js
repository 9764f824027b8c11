// The tab Compare as it is drawn: its rows, and what is seen of them while the next comparison is on its way.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../../frontend/compare/comparison.js";
import { createCompare } from "../../../../frontend/tabs/compare/compare.js";
import { answer, compared, comparisonOf, start, tell } from "../../small_answer.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";

const LINK = {
  ...{ query: [2], key: [0], other_query: [2], other_key: [0], query_text: "t2", key_text: "t0" },
  ...{ other_query_text: "t2", other_key_text: "t0", one: 0.677, other: 0.281 },
};
const head = (layer, number) => ({
  ...{ layer, head: number, other_layer: layer, other_head: number, change: 0.5, similarity: 0.5 },
  ...{ share_one: 1, share_other: 1, typical: null, links: [LINK] },
});
const theme = { scale: { table: null, dimmed: {} }, diverging: { css: ["red", "blue"], table: null, dimmed: {} } };

/** The open tab on two sides that were compared, with so many heads. */
function shown(n = 20) {
  const store = compared(3);
  const { root } = newPage("root");
  drawOn(store, createCompare(store, root), theme);
  const told = comparisonOf(3, { heads: Array.from({ length: n }, (_, at) => head(0, at)) });
  tell(store, comparison, told);
  const find = (name) => ofClass(root, name);
  const card = () => [find("compared-card")[0].hidden, find("compared-card")[0].classes.has("stale")];
  return { store, told, find, card };
}

test("the first rows are listed, then all, and those that were there stay", () => {
  const { find } = shown();
  const before = find("compared-row");
  assert.equal(before.length, 12);
  find("more")[0].click();
  const all = find("compared-row");
  assert.equal(all.length, 20);
  before.forEach((row, at) => assert.equal(all[at], row));
  assert.equal(ofClass(all[19], "chip")[0].textContent, "Pin all three");
});

test("the last comparison stays, dimmed, while the next is on its way, and goes where there will be none", () => {
  const { store, find, card } = shown();
  assert.deepEqual(card(), [false, false]);
  store.actions.compareWith({ text: "typed" });
  assert.deepEqual(card(), [false, true]);
  answer(store, start(4), "b");
  tell(store, comparison, comparisonOf(3, { heads: [head(1, 0)] }));
  assert.deepEqual([card(), find("compared-row").length], [[false, false], 1]);
  store.actions.sides.b.fail({ code: "x", message: "", details: null });
  assert.equal(card()[0], true);
  store.actions.sides.b.pend();
  assert.equal(card()[0], true, "what is gone does not come back");
});

test("what was compared before is not the last of a new comparison, also when the tab was closed meanwhile", () => {
  const { store, card } = shown();
  store.actions.compareWith(null);
  store.actions.compareWith({ text: "new words" });
  assert.equal(card()[0], true);
});

test("a row says which links changed most, with both weights", () => {
  const { find } = shown(1);
  const [list] = find("changed-links");
  assert.equal(list.textContent, "t2 → t0 .677 → .281");
  assert.equal(list.childNodes[0].getAttribute("title"), "From t2 to t0: .677 in A, .281 in B");
});

test("a map is pinned and released by its button, all three by theirs", () => {
  const { store, find } = shown(1);
  const pinned = () => [...find("small-map"), ...ofClass(find("compared-row")[0], "chip")].map((button) => button.getAttribute("aria-pressed"));
  find("small-map")[2].click();
  assert.deepEqual(store.state.pins.map(({ kind }) => kind), ["difference"]);
  assert.deepEqual(pinned(), ["false", "false", "true", "false"]);
  const [all] = ofClass(find("compared-row")[0], "chip");
  all.click();
  assert.deepEqual([store.state.pins.length, pinned()], [3, ["true", "true", "true", "true"]]);
  all.click();
  assert.deepEqual(store.state.pins, []);
});
