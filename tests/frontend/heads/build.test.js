// A build is watched while it runs and somebody looks; orders go out once; a newer answer is never overwritten by an older.

import assert from "node:assert/strict";
import { test } from "node:test";

import { BuildWatch, runningBuild, unmeasuredModel, watchedModel } from "../../../frontend/heads/build.js";
import { NO_BUILD } from "../../../frontend/actions/build.js";
import { smallAtlas } from "../small_atlas.js";
import { buildStatus, running } from "../small_build.js";

const none = { code: "no_atlas", message: "Build one.", details: null };
const stateOf = (more = {}) => ({
  model: "both",
  models: [{ id: "both", available: true }, { id: "gone", available: false }],
  analysis: null,
  atlas: { model: "both", record: null, problem: none },
  build: NO_BUILD,
  ...more,
});

function watched(isSeen = () => true) {
  const [received, calls] = [[], []];
  const request = (what) => (model) => new Promise((resolve, reject) => calls.push({ what, model, resolve, reject }));
  const server = { fetchBuild: request("get"), startBuild: request("start"), stopBuild: request("stop") };
  return { watch: new BuildWatch({ receiveBuild: (known) => received.push(known) }, server, isSeen), received, calls };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const asked = (calls) => calls.map(({ what, model }) => `${what} ${model}`);

test("the model on screen is watched where something is not measured, that of an open panel always", () => {
  assert.equal(watchedModel(stateOf()), "both");
  const record = smallAtlas();
  assert.equal(watchedModel(stateOf({ atlas: { model: "both", record, problem: null } })), "both", "sections are missing");
  const whole = stateOf({ atlas: { model: "both", record: { ...record, missing: [] }, problem: null } });
  assert.equal(watchedModel(whole), null);
  assert.equal(watchedModel({ ...whole, build: { ...NO_BUILD, status: running("sink") } }), "both", "until the build has ended");
  assert.equal(watchedModel({ ...whole, build: { ...NO_BUILD, open: "other" } }), "other");
  assert.equal(watchedModel(stateOf({ atlas: null })), null);
});

test("measuring is offered for a model that is here and has no atlas", () => {
  assert.equal(unmeasuredModel(stateOf()), "both");
  assert.equal(unmeasuredModel(stateOf({ model: "gone", atlas: { model: "gone", record: null, problem: none } })), null);
  assert.equal(unmeasuredModel(stateOf({ atlas: { model: "both", record: null, problem: { ...none, code: "unreachable" } } })), null);
  assert.equal(runningBuild({ build: { ...NO_BUILD, status: running("sink") } }, "single"), null);
});

test("a build at rest is asked for once, a running one about once a second", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { watch, received, calls } = watched();
  watch.want(stateOf());
  watch.want(stateOf());
  assert.deepEqual(asked(calls), ["get both"]);
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
  watch.want(stateOf());
  calls[0].resolve(running("sink"));
  await settled();
  isSeen = false;
  t.mock.timers.tick(60_000);
  assert.equal(calls.length, 1);
  isSeen = true;
  watch.look();
  assert.equal(calls.length, 2);
});

test("an order is sent once, and an answer from before it is dropped", async () => {
  const { watch, received, calls } = watched();
  watch.want(stateOf());
  const ordered = { what: "start", model: "both" };
  const state = stateOf({ build: { ...NO_BUILD, open: "both", ordered } });
  watch.want(state);
  watch.want(state);
  assert.deepEqual(asked(calls), ["get both", "start both"]);
  calls[1].resolve(running("sink"));
  await settled();
  calls[0].resolve(buildStatus());
  await settled();
  assert.deepEqual(received.map(({ status }) => status.build.state), ["running"]);
  watch.want(stateOf({ build: { ...NO_BUILD, open: "both" } }));
  watch.want(stateOf({ build: { ...NO_BUILD, open: "both", ordered: { what: "stop", model: "both" } } }));
  assert.deepEqual(asked(calls).slice(2), ["stop both"]);
});

test("a server that is silent is asked again while a build ran, and says why", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { watch, received, calls } = watched();
  watch.want(stateOf());
  calls[0].resolve(running("sink"));
  await settled();
  t.mock.timers.tick(1000);
  calls[1].reject(new TypeError("Failed to fetch"));
  await settled();
  assert.equal(received[1].problem.code, "unreachable");
  t.mock.timers.tick(1000);
  assert.equal(calls.length, 3);
});
