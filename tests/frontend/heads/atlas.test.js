// The record of a model's heads is asked for once a model, and an answer that comes too late is dropped.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Atlases } from "../../../frontend/heads/atlas.js";
import { ServerError } from "../../../frontend/requests/api.js";

const models = [{ id: "one", no_atlas: null }, { id: "two", no_atlas: null }];

function asked() {
  const [received, calls] = [[], []];
  const actions = { receiveAtlas: (known) => received.push(known) };
  const fetchAtlas = (model) => new Promise((resolve, reject) => calls.push({ model, resolve, reject }));
  const atlases = new Atlases(actions, fetchAtlas);
  const want = (state) => atlases.want({ build: { edition: 0 }, ...state });
  return { atlases: { want }, received, calls };
}

test("each model is asked for once, when the server lists it", async () => {
  const { atlases, received, calls } = asked();
  void atlases.want({ model: "one", models: [] });
  void atlases.want({ model: null, models });
  assert.equal(calls.length, 0);
  const first = atlases.want({ model: "one", models });
  void atlases.want({ model: "one", models });
  assert.equal(calls.length, 1);
  calls[0].resolve("record");
  await first;
  assert.deepEqual(received, [{ model: "one", record: "record", problem: null }]);
});

test("a model of which the server says that it has no record is not asked for, and nothing changes at once", async () => {
  const { atlases, received, calls } = asked();
  const none = atlases.want({ model: "bare", models: [...models, { id: "bare", no_atlas: "Build one." }] });
  assert.deepEqual(received, []);
  await none;
  assert.equal(calls.length, 0);
  assert.deepEqual(received, [{ model: "bare", record: null, problem: { code: "no_atlas", message: "Build one.", details: { model: "bare" } } }]);
});

test("a record is asked for anew when the list has one at last, and after each section that was measured", async () => {
  const { atlases, received, calls } = asked();
  await atlases.want({ model: "one", models: [{ id: "one", no_atlas: "Build one." }] });
  const listed = atlases.want({ model: "one", models });
  calls[0].resolve("first");
  await listed;
  const measured = atlases.want({ model: "one", models, build: { edition: 1 } });
  assert.deepEqual(received.map(({ record }) => record), [null, "first"], "the older one stays until the newer is here");
  calls[1].resolve("second");
  await measured;
  assert.equal(received[2].record, "second");
});

test("the answer for a model no longer chosen is dropped", async () => {
  const { atlases, received, calls } = asked();
  const late = atlases.want({ model: "one", models });
  const now = atlases.want({ model: "two", models });
  calls[1].resolve("second");
  await now;
  calls[0].resolve("first");
  await late;
  assert.deepEqual(received.map(({ model }) => model), ["two"]);
});

test("that there is no record is an answer, that the server is silent is not", async () => {
  const { atlases, received, calls } = asked();
  const problem = { code: "no_atlas", message: "Build one with headscope atlas build.", details: null };
  const none = atlases.want({ model: "one", models });
  calls[0].reject(new ServerError(problem));
  await none;
  assert.deepEqual(received, [{ model: "one", record: null, problem }]);
  void atlases.want({ model: "one", models });
  assert.equal(calls.length, 1);
  const lost = atlases.want({ model: "two", models });
  calls[1].reject(new TypeError("Failed to fetch"));
  await lost;
  assert.equal(received[1].problem.message, "Failed to fetch");
  void atlases.want({ model: "two", models });
  assert.equal(calls.length, 3, "asked again");
});
