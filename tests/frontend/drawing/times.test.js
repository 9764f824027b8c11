// Times of rounds: medians, and round ends of their scale.

import assert from "node:assert/strict";
import { test } from "node:test";

import { median, roundUp } from "../../../frontend/drawing/times.js";

test("the median is in the middle", () => {
  assert.deepEqual([median([5, 1, 3]), median([4, 1, 3, 2])], [3, 2.5]);
});

test("a scale ends at a round number that is not below", () => {
  assert.deepEqual([0.7, 1, 1.2, 23, 480].map(roundUp), [1, 1, 2, 25, 500]);
});
