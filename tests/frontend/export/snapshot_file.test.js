// What is asked of the server for a snapshot: the question, how it is looked at, and the notes on its heads.

import assert from "node:assert/strict";
import { test } from "node:test";

import { noteKey } from "../../../frontend/storage/notes.js";
import { snapshotQuestion, snapshotWords } from "../../../frontend/export/snapshot_file.js";
import { exportedStore } from "../exported_view.js";

test("a snapshot is asked for with the view and the notes of its model", () => {
  const store = exportedStore("1.2l");
  store.actions.recallNotes({ texts: new Map([[noteKey("both", { layer: 1, head: 2 }), "looks back"]]), kept: true });
  const { view, maps, ...asked } = snapshotQuestion(store.state, "pins=1.2l");
  assert.deepEqual(asked, { model: "both", text: "first example", notes: { 1.2: "looks back" } });
  assert.equal(view, "pins=1.2l");
  assert.deepEqual(maps, [{ combine: "head", cells: [{ layer: 1, head: 2 }] }]);
});

test("each map behind a pin is kept once, as many pins as there is room for, and none of side b", () => {
  const limited = (pins, max_snapshot_cells, look) => {
    const { state } = exportedStore(pins, { look });
    return { ...state, config: { ...state.config, limits: { ...state.config.limits, max_snapshot_cells } } };
  };
  const both = limited("1.2h,diff(1.2;0.0)h,rollout(1)h,b:0.0h", 1000, { values: "both" });
  const asked = snapshotQuestion(both, "").maps.map(({ combine, cells, values }) => `${combine} ${cells?.map(({ layer, head }) => `${layer}.${head}`)} ${values}`);
  assert.deepEqual(asked, ["head 1.2 undefined", "head 1.2 weighted", "head 0.0 undefined", "head 0.0 weighted", "rollout undefined undefined"]);
  assert.match(snapshotWords(both), /every head, its weights rounded; 3 pinned maps exactly; your notes\.$/);
  const narrow = limited("1.2h,0.0h,0.1h", 40);
  assert.equal(snapshotQuestion(narrow, "").maps.length, 2);
  assert.match(snapshotWords(narrow), /2 pinned maps exactly; your notes\. There is no room for 1 more/);
});

test("before it is saved a long text says what its file will lack", () => {
  const store = exportedStore("", { n: 6 });
  const pooled = (layers) => new Map([...layers].map(([layer, frame]) => [layer, { ...frame, rows: 3, cols: 3 }]));
  const { a } = store.state.sides;
  const analysis = { ...a.analysis, layers: pooled(a.analysis.layers) };
  const state = { ...store.state, sides: { a: { ...a, analysis }, b: null } };
  assert.match(snapshotWords(state), /one value for 2 × 2 tokens, as the text is long; pin the maps you want in it exactly/);
});
