// The heatmap of a sheet: every cell can be hit, labels fit, what is chosen is seen, on any surface.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heatmapGeometry, heatmapHit, paintAround, runs } from "../../../frontend/drawing/heatmap.js";
import { generator } from "../random.js";
import { drawingOf, drawn, randomSheet, sheetOf, surface, textsOf } from "../small_sheet.js";

function painted(drawing) {
  const context = surface();
  const geometry = heatmapGeometry(context, drawing);
  paintAround(context, drawing, geometry);
  return { geometry, elements: drawn(context) };
}

test("the middle of every cell finds its row and column, whatever the shape and the width", () => {
  const random = generator(8);
  for (let round = 0; round < 40; round += 1) {
    const [rows, cols] = [1 + random.below(120), 1 + random.below(120)];
    const drawing = drawingOf(randomSheet(rows, cols), { width: 250 + random.below(600) });
    const geometry = heatmapGeometry(surface(), drawing);
    const { left, top, cell, width, height } = geometry;
    const [row, col] = [random.below(rows), random.below(cols)];
    const [x, y] = [left + (col + 0.5) * cell, top + (row + 0.5) * cell];
    assert.deepEqual(heatmapHit(geometry, x, y), { row, col });
    assert.deepEqual(heatmapHit(geometry, x, 3), { row: null, col }, "its label above");
    assert.deepEqual(heatmapHit(geometry, 3, y), { row, col: null }, "its label at the left");
    assert.equal(heatmapHit(geometry, 3, 3), null);
    assert.equal(heatmapHit(geometry, left + cols * cell + 1, y), null);
    assert.ok(left + cols * cell <= width && top + rows * cell <= height, "all cells are on the canvas");
  }
});

test("up to 80 tokens have all their labels in any width, in a font of 7 pixels or more", () => {
  for (const n of [1, 12, 30, 59, 80]) {
    for (const width of [230, 300, 560]) {
      const { geometry, elements } = painted(drawingOf(randomSheet(n, n), { width }));
      const texts = textsOf(elements);
      assert.equal(new Set(texts).size, 2 * n, `${n} tokens in ${width} pixels`);
      assert.ok(geometry.size >= 7 && geometry.cell >= geometry.size + 1, "no label lies on another");
      assert.ok(geometry.width >= geometry.left + n * geometry.cell, "all of them are in the picture");
    }
  }
});

test("labels of queries are cut before a map becomes wider than its place", () => {
  const long = "Donaudampfschifffahrtsgesellschaft";
  const labels = Array.from({ length: 20 }, (_, at) => `${long}${at}`);
  const sheet = sheetOf(labels, labels, Array(400).fill(0.1));
  const squeezed = painted(drawingOf(sheet, { width: 260 }));
  assert.equal(squeezed.geometry.width, 260);
  assert.ok(squeezed.geometry.left < 80);
  assert.equal(textsOf(squeezed.elements).length, 40);
  assert.ok(textsOf(squeezed.elements).every((text) => text.endsWith("…")));
});

test("few columns fit the width there is, more than 80 become wider with cells of 6 pixels", () => {
  for (const n of [1, 10, 20]) {
    assert.equal(heatmapGeometry(surface(), drawingOf(randomSheet(n, n), { width: 300 })).width, 300, `${n} tokens`);
  }
  const { cell, width } = heatmapGeometry(surface(), drawingOf(randomSheet(200, 200), { width: 300 }));
  assert.equal(cell, 6);
  assert.ok(width >= 1200 && width < 1400);
  const roomy = heatmapGeometry(surface(), drawingOf(randomSheet(100, 100), { width: 1300 }));
  assert.deepEqual([roomy.width, roomy.cell], [1300, 12], "where there is room there is nothing to scroll");
  assert.ok(heatmapGeometry(surface(), drawingOf(randomSheet(3, 1024), { width: 300 })).width < 1700);
});

test("a sheet of few columns and many rows keeps readable rows without cells as large as they may be", () => {
  const { cell, height } = heatmapGeometry(surface(), drawingOf(randomSheet(200, 4), { width: 400 }));
  assert.equal(cell, 12);
  assert.ok(height < 2500);
});

