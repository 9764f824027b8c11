// Which build matters, and for which model measuring is offered.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atlas } from "../../../frontend/heads/atlas.js";
import { runningBuild, unmeasuredModel, watchedModel } from "../../../frontend/heads/build.js";
import { onSide } from "../../../frontend/state/sides.js";
import { models, ready, tell } from "../small_answer.js";
import { smallAtlas } from "../small_atlas.js";
import { running } from "../small_build.js";

const unmeasured = { ...models[0], no_atlas: "Build one." };

/** A page whose first model has this record. */
function withRecord(record, problem = null) {
  const store = ready();
  tell(store, atlas, record, undefined, problem);
  return store.state;
}

/** A page whose models the server lists like this. */
function listing(listed) {
  const { state } = ready();
  return { ...state, models: [listed] };
}

test("the model on screen is watched where something is not measured, that of an open panel always", () => {
  assert.equal(watchedModel(listing(unmeasured)), "both");
  assert.equal(watchedModel(withRecord(smallAtlas())), "both", "sections are missing");
  const whole = withRecord({ ...smallAtlas(), missing: [] });
  assert.equal(watchedModel(whole), null);
  const build = (more) => ({ ...whole, build: { ...whole.build, ...more } });
  assert.equal(watchedModel(build({ status: running("sink") })), "both", "until the build has ended");
  assert.equal(watchedModel(build({ open: "other" })), "other");
  assert.equal(watchedModel(ready().state), null, "whether there is a record is not known yet");
});

test("measuring is offered for a model that is here and has no atlas, or one of other weights", () => {
  const offered = (state) => unmeasuredModel(onSide(state, "a"));
  assert.equal(offered(listing(unmeasured)), "both");
  assert.equal(offered(listing({ ...unmeasured, available: false })), null);
  assert.equal(offered(withRecord(null, { code: "unreadable_atlas", message: "", details: null })), "both");
  assert.equal(offered(withRecord(null, { code: "unreachable", message: "", details: null })), null);
  assert.equal(offered(withRecord(smallAtlas())), null);
  assert.equal(offered(withRecord({ ...smallAtlas(), revision_matches: false })), "both");
});

test("a build is that of its model alone", () => {
  const build = { ...ready().state.build, status: running("sink") };
  assert.equal(runningBuild({ build }, "both").section, "sink");
  assert.equal(runningBuild({ build }, "single"), null);
});
