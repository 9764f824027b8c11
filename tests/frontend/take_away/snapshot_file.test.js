// What is asked of the server for a snapshot: the question, how it is looked at, and the notes on its heads.

import assert from "node:assert/strict";
import { test } from "node:test";

import { noteKey } from "../../../frontend/state/notes.js";
import { readLink } from "../../../frontend/state/permalink.js";
import { viewOf } from "../../../frontend/state/view.js";
import { snapshotQuestion } from "../../../frontend/take_away/snapshot_file.js";
import { takenStore } from "../taken_view.js";

test("a snapshot is asked for with the view and the notes of its model", () => {
  const store = takenStore("1.2l");
  store.actions.recallNotes({ texts: new Map([[noteKey("both", { layer: 1, head: 2 }), "looks back"]]), kept: true });
  const { view, ...asked } = snapshotQuestion(store.state);
  assert.deepEqual(asked, { model: "both", text: "first example", notes: { 1.2: "looks back" } });
  assert.deepEqual(readLink(view), viewOf(store.state));
});
