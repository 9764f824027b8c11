// What is pinned as it is drawn: every map that is on screen, and a reason for every one that is not.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sheetOf } from "../../../frontend/maps/sources.js";
import { exportedMaps, exportedStore } from "../exported_view.js";

test("each pinned map comes once for each of the values that are shown, in the order of the panels", () => {
  const store = exportedStore("1.2h,mean(0.*)l,rollout(1)t", { look: { values: "both" } });
  const { maps, missing } = exportedMaps(store);
  assert.deepEqual(maps.map(({ title }) => title), [
    "L1 H2 · raw",
    "L1 H2 · value-weighted",
    "Mean of L0 · raw",
    "Mean of L0 · value-weighted",
    "Rollout to L1 · raw",
  ]);
  assert.deepEqual(missing, []);
  for (const { pin, values, drawing } of maps) assert.equal(drawing.sheet, sheetOf(store.state, pin, values), "the very sheet of the panel");
});

test("focus, lock, layout and filter are those of the page", () => {
  const message = { segmentOf: (index) => Number(index > 1) };
  const store = exportedStore("0.0h", { message, look: { filter: "ab", layout: "horizontal" } });
  store.actions.toggleLock({ side: "a", queries: [1], keys: [2, 3] });
  const [{ drawing }] = exportedMaps(store).maps;
  assert.deepEqual(drawing.focus, { rows: [1], cols: [2, 3] });
  assert.equal(drawing.locked, true);
  assert.equal(drawing.layout, "horizontal");
  assert.deepEqual([...drawing.visible.rows], [1, 1, 0, 0]);
  assert.deepEqual([...drawing.visible.cols], [0, 0, 1, 1]);
});

test("a difference is drawn in the colours of differences", () => {
  const [{ drawing }] = exportedMaps(exportedStore("diff(0.0;1.1)h")).maps;
  assert.ok(drawing.sheet.signed);
  assert.equal(drawing.css.length, 256);
  assert.notEqual(drawing.css, exportedMaps(exportedStore("0.0h")).maps[0].drawing.css);
});

test("a map that is not drawn says why", () => {
  const { maps, missing } = exportedMaps(exportedStore("0.0h,mean()h", { isExact: false }));
  assert.deepEqual(maps.map(({ title }) => title), ["L0 H0 · raw"], "of one head there is the overview");
  assert.deepEqual(missing, [{ title: "Mean of all heads · raw", reason: "Waiting for its values…" }]);
  const hidden = exportedMaps(exportedStore("0.0h", { n: 1, look: { hide: "first" } }));
  assert.match(hidden.missing[0].reason, /every token is hidden/);
});
