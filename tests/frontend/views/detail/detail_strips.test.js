// The strips of two vectors: their colours, and which dimension lies under the pointer.

import assert from "node:assert/strict";
import { test } from "node:test";

import { dimensionAt, dimensionInWords, divergingCode } from "../../../../frontend/views/detail/detail_strips.js";

test("colours of the strips are neutral at zero and end where the values end", () => {
  assert.deepEqual([-2, 0, 2, 9].map((value) => divergingCode(value, 2)), [0, 128, 255, 255]);
  assert.equal(divergingCode(0, 0), 128);
});

test("the dimension under the pointer is found, none beside the strips", () => {
  assert.equal(dimensionAt(84, 600, 32), 0);
  assert.equal(dimensionAt(539, 600, 32), 31);
  assert.equal(dimensionAt(83, 600, 32), null);
  assert.equal(dimensionAt(541, 600, 32), null);
  const words = dimensionInWords({ q: [1, 2], k: [3, -1], product: [3, -2] }, 1);
  assert.equal(words, "Dimension 1: 2.0000 × −1.0000 = −2.0000, the sum so far 1.0000.");
});
