// What a causal map masks, in maps of single tokens, blocks and words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { firstMasked } from "../../../frontend/maps/masked.js";

const axis = (...groups) => ({ groups });
const masked = (causal, queries, keys) => queries.groups.map((_, row) => firstMasked({ causal, queries, keys }, row));

test("a row sees what its last token sees", () => {
  const tokens = axis([0], [1], [2]);
  assert.deepEqual(masked(true, tokens, tokens), [1, 2, 3]);
  assert.deepEqual(masked(false, tokens, tokens), [3, 3, 3]);
  const blocks = axis([0, 1], [2, 3]);
  assert.deepEqual(masked(true, blocks, blocks), [1, 2]);
  assert.deepEqual(masked(true, axis([1], [3]), axis([0], [2], [3])), [1, 3], "hidden lines change nothing");
});
