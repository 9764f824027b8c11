// A build is watched while it runs and somebody looks; orders go out once; a newer answer is never overwritten by an older.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BuildWatch } from "../../../frontend/requests/build_watch.js";
import { ready } from "../small_answer.js";
import { buildStatus, running } from "../small_build.js";

const { state } = ready();
const stateOf = (build = {}) => ({ ...state, build: { ...state.build, ...build } });

function watched(isSeen = () => true) {
  const [received, calls] = [[], []];
  const request = (model, what) => new Promise((resolve, reject) => calls.push({ what, model, resolve, reject }));
  const watchedModel = ({ build }) => (build.open === "none" ? null : (build.open ?? "both"));
  return { watch: new BuildWatch({ receiveBuild: (known) => received.push(known) }, request, watchedModel, isSeen), received, calls };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const asked = (calls) => calls.map(({ what, model }) => `${what} ${model}`);

test("a build at rest is asked for once, a running one about once a second", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { watch, received, calls } = watched();
  watch.update(stateOf());
  watch.update(stateOf());
  assert.deepEqual(asked(calls), ["status both"]);
  calls[0].resolve(running("sink"));
  await settled();
  assert.equal(received[0].status.build.state, "running");
  t.mock.timers.tick(1000);
  assert.equal(calls.length, 2);
  calls[1].resolve(buildStatus({ state: "done" }));
  await settled();
  t.mock.timers.tick(5000);
  assert.equal(calls.length, 2, "it has ended");
});

test("nobody asks while nobody looks, and who looks again is told at once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let isSeen = true;
  const { watch, calls } = watched(() => isSeen);
  watch.update(stateOf());
  calls[0].resolve(running("sink"));
  await settled();
  isSeen = false;
  t.mock.timers.tick(60_000);
  assert.equal(calls.length, 1);
  isSeen = true;
  watch.askAgain();
  assert.equal(calls.length, 2);
});

test("a build that no longer matters is not asked for, and its late answer is dropped", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { watch, received, calls } = watched();
  watch.update(stateOf());
  calls[0].resolve(running("sink"));
  await settled();
  watch.askAgain();
  watch.update(stateOf({ open: "none" }));
  calls[1].resolve(running("sink"));
  await settled();
  t.mock.timers.tick(5000);
  watch.askAgain();
  assert.deepEqual([calls.length, received.length], [2, 1]);
});

test("an order is sent once, and an answer from before it is dropped", async () => {
  const { watch, received, calls } = watched();
  watch.update(stateOf());
  const ordered = { what: "start", model: "both" };
  const ordering = stateOf({ open: "both", ordered });
  watch.update(ordering);
  watch.update(ordering);
  assert.deepEqual(asked(calls), ["status both", "start both"]);
  calls[1].resolve(running("sink"));
  await settled();
  calls[0].resolve(buildStatus());
  await settled();
  assert.deepEqual(received.map(({ status }) => status.build.state), ["running"]);
  watch.update(stateOf({ open: "both" }));
  watch.update(stateOf({ open: "both", ordered: { what: "stop", model: "both" } }));
  assert.deepEqual(asked(calls).slice(2), ["stop both"]);
});

test("a server that is silent is asked again while a build ran, and says why", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { watch, received, calls } = watched();
  watch.update(stateOf());
  calls[0].resolve(running("sink"));
  await settled();
  t.mock.timers.tick(1000);
  calls[1].reject(new TypeError("Failed to fetch"));
  await settled();
  assert.equal(received[1].problem.code, "unreachable");
  t.mock.timers.tick(1000);
  assert.equal(calls.length, 3);
});
