// Text on coloured cells can be read.

import assert from "node:assert/strict";
import { test } from "node:test";

import { inkOn } from "../../../frontend/drawing/grid_cells.js";

test("on light colours text is dark, on dark ones light", () => {
  assert.equal(inkOn("rgb(250 250 250)"), "#0b0e14");
  assert.equal(inkOn("rgb(20, 24, 90)"), "#ffffff");
});
