// Orders of the Training tab and what follows from their answers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lessonChoice, shownRunId } from "../../../frontend/training/choices.js";
import { ready } from "../small_answer.js";
import { summary } from "../small_run.js";

const START = { what: "start", settings: {} };

test("a run that is started is shown at once, and the form closes", () => {
  const store = ready();
  store.actions.openRunForm();
  store.actions.orderRun(START);
  store.actions.orderRun({ what: "stop", run: "x" });
  assert.equal(store.state.training.ordered, START, "one order at a time");
  const { edition } = store.state.training;
  store.actions.receiveOrder(START, summary({ id: "new" }), null);
  const { training } = store.state;
  assert.deepEqual([training.ordered, training.isFormOpen, shownRunId(store.state), training.edition], [null, false, "new", edition + 1]);
});

test("a refusal stays until something else is typed or ordered", () => {
  const store = ready();
  store.actions.openRunForm();
  store.actions.orderRun(START);
  store.actions.receiveOrder(START, null, { code: "bad_request", message: "No.", details: null });
  assert.deepEqual([store.state.training.problem.order, store.state.training.isFormOpen], ["start", true]);
  store.actions.draftRun({ values: { steps: "60" } });
  assert.equal(store.state.training.problem, null);
});

test("when the run on screen is deleted the first lesson takes its place", () => {
  const store = ready();
  store.actions.showRun("run-1");
  store.actions.askToDelete("run-1");
  store.actions.orderRun({ what: "delete", run: "run-1" });
  assert.equal(store.state.training.deleting, null);
  store.actions.receiveOrder({ what: "delete", run: "run-1" }, null, null);
  assert.deepEqual([shownRunId(store.state), lessonChoice.of(store.state)], ["markov-2", "pairs"]);
});

test("the end of a run makes the list be asked again, and the models", () => {
  const store = ready();
  store.actions.followRun("run-1", 3);
  store.actions.endRun("run-1", "done");
  const { streamed, edition, ended } = store.state.training;
  assert.deepEqual([streamed.state, streamed.over, edition, ended], ["done", 1, 1, 1]);
  store.actions.followRun("run-1", 3);
  assert.deepEqual([store.state.training.streamed.state, store.state.training.streamed.over], [null, null]);
});