test("large cells have all their labels, small ones every n-th, and a chosen label is always written", () => {
  const all = textsOf(painted(drawingOf(randomSheet(20, 20), { width: 400 })).elements);
  assert.equal(all.length, 40);
  const sheet = randomSheet(90, 90);
  const some = textsOf(painted(drawingOf(sheet, { width: 400 })).elements);
  assert.ok(some.length < 100 && some.includes("q0") && !some.includes("q1"));
  const chosen = textsOf(painted(drawingOf(sheet, { width: 400, focus: { rows: [1], cols: [33] } })).elements);
  assert.ok(chosen.includes("q1") && chosen.includes("k33"));
  assert.ok(!chosen.includes("q0"), "it would lie on the chosen one");
});

test("long labels are shortened on screen and have 160 pixels in figures", () => {
  const long = "Donaudampfschifffahrtsgesellschaft";
  const sheet = sheetOf([long], [long], [1]);
  assert.ok(textsOf(painted(drawingOf(sheet)).elements).every((text) => text.length < 18 && text.endsWith("…")));
  const fixed = { pitch: 20, longest: 160 };
  const { geometry, elements } = painted(drawingOf(sheet, { fixed }));
  assert.ok(textsOf(elements).every((text) => text.length === 29 && text.endsWith("…")));
  assert.deepEqual([geometry.cell, geometry.left], [20, 170]);
  assert.ok(geometry.width < 200, "the picture takes only what it needs");
});

test("Hebrew and Arabic run from the right and end where others end", () => {
  const { elements } = painted(drawingOf(sheetOf(["שלום", "##ים", "hi"], ["a"], [1, 1, 1])));
  const [hebrew, piece, english] = elements.filter(({ name }) => name === "text").map(({ attributes }) => attributes);
  assert.deepEqual([hebrew.direction, piece.direction, english.direction], ["rtl", "rtl", undefined]);
  assert.deepEqual([hebrew.x, piece.x], [english.x, english.x]);
  assert.deepEqual([hebrew["text-anchor"], english["text-anchor"]], [undefined, "end"]);
});

test("several chosen rows and columns are outlined together where they touch, and their crossings apart", () => {
  assert.deepEqual(runs([5, 3, 4, 9, 3, 40], 20), [
    [3, 3],
    [9, 1],
  ]);
  const strokes = (focus) =>
    painted(drawingOf(randomSheet(12, 12), { focus })).elements.filter(({ attributes }) => attributes.stroke === "#b8430a");
  assert.equal(strokes({ rows: [], cols: [] }).length, 0);
  assert.equal(strokes({ rows: [2, 3], cols: [] }).length, 1);
  assert.equal(strokes({ rows: [2, 5], cols: [7] }).length, 5, "two rows, a column, two crossings");
});

test("what a causal model masks is left blank, row by row", () => {
  const sheet = randomSheet(4, 4);
  const blanks = (causal) => {
    const drawing = drawingOf({ ...sheet, causal });
    const { geometry: { left, top, cell }, elements } = painted(drawing);
    const blank = elements.filter(({ attributes }) => attributes.fill === "#ffffff");
    const rectangles = blank.flatMap(({ attributes }) => [...attributes.d.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)/g)]);
    return rectangles.map(([, x, y, width]) => [(x - left) / cell, (y - top) / cell, width / cell].map((at) => Math.round(at)));
  };
  assert.deepEqual(blanks(true), [[1, 0, 3], [2, 1, 2], [3, 2, 1]]);
  assert.deepEqual(blanks(false), []);
});

test("labels of what a filter hides are faint", () => {
  const visible = { rows: Uint8Array.from([1, 0]), cols: Uint8Array.from([0, 1]), outside: 0 };
  const { elements } = painted(drawingOf(randomSheet(2, 2), { visible }));
  const opacities = elements.filter(({ name }) => name === "text").map(({ attributes }) => attributes["fill-opacity"]);
  assert.deepEqual(opacities, [undefined, "0.35", "0.35", undefined]);
});

test("a sheet on which all is hidden draws no label and can be hit nowhere", () => {
  const { geometry, elements } = painted(drawingOf(sheetOf([], [], [])));
  assert.deepEqual(textsOf(elements), []);
  assert.equal(heatmapHit(geometry, geometry.left + 1, geometry.top + 1), null);
});
