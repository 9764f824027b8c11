// Pixels of a map: enlarged cell by cell, shrunk by the strongest weight.

import assert from "node:assert/strict";
import { test } from "node:test";

import { paintMap } from "../../../frontend/maps/maps.js";
import { cellAt, cellBox, gridGeometry } from "../../../frontend/drawing/grid_geometry.js";
import { generator } from "../random.js";

const table = Uint32Array.from({ length: 256 }, (_, code) => code);

function painted(codes, rows, cols, width, height, visible = null, isSigned = false) {
  const data = new Uint8ClampedArray(4 * width * height);
  paintMap({ data, width, height }, { codes: Uint8Array.from(codes), rows, cols }, { table, visible, signed: isSigned });
  return [...new Uint32Array(data.buffer)];
}

test("an enlarged map repeats its cells", () => {
  assert.deepEqual(painted([1, 2, 3, 4], 2, 2, 4, 4), [1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
});

test("whatever the sizes, the strongest weight of a shrunk map stays visible", () => {
  const random = generator(11);
  for (let round = 0; round < 100; round += 1) {
    const size = 1 + random.below(40);
    const n = size + random.below(60);
    const codes = new Uint8Array(n * n);
    codes[random.below(n * n)] = 200;
    assert.equal(Math.max(...painted(codes, n, n, size, size)), 200, `${n} cells on ${size} pixels`);
  }
});

test("of differences the farthest from nothing stays visible, more or less alike", () => {
  assert.deepEqual(painted([127, 128, 128, 30], 2, 2, 1, 1, null, true), [30]);
  assert.deepEqual(painted([127, 255, 128, 30], 2, 2, 1, 1, null, true), [255]);
  assert.deepEqual(painted([0, 255, 128, 127], 2, 2, 2, 2, null, true), [0, 255, 128, 127]);
});

test("dimmed columns have their own colours; a pixel that covers others too shows the others", () => {
  const dimmed = { cols: Uint8Array.of(1, 0, 0, 1), table: table.map((code) => 1000 + code) };
  const paintedDim = (codes, width) => {
    const data = new Uint8ClampedArray(4 * width);
    paintMap({ data, width, height: 1 }, { codes: Uint8Array.from(codes), rows: 1, cols: 4 }, { table, visible: null, signed: false, dimmed });
    return [...new Uint32Array(data.buffer)];
  };
  assert.deepEqual(paintedDim([200, 3, 5, 100], 4), [1200, 3, 5, 1100]);
  assert.deepEqual(paintedDim([200, 3, 5, 100], 2), [3, 5]);
  assert.deepEqual(paintedDim([200, 3, 5, 100], 1), [5]);
});

test("what a filter hides gets its own colour", () => {
  const visible = { rows: Uint8Array.from([1, 0]), cols: Uint8Array.from([0, 1]), outside: 999 };
  assert.deepEqual(painted([1, 2, 3, 4], 2, 2, 2, 2, visible), [999, 2, 999, 999]);
});

test("the middle of every cell of the grid finds its own head, whatever the shape", () => {
  for (const [layers, heads] of [
    [6, 12],
    [30, 9],
    [12, 12],
    [24, 16],
    [1, 1],
  ]) {
    for (const width of [366, 700, 1232, 1700]) {
      const geometry = gridGeometry({ layers, heads, width, height: 900, ratio: 1 });
      assert.ok(geometry.width <= width, `${layers} x ${heads} fits ${width}`);
      for (let layer = 0; layer < layers; layer += 1) {
        for (let head = 0; head < heads; head += 1) {
          const { x, y, size } = cellBox(geometry, { layer, head });
          assert.deepEqual(cellAt(geometry, x + size / 2, y + size / 2), { layer, head });
        }
      }
      assert.equal(cellAt(geometry, 2, 2), null);
    }
  }
});
