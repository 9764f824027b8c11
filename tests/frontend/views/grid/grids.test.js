// What is said of the grid as a whole, and when the words beside a cell are of use.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isWithin } from "../../../../frontend/views/grid/grid_tip.js";
import { cellWords } from "../../../../frontend/views/grid/grids.js";
import { answer, compared, comparisonOf, ready, start } from "../../small_answer.js";
import { smallAtlas } from "../../small_atlas.js";

test("a line says what a cell is: a map, a value, roles, a difference", () => {
  const store = ready();
  const { actions } = store;
  actions.receiveAtlas({ model: "both", record: smallAtlas(), problem: null });
  answer(store, start(3));
  const words = (color_by) => cellWords({ ...store.state, color_by });
  assert.match(words("map"), /^One small map per head: rows look at columns; stronger colour = more attention\.$/);
  assert.match(words("corpus:entropy"), /number/);
  assert.match(words("role"), /roles/);
  const both = compared(3);
  both.actions.receiveComparison({ asked: "", answer: comparisonOf(3), problem: null });
  assert.match(cellWords({ ...both.state, grid_side: "difference" }), /orange = A gives more, blue = B\.$/);
  assert.match(cellWords({ ...both.state, grid_side: "b" }), /more attention/);
});

test("a cell outside the window has no words beside it", () => {
  assert.ok(isWithin(0, 20, 800) && isWithin(-19, 20, 800) && isWithin(799, 20, 800));
  assert.ok(!isWithin(-20, 20, 800) && !isWithin(800, 20, 800));
});
