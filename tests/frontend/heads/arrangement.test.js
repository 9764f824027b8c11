// Where each head is seen: every order is a rearrangement, and going there and back leads to the same head.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cellIn, slotOf, strongestFirst } from "../../../frontend/heads/arrangement.js";
import { cellAt, cellBox, gridGeometry } from "../../../frontend/drawing/grid_geometry.js";
import { generator } from "../random.js";

test("heads stand by falling strength, zeros before those without any, equals as in the model", () => {
  const { places, slots } = strongestFirst([0.5, null, 0, 0.9, 0.5, -1]);
  assert.deepEqual(places, [3, 0, 4, 2, 5, 1]);
  assert.deepEqual(
    slots.map((slot) => places[slot]),
    [0, 1, 2, 3, 4, 5],
  );
});

test("in every order each head has a slot of its own and is found under its own cell", () => {
  const { below, pick } = generator(5);
  for (let round = 0; round < 50; round += 1) {
    const [layers, heads] = [1 + below(32), 1 + below(12)];
    const order = strongestFirst(Array.from({ length: layers * heads }, () => pick([null, below(5), 0.5])));
    const geometry = gridGeometry({ layers, heads, width: 1200, height: 300 + below(600), ratio: 1 }, pick([order, null]));
    const seen = new Set();
    for (let layer = 0; layer < layers; layer += 1) {
      for (let head = 0; head < heads; head += 1) {
        const slot = slotOf(order, { layer, head }, heads);
        assert.ok(slot.row < layers && slot.column < heads);
        seen.add(`${slot.row}.${slot.column}`);
        assert.deepEqual(cellIn(order, slot, heads), { layer, head });
        const { x, y, size } = cellBox(geometry, { layer, head });
        assert.deepEqual(cellAt(geometry, x + size / 2, y + size / 2), { layer, head });
      }
    }
    assert.equal(seen.size, layers * heads);
  }
});

test("many layers stand in blocks side by side, all in sight, unless that makes them too small", () => {
  const inHalf = (layers, heads, height) => gridGeometry({ layers, heads, width: 521, height, ratio: 1 });
  const small = inHalf(30, 9, 460);
  assert.deepEqual([small.blocks, small.rows, small.cell], [2, 15, 21]);
  assert.ok(small.width <= 521 && small.height <= 460);
  const [above, below] = [{ layer: 14, head: 8 }, { layer: 15, head: 0 }].map((cell) => cellBox(small, cell));
  assert.ok(below.x > above.x + above.size && below.y < above.y);
  assert.equal(cellAt(small, below.x - 12, below.y + 2), null, "the names of the second block belong to no head");
  assert.equal(inHalf(12, 12, 460).blocks, 1);
  const large = inHalf(24, 16, 460);
  assert.deepEqual([large.blocks, large.cell], [1, 15]);
  const lower = inHalf(30, 9, 296);
  assert.ok(lower.blocks > 1 && lower.height <= 296, "a notice above the grid leaves all of it in sight");
  const largest = inHalf(48, 16, 460);
  assert.deepEqual([largest.blocks, largest.cell], [1, 26], "this one scrolls");
  assert.equal(inHalf(30, 9, Infinity).blocks, 1);
});
