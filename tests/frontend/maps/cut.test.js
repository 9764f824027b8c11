// The shown part of a map: means of rows, sums of columns, and what was left out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cut } from "../../../frontend/maps/cut.js";
import { generator } from "../random.js";
import { near, randomWeights, rowSums } from "../random_map.js";

const alone = (n) => Array.from({ length: n }, (_, line) => [line]);

/** Lines dealt out at random: into rows or columns of the sheet, hidden, or outside. */
function dealt(n, random) {
  const hands = [[], [], []];
  for (let line = 0; line < n; line += 1) hands[random.below(3)].push(line);
  const cols = [];
  for (const line of hands[0]) {
    if (cols.length > 0 && random.below(2) === 0) cols.at(-1).push(line);
    else cols.push([line]);
  }
  return { cols, hidden: hands[1], outside: hands[2] };
}

test("what is shown, hidden and outside is together the whole of each row", () => {
  const random = generator(41);
  for (let round = 0; round < 60; round += 1) {
    const [n_rows, n_cols] = [1 + random.below(9), 1 + random.below(9)];
    const weights = randomWeights(n_rows, n_cols, random);
    const plan = { rows: alone(n_rows), ...dealt(n_cols, random) };
    const { weights: shown, dropped, outside } = cut(weights, n_cols, plan, false);
    const sums = plan.cols.length > 0 ? rowSums(shown, plan.cols.length) : [0];
    const mean = sums.reduce((sum, value) => sum + value, 0) / sums.length;
    assert.ok(near(mean + dropped + outside, 1));
  }
});

test("a renormalised row sums to one, and one of which nothing is shown stays nothing", () => {
  const random = generator(42);
  for (let round = 0; round < 30; round += 1) {
    const weights = randomWeights(6, 6, random, true);
    const plan = { rows: alone(6), cols: [[2], [3, 4]], hidden: [0, 1], outside: [5] };
    const { weights: shown } = cut(weights, 6, plan, true);
    rowSums(shown, 2).forEach((sum, row) => assert.ok(near(sum, row < 2 ? 0 : 1), `row ${row}: ${sum}`));
  }
});

test("rows are means and columns are sums", () => {
  const weights = Float32Array.of(0.5, 0.25, 0.25, 0, 1, 0, 0, 0, 1);
  const plan = { rows: [[0, 1], [2]], cols: [[0], [1, 2]], hidden: [], outside: [] };
  assert.deepEqual([...cut(weights, 3, plan, false).weights], [0.25, 0.75, 0, 1]);
});

test("a whole map is not copied, one in another order is", () => {
  const weights = randomWeights(3, 3, generator(43));
  const whole = { rows: alone(3), cols: alone(3), hidden: [], outside: [] };
  assert.equal(cut(weights, 3, whole, false).weights, weights);
  const turned = cut(weights, 3, { ...whole, rows: [[2], [1], [0]] }, false).weights;
  assert.deepEqual([...turned.subarray(0, 3)], [...weights.subarray(6)]);
});
