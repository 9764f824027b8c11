// The panel of a build: what was ordered, what the server says, and when the atlas is to be fetched anew.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atlas } from "../../../frontend/heads/atlas.js";
import { ready, tell } from "../small_answer.js";
import { smallAtlas } from "../small_atlas.js";
import { buildStatus, running } from "../small_build.js";

const received = (status) => ({ status, problem: null });

test("opening and closing the panel keeps what is known of the same model", () => {
  const store = ready();
  store.actions.openBuild("both");
  store.actions.receiveBuild(received(buildStatus()));
  store.actions.closeBuild();
  store.actions.openBuild("both");
  assert.equal(store.state.build.status.model, "both");
  store.actions.openBuild("single");
  assert.equal(store.state.build.status, null);
});

test("a refusal is kept until the next order, a silent server only until it speaks", () => {
  const store = ready();
  const refused = { code: "build_running", message: "Another model is measured.", details: { model: "single" } };
  store.actions.openBuild("both");
  store.actions.orderBuild("start");
  store.actions.orderBuild("stop");
  assert.deepEqual(store.state.build.ordered, { what: "start", model: "both" }, "one order at a time");
  store.actions.receiveBuild({ status: null, problem: refused });
  store.actions.receiveBuild(received(buildStatus()));
  assert.equal(store.state.build.problem, refused);
  store.actions.orderBuild("start");
  assert.equal(store.state.build.problem, null);
  store.actions.receiveBuild({ status: null, problem: { ...refused, code: "unreachable" } });
  store.actions.receiveBuild(received(buildStatus()));
  assert.equal(store.state.build.problem, null);
});

test("the atlas is wanted anew after each section and at the end, not at each step", () => {
  const store = ready();
  const editionAfter = (status) => {
    store.actions.receiveBuild(received(status));
    return store.state.build.edition;
  };
  assert.equal(editionAfter(running("sink")), 0);
  assert.equal(editionAfter(running("sink", { done: 5, total: 9 })), 0);
  assert.equal(editionAfter(running("similarity")), 1);
  assert.equal(editionAfter(buildStatus({ state: "done", section: "similarity" })), 2);
});

test("what was measured while the page did not look is noticed at the first answer", () => {
  const store = ready();
  tell(store, atlas, smallAtlas());
  store.actions.receiveBuild(received(buildStatus()));
  assert.equal(store.state.build.edition, 0, "the atlas has all that is measured");
  const other = ready();
  tell(other, atlas, null, undefined, { code: "no_atlas", message: "", details: null });
  other.actions.receiveBuild(received(buildStatus()));
  assert.equal(other.state.build.edition, 1);
});
