// Cells of heads hold words while most of them fit, else weights.

import assert from "node:assert/strict";
import { test } from "node:test";

import { holdWords } from "../../../../frontend/tabs/generate/step_heads.js";

test("words are written while three of four fit whole", () => {
  assert.ok(holdWords([10, 20, 30, 99], 30));
  assert.ok(!holdWords([10, 20, 31, 99], 30));
  assert.ok(holdWords([], 30), "nothing is cut where nothing is written");
});
