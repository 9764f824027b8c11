// What the Training tab shows follows from what is chosen: a lesson brings its run and those to compare with.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lessonChoice, overlaidIds, scoreChoice, shownLesson, shownRunId, shownSweep, stepChoice } from "../../../frontend/training/choices.js";
import { ready } from "../small_answer.js";

test("a lesson brings its run, the runs laid over it, or a sweep", () => {
  const store = ready();
  assert.deepEqual([shownLesson(store.state).id, shownRunId(store.state), overlaidIds(store.state)], ["pairs", "markov-2", []]);
  store.actions.chooseLesson("together");
  assert.equal(overlaidIds(store.state).length, 3);
  assert.equal(overlaidIds(store.state), overlaidIds(store.state), "the same list while nothing changes");
  store.actions.chooseLesson("who");
  assert.deepEqual([shownSweep(store.state), shownRunId(store.state)], ["roles", null]);
  store.actions.showRun("language");
  assert.equal(shownSweep(store.state), null);
});

test("a run of the lesson stays in it, another one leaves it", () => {
  const store = ready();
  store.actions.chooseLesson("together");
  store.actions.choose(scoreChoice, "previous");
  store.actions.showStep(50);
  store.actions.showRun("repeats-one-layer");
  assert.deepEqual([lessonChoice.of(store.state), scoreChoice.of(store.state), stepChoice.of(store.state)], ["together", "previous", null]);
  assert.ok(overlaidIds(store.state).includes("repeats"));
  store.actions.showRun("language");
  assert.deepEqual([lessonChoice.of(store.state), scoreChoice.of(store.state), overlaidIds(store.state)], ["none", null, []]);
});

test("a run is laid over the other and taken away again", () => {
  const store = ready();
  store.actions.chooseLesson("slow");
  store.actions.toggleOverlay("markov-3");
  assert.deepEqual(overlaidIds(store.state), ["markov-2", "markov-3"]);
  for (const id of ["markov-2", "markov-3"]) store.actions.toggleOverlay(id);
  assert.deepEqual(overlaidIds(store.state), []);
});
