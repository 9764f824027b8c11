// How a pinned map is drawn: its focus in the tokens of its side, what the filter shows, and why there is nothing to draw.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { exactMaps, mapQuestion } from "../../../frontend/maps/exact.js";
import { drawingOf, refusal, spotOf, whyUndrawn } from "../../../frontend/maps/map_drawing.js";
import { sheetOf } from "../../../frontend/maps/sources.js";
import { readPin } from "../../../frontend/state/pins.js";
import { exportedStore, theme } from "../exported_view.js";
import { answer, compared, comparisonOf, overview, ready, start, tell } from "../small_answer.js";

const focus = (queries, keys, side = "a") => ({ side, queries, keys });

test("the locked focus is drawn before the hovered one, and none on a map of an older text", () => {
  const store = exportedStore("0.1h");
  const [pin] = store.state.pins;
  const drawing = () => drawingOf(store.state, pin, sheetOf(store.state, pin, "raw"), 300, theme);
  assert.deepEqual([drawing().focus, drawing().locked, drawing().width], [null, false, 300]);
  store.actions.hover(focus([1], []));
  assert.deepEqual([drawing().focus, drawing().locked], [{ rows: [1], cols: [] }, false]);
  store.actions.toggleLock(focus([2], [3]));
  assert.deepEqual([drawing().focus, drawing().locked], [{ rows: [2], cols: [3] }, true]);
  store.actions.editText("typed on");
  assert.equal(drawing().focus, null);
});

test("a focus on one side is drawn on the maps of the other where something stands opposite", () => {
  const store = compared(3);
  tell(store, comparison, comparisonOf(3));
  for (const [side, n] of [["a", 3], ["b", 4]]) store.actions.sides[side].receive(overview(0, n));
  const spot = (word) => spotOf(store.state, readPin(word), sheetOf(store.state, readPin(word), "raw"));
  store.actions.hover(focus([1], [2]));
  assert.deepEqual(spot("b:0.1h"), { rows: [1], cols: [2] });
  store.actions.hover(focus([3], [], "b"));
  assert.deepEqual(spot("b:0.1h"), { rows: [3], cols: [] });
  assert.equal(spot("0.1h"), null);
});

test("a filter leaves the rows and columns of its sentences, the same object while nothing changes", () => {
  const store = exportedStore("0.1h", { message: start(4, { segmentOf: (at) => Number(at > 1) }) });
  const [pin] = store.state.pins;
  const visible = () => drawingOf(store.state, pin, sheetOf(store.state, pin, "raw"), 300, theme).visible;
  assert.equal(visible(), null);
  store.actions.setView({ filter: "ab" });
  const before = visible();
  assert.deepEqual([[...before.rows], [...before.cols], before.outside], [[1, 1, 0, 0], [0, 0, 1, 1], theme.outside]);
  store.actions.hover(focus([1], []));
  assert.equal(visible(), before);
  store.actions.setView({ scale: "log" });
  assert.notEqual(visible(), before, "another sheet");
});

test("it is said why nothing is drawn: it waits, it failed, nothing is left, no cells in common", () => {
  const store = ready();
  const pin = readPin("0.1h");
  const why = (what = pin) => whyUndrawn(store.state, what, sheetOf(store.state, what, "raw"));
  assert.equal(why(), "Waiting for its values…");
  answer(store, start(3));
  store.actions.sides.a.receive(overview(0, 3));
  assert.equal(why(), "");
  store.actions.setView({ hide: "both" });
  const message = start(1);
  answer(store, message);
  store.actions.sides.a.receive(overview(0, 1));
  assert.match(why(), /^Nothing is left to show/);
  store.actions.sides.a.fail({ code: "internal", message: "", details: null });
  assert.equal(why(readPin("mean()h")), "Nothing to show for this text.");
});

test("a refusal is told with the server's reason, for each part of a pair", () => {
  const store = exportedStore("0.1h,diff(0.1;0.2)h", { isExact: false });
  const [one, pair] = store.state.pins;
  assert.equal(refusal(store.state, one, "raw"), null);
  const { analysis } = store.state.sides.a;
  tell(store, exactMaps, null, mapQuestion(analysis, pair.other, "raw"), { code: "x", message: "Too long.", details: null });
  assert.equal(refusal(store.state, one, "raw"), null);
  assert.equal(refusal(store.state, pair, "raw"), "No exact values: Too long.");
  assert.equal(refusal(store.state, pair, "weighted"), null);
});
