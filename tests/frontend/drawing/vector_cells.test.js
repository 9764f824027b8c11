// Cells as shapes: painted back they are the sheet, and few shapes are enough.

import assert from "node:assert/strict";
import { test } from "node:test";

import { packed } from "../../../frontend/maps/color.js";
import { paintVectorCells } from "../../../frontend/drawing/vector_cells.js";
import { generator } from "../random.js";
import { drawingOf, drawn, randomSheet, sheetOf, surface } from "../small_sheet.js";

const CELL = 4;

/** The colour of each cell, read from the shapes in the order they were drawn. */
function readBack(elements, rows, cols) {
  const colours = new Array(rows * cols).fill(null);
  for (const { attributes } of elements) {
    for (const [, x, y, width, height] of attributes.d.matchAll(/M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h/g)) {
      for (let row = y / CELL; row < (Number(y) + Number(height)) / CELL; row += 1) {
        for (let col = x / CELL; col < (Number(x) + Number(width)) / CELL; col += 1) colours[row * cols + col] = attributes.fill;
      }
    }
  }
  return colours;
}

function cellsOf(drawing, rows, cols) {
  const context = surface();
  paintVectorCells(context, drawing, { left: 0, top: 0, cell: CELL, rows, cols, width: 0, height: 0 });
  return drawn(context);
}

const hexOf = (css) => `#${css.match(/\d+/g).map((channel) => Number(channel).toString(16).padStart(2, "0")).join("")}`;

test("every cell has its colour, and what a filter hides the filter's", () => {
  const random = generator(6);
  for (let round = 0; round < 30; round += 1) {
    const [rows, cols] = [1 + random.below(14), 1 + random.below(14)];
    const sheet = randomSheet(rows, cols, { seed: round, signed: round % 2 === 1 });
    if (round % 3 === 0) sheet.codes.forEach((_, at) => random.next() < 0.7 && (sheet.codes[at] = 7));
    const flags = (n) => Uint8Array.from({ length: n }, () => random.below(2));
    const visible = round % 4 === 0 ? { rows: flags(rows), cols: flags(cols), outside: packed([1, 2, 3]) } : null;
    const drawing = drawingOf(sheet, { visible });
    const expected = Array.from(sheet.codes, (code, at) => {
      const isShown = visible === null || (visible.rows[Math.floor(at / cols)] && visible.cols[at % cols]);
      return isShown ? hexOf(drawing.css[code]) : "#010203";
    });
    assert.deepEqual(readBack(cellsOf(drawing, rows, cols), rows, cols), expected);
  }
});

test("a causal map of 200 tokens is one shape a colour, and neighbours of one colour are one rectangle", () => {
  const n = 200;
  const names = Array.from({ length: n }, (_, at) => `t${at}`);
  const weights = Float32Array.from({ length: n * n }, (_, at) => (at % n <= at / n ? 1 / (1 + Math.floor(at / n)) : 0));
  const elements = cellsOf(drawingOf(sheetOf(names, names, weights)), n, n);
  assert.ok(elements.length <= 256);
  const rectangles = elements.reduce((sum, { attributes }) => sum + attributes.d.split("M").length - 1, 0);
  assert.equal(rectangles, n + 1, "the ground, and one for each row");
});

test("an empty sheet has nothing to draw but its ground", () => {
  assert.equal(cellsOf(drawingOf(sheetOf([], [], [])), 0, 0).length, 1);
});
