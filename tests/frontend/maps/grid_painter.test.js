// The small maps of two sides: how far their differences go.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { differencePainting, differencesTop, largestDifference } from "../../../frontend/maps/grid_painter.js";
import { theme } from "../exported_view.js";
import { compared, comparisonOf, overview, tell } from "../small_answer.js";

/** Both sides with maps of one code everywhere, those of side b with a code per head. */
function painted(code, others) {
  const store = compared(3);
  const { a, b } = store.actions.sides;
  a.receive({ ...overview(0, 3), values: new Uint8Array(3 * 9).fill(code) });
  b.receive({ ...overview(0, 4), values: Uint8Array.from({ length: 3 * 16 }, (_, at) => others[Math.floor(at / 16)]) });
  tell(store, comparison, comparisonOf(3));
  return store.state;
}

const pair = (head) => ({ one: { layer: 0, head }, other: { layer: 0, head } });

test("the largest difference is that of the listed heads alone, rounded up to hundredths", () => {
  const state = painted(255, [255, 128, 0]);
  assert.equal(largestDifference(state, [pair(0), pair(1)]), 0.75); // 1 − (128 / 255)² = 0.748
  assert.equal(largestDifference(state, [pair(1), pair(2)]), 1);
  assert.equal(largestDifference(state, [pair(0)]), 1, "where nothing differs the whole scale is shown");
});

test("without a comparison the scale is the whole one", () => {
  assert.equal(largestDifference(compared(3).state, [pair(0)]), 1);
});

test("sinks are dimmed in differences too, and do not count for their scale", () => {
  const store = compared(3);
  const { a, b } = store.actions.sides;
  // Side a gives 0.25 to the first token and 0.04 to the others, side b nothing.
  a.receive({ ...overview(0, 3), values: Uint8Array.from({ length: 27 }, (_, at) => (at % 3 === 0 ? 128 : 51)) });
  b.receive({ ...overview(0, 4), values: new Uint8Array(3 * 16) });
  tell(store, comparison, comparisonOf(3));
  assert.equal(differencesTop(store.state), 0.04);
  const { dimmed } = differencePainting(store.state, theme);
  assert.deepEqual([[...dimmed.cols], dimmed.table], [[1, 0, 0], theme.diverging.dimmed.table]);
  store.actions.setView({ sinks: "show" });
  assert.equal(differencesTop(store.state), 1);
  assert.equal(differencePainting(store.state, theme).dimmed, null);
  assert.equal(largestDifference(store.state, [pair(0)]), 0.26);
});
