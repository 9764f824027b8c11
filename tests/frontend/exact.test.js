// Exact values: once per head and analysis, none for what is gone, one more try for what was forgotten.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ServerError } from "../../frontend/api.js";
import { ExactValues } from "../../frontend/exact.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const analysis = (id) => ({ id, question: "q", n_tokens: 1 });
const stateOf = (found, ...pins) => ({
  analysis: found,
  run: { phase: "done" },
  pins: pins.map(([layer, head]) => ({ layer, head, mode: "heatmap" })),
});

function setUp(answer) {
  const asked = [];
  const received = [];
  const refused = [];
  let askedAgain = 0;
  const actions = {
    receiveExact: (found, cell, weights) => received.push([found.id, cell.layer, cell.head, weights]),
    refuseExact: (found, cell, reason) => refused.push(reason),
  };
  const fetchHead = (id, layer, head, signal) => {
    asked.push({ id, layer, head, signal });
    return answer(id, layer, head);
  };
  const values = new ExactValues(actions, fetchHead, () => (askedAgain += 1));
  return { values, asked, received, refused, again: () => askedAgain };
}

test("each pinned head is fetched once, and only when the run is over", async () => {
  const { values, asked, received } = setUp(async () => "weights");
  const found = analysis("a");
  values.want({ ...stateOf(found, [0, 1]), run: { phase: "streaming" } });
  assert.equal(asked.length, 0);
  values.want(stateOf(found, [0, 1]));
  values.want(stateOf(found, [0, 1], [0, 2]));
  await settled();
  assert.deepEqual(received, [
    ["a", 0, 1, "weights"],
    ["a", 0, 2, "weights"],
  ]);
});

test("a new analysis aborts the fetches of the old one and their answers are ignored", async () => {
  const open = [];
  const { values, asked, received } = setUp(() => new Promise((resolve) => open.push(resolve)));
  values.want(stateOf(analysis("old"), [0, 0]));
  values.want(stateOf(analysis("new"), [0, 0]));
  assert.equal(asked[0].signal.aborted, true);
  open[0]("old weights");
  open[1]("new weights");
  await settled();
  assert.deepEqual(received, [["new", 0, 0, "new weights"]]);
});

test("a forgotten analysis is asked for again once, then the panel is told why", async () => {
  const { values, refused, again } = setUp(async () => {
    throw new ServerError({ code: "unknown_analysis", message: "No longer here.", details: {} });
  });
  values.want(stateOf(analysis("a"), [0, 0]));
  await settled();
  assert.equal(again(), 1);
  values.want(stateOf(analysis("a"), [0, 0]));
  await settled();
  assert.equal(again(), 1);
  assert.deepEqual(refused, ["No longer here."]);
});
