// The first rows of a list, all of them after a click, until the list is of something else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { showMore } from "../../../../frontend/views/parts/show_more.js";
import "../../small_dom.js";

const rows = [0, 1, 2, 3];

function shown(first = 2, options = {}) {
  const more = showMore(first, options);
  let written = null;
  return { ...more, show: (list, of) => more.show(list, of, (some) => (written = some)), written: () => written };
}

test("the first rows are shown, and the button says how many there are", () => {
  const list = shown();
  list.show(rows, "a");
  assert.deepEqual(list.written(), [0, 1]);
  assert.deepEqual([list.button.hidden, list.button.textContent], [false, "Show all 4 heads"]);
  list.button.click();
  assert.deepEqual([list.written(), list.button.hidden], [rows, true]);
});

test("a list that is written again stays whole, one of something else begins anew", () => {
  const list = shown();
  list.show(rows, "a");
  list.button.click();
  list.show([5, 6, 7], "a");
  assert.deepEqual([list.written(), list.button.hidden], [[5, 6, 7], true]);
  list.show(rows, "b");
  assert.deepEqual([list.written(), list.button.hidden], [[0, 1], false]);
  list.show(rows, "a");
  assert.deepEqual(list.written(), [0, 1]);
});

test("a short list needs no button", () => {
  const list = shown(4, { label: (n) => `Show ${n}` });
  list.show(rows, "a");
  assert.deepEqual([list.written(), list.button.hidden], [rows, true]);
  list.show([...rows, 4], "a");
  assert.equal(list.button.textContent, "Show 5");
});
