// A number as a bar: as long as its part, with a tick only where there is something to hold it against.

import assert from "node:assert/strict";
import { test } from "node:test";

import "../../small_dom.js";
import { bar } from "../../../../frontend/views/parts/bar.js";

test("a bar is as long as its part, a tick stands at its own, zero included", () => {
  const [fill, ...rest] = bar(0.25).childNodes;
  assert.deepEqual([fill.style.width, rest], ["25%", []]);
  const [, tick] = bar(0.5, 0).childNodes;
  assert.equal(tick.style.left, "0%");
});
