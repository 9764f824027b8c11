// The run on screen is followed from what is known, its end is told, orders go out once, the list is asked for meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ServerError } from "../../../frontend/requests/answer_questions.js";
import { RunWatch } from "../../../frontend/requests/run_watch.js";
import { ready } from "../small_answer.js";

const { state } = ready();
const stateOf = (training = {}) => ({ ...state, training: { ...state.training, ...training } });
const settled = () => new Promise((resolve) => setImmediate(resolve));

function watching({ isWaiting = () => false } = {}) {
  const [told, asked, calls] = [[], [], []];
  let handlers;
  const stream = { open: () => asked.push("open"), ask: (question) => asked.push(question), cancel: () => asked.push("cancel") };
  const names = ["followRun", "receiveRunEvent", "restartRun", "endRun", "receiveOrder", "refreshRuns"];
  const actions = Object.fromEntries(names.map((name) => [name, (...given) => told.push([name, ...given])]));
  const watch = new RunWatch(actions, {
    request: (order) => new Promise((resolve, reject) => calls.push({ order, resolve, reject })),
    connect: (given) => ((handlers = given), stream),
    watchedRun: ({ training }) => training.deleting, // any part of the state will do
    knownEvents: ({ training }) => training.edition,
    isWaiting,
  });
  return { watch, told, asked, calls, hear: (message) => handlers.message(message) };
}

test("what is asked has the number of events known when it is sent, also on a later connection", () => {
  const { watch, asked, told } = watching();
  let now = stateOf({ deleting: "run-1", edition: 7 });
  watch.update(now, () => now);
  watch.update(now, () => now);
  assert.deepEqual(told, [["followRun", "run-1", 7]]);
  assert.deepEqual([asked[0], { ...asked[1] }, asked.length], ["open", { run: "run-1", skip: 7 }, 2]);
  now = stateOf({ deleting: "run-1", edition: 9 });
  assert.deepEqual({ ...asked[1] }, { run: "run-1", skip: 9 });
});

test("events, a restart and the end are told of the run that is followed", () => {
  const { watch, told, asked, hear } = watching();
  const now = stateOf({ deleting: "run-1" });
  watch.update(now, () => now);
  hear({ type: "event", event: { kind: "loss" } });
  hear({ type: "restart" });
  hear({ type: "done", state: "stopped" });
  assert.deepEqual(told.slice(1), [["receiveRunEvent", "run-1", { kind: "loss" }], ["restartRun", "run-1"], ["endRun", "run-1", "stopped"]]);
  assert.equal(asked.at(-1), "cancel");
  watch.update(stateOf(), () => now);
  hear({ type: "event", event: {} });
  assert.equal(told.length, 4, "nothing is followed any more");
});

test("a socket that refuses the run ends it", () => {
  const { watch, told, hear } = watching();
  const now = stateOf({ deleting: "gone" });
  watch.update(now, () => now);
  hear({ type: "error", error: { code: "unknown_run", message: "", details: null } });
  assert.deepEqual(told.at(-1), ["endRun", "gone", null]);
});

test("an order goes out once, and its answer or refusal is told", async () => {
  const { watch, told, calls } = watching();
  const ordered = { what: "stop", run: "run-1" };
  for (let times = 0; times < 2; times += 1) watch.update(stateOf({ ordered }), () => state);
  assert.equal(calls.length, 1);
  calls[0].resolve({ id: "run-1" });
  await settled();
  assert.deepEqual(told, [["receiveOrder", ordered, { id: "run-1" }, null]]);
  watch.update(stateOf({ ordered: { ...ordered } }), () => state);
  calls[1].reject(new ServerError({ code: "run_busy", message: "Busy.", details: null }));
  await settled();
  assert.equal(told[1][3].message, "Busy.");
  watch.update(stateOf({ ordered: { ...ordered } }), () => state);
  calls[2].reject(new TypeError("no network"));
  await settled();
  assert.equal(told[2][3].code, "unreachable");
});

test("while something is trained the list is asked for about every two seconds, and not after", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let waits = true;
  const { watch, told } = watching({ isWaiting: () => waits });
  watch.update(stateOf(), () => state);
  watch.update(stateOf(), () => state);
  t.mock.timers.tick(2000);
  assert.deepEqual(told, [["refreshRuns"]]);
  watch.update(stateOf(), () => state);
  waits = false;
  watch.update(stateOf(), () => state);
  t.mock.timers.tick(9000);
  assert.equal(told.length, 1);
});
