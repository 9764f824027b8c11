// Cells of a matrix: how numbers are written in them, and which one is at a point.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MARGIN, cellAt, cellText, pictureSize } from "../../../frontend/drawing/matrix_cells.js";

test("numbers in cells are short", () => {
  assert.deepEqual([0.644, 1, 0.004, 0].map((value) => cellText(value, "weights")), [".64", "1.00", "0", "0"]);
  assert.deepEqual([-12.34, 9.96, 0.44, -0.02, -Infinity, NaN].map((value) => cellText(value, "signed")), ["−12", "10", ".4", "0", "−∞", "–"]);
  assert.deepEqual([0, 1].map((value) => cellText(value, "mask")), ["0", "1"]);
});

test("a point is in the cell that is drawn there, also where several columns share a pixel", () => {
  const matrix = { rows: 3, columns: 100 };
  const place = { width: 50, height: 30, row: 10, column: 0.5, labels: 20, columnLabels: 0 };
  assert.deepEqual(cellAt(matrix, place, MARGIN + 20 + 49.9, MARGIN + 29), [2, 99]);
  assert.deepEqual(cellAt(matrix, place, MARGIN + 20, MARGIN), [0, 0]);
  assert.equal(cellAt(matrix, place, MARGIN + 19, MARGIN + 5), null, "names are no cells");
  assert.deepEqual(pictureSize(place), [70 + 2 * MARGIN, 30 + 2 * MARGIN]);
});
