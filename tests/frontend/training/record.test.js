// The record of a run with what has come since, and which run is followed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { knownEvents, records, shownPoint, shownRecord, stateOfRun, watchedRun, withStreamed } from "../../../frontend/training/record.js";
import { runs } from "../../../frontend/training/runs.js";
import { ready, tell } from "../small_answer.js";
import { loss, point, record, summary } from "../small_run.js";

/** A store whose tab shows a run of which the list and the record say this. */
function showing(more = {}) {
  const store = ready();
  store.actions.chooseTab("training");
  store.actions.showRun("run-1");
  tell(store, runs, [summary(more)]);
  tell(store, records, record(more));
  return store;
}

test("events that come are added to the record, and their checkpoints to its steps", () => {
  const events = [loss(120), point(150, 0.3), { kind: "state", state: "stopped", step: 160, message: "why" }];
  const joined = withStreamed(record(), { run: "run-1", from: 7, events, state: "stopped", over: null });
  assert.deepEqual([joined.losses.length, joined.points.length, joined.kept_steps, joined.n_events], [3, 4, [0, 50, 100, 150], 10]);
  assert.deepEqual([joined.step, joined.loss, joined.state, joined.message], [160, 0.3, "stopped", "why"]);
});

test("after a restart nothing counts that came before", () => {
  const joined = withStreamed(record(), { run: "run-1", from: 0, events: [point(0, 2)], state: "running", over: null });
  assert.deepEqual([joined.losses, joined.points.length, joined.kept_steps, joined.step], [[], 1, [0], 0]);
});

test("a run that is trained is followed from what is known, until it ends", () => {
  const store = showing({ state: "running", ahead: 0 });
  assert.equal(watchedRun(store.state), "run-1");
  store.actions.followRun("run-1", knownEvents(store.state, "run-1"));
  store.actions.receiveRunEvent("run-1", point(150, 0.3));
  assert.deepEqual([knownEvents(store.state, "run-1"), shownRecord(store.state).points.length], [8, 4]);
  store.actions.receiveRunEvent("run-1", { kind: "state", state: "done", step: 150, message: "" });
  assert.equal(watchedRun(store.state), "run-1", "its process may still be there");
  store.actions.endRun("run-1", "done");
  assert.equal(watchedRun(store.state), null);
  assert.equal(stateOfRun(store.state, "run-1"), "done", "the older list says that it runs");
  store.actions.receiveRunEvent("other", point(200, 0.1));
  assert.equal(knownEvents(store.state, "run-1"), 9);
});

test("a run that was resumed elsewhere is followed again when the list says so", () => {
  const store = showing({ state: "running", ahead: 0 });
  store.actions.followRun("run-1", 7);
  store.actions.endRun("run-1", "stopped");
  assert.equal(watchedRun(store.state), null);
  tell(store, runs, [summary({ state: "queued", ahead: 1 })]);
  assert.equal(watchedRun(store.state), "run-1");
});

test("one that has stopped while its process is still there cannot be resumed yet", () => {
  assert.equal(stateOfRun(showing({ state: "stopped", ahead: 0 }).state, "run-1"), "running");
  assert.equal(stateOfRun(showing({ state: "stopped" }).state, "run-1"), "stopped");
});

test("the checkpoint on screen is the last, or the nearest to the chosen step", () => {
  const { state } = showing();
  assert.equal(shownPoint(state, record()).step, 100);
  const store = showing();
  store.actions.showStep(60);
  assert.equal(shownPoint(store.state, record()).step, 50);
  assert.equal(shownPoint(store.state, record({ points: [] })), null);
});
