// A view is all that a person has chosen, and nothing that the server said.

import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyView, viewOf } from "../../../frontend/state/view.js";
import { answer, ready, start } from "../small_answer.js";

test("the view of a state is what was chosen, whatever answers and pointers there are besides", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.hover({ side: "a", queries: [0], keys: [] });
  store.actions.togglePin({ layer: 0, head: 0 });
  const pins = [{ kind: "head", side: "a", stack: 0, layer: 0, head: 0, mode: "heatmap" }];
  assert.deepEqual(viewOf(store.state), { ...emptyView(), model: "both", text: "first example", pins });
});

test("what is zero, empty or false is chosen too", () => {
  const chosen = { ...emptyView(), text: "", text_pair: "", mass: 0, renormalise: false, continuation: [0] };
  assert.deepEqual(viewOf({ ...chosen, run: {}, cursor: null }), chosen);
});

test("no two views share a list that one of them could change", () => {
  const [one, other] = [emptyView(), emptyView()];
  one.pins.push("a pin");
  one.continuation.push(7);
  assert.deepEqual([other.pins, other.continuation], [[], []]);
});
