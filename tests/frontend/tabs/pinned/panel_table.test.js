// A sheet as a table: the strongest first, never all rows times columns, nothing left out in silence.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MOST_LINES, tableOf } from "../../../../frontend/tabs/pinned/panel_table.js";
import { overlayOf, randomSheet, sheetOf } from "../../small_sheet.js";

const shown = (sheet, focus = null, visible = null) => ({ sheet, focus, visible });

test("with nothing chosen there is one line per query with its three strongest keys", () => {
  const sheet = randomSheet(12, 9);
  for (const focus of [null, { rows: [], cols: [] }]) {
    const { lines, headings, note } = tableOf(shown(sheet, focus));
    assert.equal(headings.length, 4);
    assert.match(note, /^Choose a token/);
    assert.deepEqual(lines.map(({ row }) => row), [...Array(12).keys()]);
    for (const { row, entries } of lines) {
      const weights = Array.from(sheet.weights.subarray(row * 9, row * 9 + 9)).sort((one, other) => other - one);
      assert.deepEqual(entries.map(({ weight }) => weight), weights.slice(0, 3));
      for (const { col, weight } of entries) assert.equal(sheet.weights[row * 9 + col], weight);
    }
  }
});

test("chosen queries have all their links, chosen keys alone all of theirs, strongest first", () => {
  const sheet = randomSheet(5, 7, { signed: true });
  const byQuery = tableOf(shown(sheet, { rows: [1, 3], cols: [] }));
  assert.equal(byQuery.about, "all links from q1, q3");
  assert.equal(byQuery.lines.length, 14);
  const sizes = byQuery.lines.map(({ entries }) => Math.abs(entries[0].weight));
  assert.deepEqual(sizes, [...sizes].sort((one, other) => other - one), "what is below zero counts by its size");
  const byKey = tableOf(shown(sheet, { rows: [], cols: [2] }));
  assert.equal(byKey.about, "all links to k2");
  assert.deepEqual(byKey.lines.map(({ row }) => row).sort(), [0, 1, 2, 3, 4]);
});

test("a chosen pair is marked among all the links of its query", () => {
  const { lines } = tableOf(shown(randomSheet(5, 7), { rows: [4], cols: [6] }));
  assert.equal(lines.length, 7);
  assert.deepEqual(lines.filter(({ chosen }) => chosen).map(({ row, col }) => [row, col]), [[4, 6]]);
});

test("what has no weight is no link, and the note counts it", () => {
  const sheet = sheetOf(["p", "q"], ["p", "q"], [1, 0, 0.5, 0.5]);
  const { lines, note } = tableOf(shown(sheet, { rows: [0], cols: [] }));
  assert.equal(lines.length, 1);
  assert.equal(note, "1 without any weight are left out.");
  assert.equal(tableOf(shown(sheet)).lines[0].entries.length, 1);
});

test("no table is longer than its limit, and the note says what it left out", () => {
  const sheet = randomSheet(700, 3);
  const queries = tableOf(shown(sheet));
  assert.equal(queries.lines.length, MOST_LINES);
  assert.match(queries.note, /^The first 512 of 700 queries\./);
  const links = tableOf(shown(sheet, { rows: [], cols: [0, 1, 2] }));
  assert.equal(links.lines.length, MOST_LINES);
  assert.match(links.note, /^The strongest 512 of 2100 links\./);
});

test("nothing that a filter hides is in the table", () => {
  const visible = { rows: Uint8Array.from([1, 0, 1]), cols: Uint8Array.from([0, 1, 1]), outside: 0 };
  const sheet = randomSheet(3, 3);
  const { lines } = tableOf(shown(sheet, null, visible));
  assert.deepEqual(lines.map(({ row }) => row), [0, 2]);
  assert.ok(lines.every(({ entries }) => entries.every(({ col }) => col > 0)));
  assert.equal(tableOf(shown(sheet, { rows: [1], cols: [] }, visible)).about, "all links from what is hidden");
});

test("overlaid heads have a column that names them, by query or by strength", () => {
  const sheet = overlayOf(randomSheet(3, 4), randomSheet(3, 4, { seed: 2 }));
  const all = tableOf(shown(sheet));
  assert.deepEqual(all.headings.slice(0, 2), ["Query", "Head"]);
  assert.deepEqual(all.lines.map(({ row, head }) => `${row} ${head}`), [0, 1, 2].flatMap((row) => [`${row} L0 H0`, `${row} L1 H0`]));
  const { lines } = tableOf(shown(sheet, { rows: [1], cols: [] }));
  assert.equal(lines.length, 8);
  const weights = lines.map(({ entries }) => entries[0].weight);
  assert.deepEqual(weights, [...weights].sort((one, other) => other - one));
});
