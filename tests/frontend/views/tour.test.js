// What the tour pins where nothing is pinned.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pinnedFirst } from "../../../frontend/views/tour.js";

test("the tour pins a head that the model has", () => {
  for (let n_layers = 1; n_layers < 8; n_layers += 1) {
    for (let n_heads = 1; n_heads < 8; n_heads += 1) {
      const { layer, head } = pinnedFirst({ n_layers, n_heads });
      assert.ok(layer >= 0 && layer < n_layers && head >= 0 && head < n_heads, `${n_layers} x ${n_heads}`);
    }
  }
});
