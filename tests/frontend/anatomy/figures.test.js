// Figures of a step: values as they are drawn, colours and captions that say what they mean.

import assert from "node:assert/strict";
import { test } from "node:test";

import { figureOf, figuresOfHeads, scaleOf, scaleText, sharedText, shortNumber, turned, valueAt } from "../../../frontend/anatomy/figures.js";
import { layer } from "../small_anatomy.js";

test("a figure drawn with rows and columns exchanged has the same numbers in exchanged places", () => {
  const answer = layer({ k: [3, 2] });
  const [plain, exchanged] = [figureOf(answer, "k"), figureOf(answer, "k", true)];
  assert.deepEqual([exchanged.rows, exchanged.columns, exchanged.rowAxis, exchanged.columnAxis], [2, 3, "head_dimension", "token"]);
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 2; column += 1) {
      assert.equal(valueAt(exchanged, column, row), valueAt(plain, row, column));
      assert.deepEqual(turned(exchanged, column, row), [row, column]);
    }
  }
  assert.equal(figureOf(answer, "q"), null);
});

test("every head has its own map, the chosen one under the name it has in other steps", () => {
  const figures = figuresOfHeads(layer({ patterns: [2, 3, 3] }), "patterns");
  assert.deepEqual(figures.map(({ id }) => id), ["pattern@0", "pattern"]);
  assert.equal(valueAt(figures[1], 1, 2), 9 + 5);
});

test("the parts of a concatenation are its columns, head after head", () => {
  const answer = layer({ z: [3, 2], concat: [3, 4] });
  const figures = figuresOfHeads(answer, "z");
  const concat = figureOf(answer, "concat");
  figures.forEach((one, head) => assert.equal(valueAt(one, 2, 1), valueAt(concat, 2, 2 * head + 1)));
  assert.equal(concat.heads, 2);
});

test("colours end at the largest number, unless a few are far beyond all others", () => {
  assert.deepEqual(scaleOf([1, -4, 2], "signed"), { top: 4, largest: 4 });
  const outlier = [...Array.from({ length: 500 }, () => 1), 80];
  assert.deepEqual(scaleOf(outlier, "signed"), { top: 1, largest: 80 });
  assert.deepEqual(scaleOf([0, 0], "signed").top, 1);
  assert.equal(scaleOf([-Infinity, 3, NaN], "signed").top, 3);
  assert.deepEqual(scaleOf([0.1], "weights"), { top: 1, largest: 1 });
});

test("captions say what colours mean and what shares a pixel", () => {
  assert.equal(scaleText({ look: "signed", scale: { top: 1.3, largest: 8.2 } }), "±1.30, some up to 8.20");
  assert.equal(scaleText({ look: "weights", scale: { top: 1, largest: 1 } }), "0 to 1");
  assert.equal(sharedText({ row: 4, column: 1 }), "");
  assert.equal(sharedText({ row: 0.5, column: 1 / 3 }), "2 rows, 3 columns a pixel");
  assert.deepEqual([0, -0.5, 12.34, -123.4, 0.00012].map(shortNumber), ["0", "−0.50", "12.3", "−123", "0.00012"]);
});
