// What happened in a run, said from its numbers alone.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fallWords, largestRise, restAt, restWords, steepestFall, stepAfterGuessing } from "../../../frontend/training/fall.js";
import { point, record } from "../small_run.js";

const labelOf = (name) => name.toUpperCase();

test("the steepest fall is counted in loss a step, not in loss alone", () => {
  const points = [point(0, 3), point(10, 2.5), point(100, 1.5), point(110, 1.6)];
  const { from, to } = steepestFall(points);
  assert.deepEqual([from.step, to.step], [0, 10]);
  assert.equal(steepestFall([point(0, 1), point(10, 1), point(20, 2)]), null);
});

test("the largest rise is of one head in one score, and a small one is none", () => {
  const rise = largestRise({ from: point(50, 1.5, 0.1), to: point(100, 0.5, 0.8) }, labelOf);
  assert.deepEqual([rise.layer, rise.head, rise.before, rise.after], [1, 0, 0.1, 0.8]);
  assert.equal(largestRise({ from: point(50, 1.5, 0.1), to: point(100, 0.5, 0.13) }, labelOf), null);
});

test("the sentence has both losses, both steps and the head, or says that no score rises", () => {
  const words = fallWords(record().points, 0, labelOf);
  assert.match(words, /^The held-out loss falls fastest between steps 50 and 100, from 1\.50 to 0\.50 nats; /);
  assert.match(words, /“verb and subject” of L1 H0 rises from 0\.10 to 0\.80/);
  assert.match(fallWords([point(0, 2), point(50, 1)], 0, labelOf), /no score of a head rises/);
  assert.equal(fallWords([point(0, 1), point(50, 1)], 0, labelOf), "The held-out loss does not fall.");
  assert.equal(fallWords([point(0, 1)], 0, labelOf), "");
});

test("what happens before a model guesses evenly is not counted", () => {
  const run = record({ vocabulary: ["a", "b", "c", "d", "e"], points: [point(0, 9), point(10, 1.6), point(20, 1.5)] });
  assert.equal(stepAfterGuessing(run), 10);
  assert.match(fallWords(run.points, 10, labelOf), /^From step 10 on the held-out loss falls fastest between steps 10 and 20/);
  assert.equal(stepAfterGuessing(record({ points: [point(0, 9)] })), 0);
  const lines = [{ id: "counts", label: "counts symbols", value: 1.55, meaning: "" }];
  assert.equal(stepAfterGuessing({ ...run, lines }), 10, "counting symbols takes no head that finds anything");
});

test("a rest is the longest stretch of checkpoints near a level, and none where there are no two in a row", () => {
  const points = [point(0, 1), point(10, 0.61), point(20, 0.6), point(30, 0.9), point(40, 0.59), point(90, 0.6), point(100, 0.3)];
  assert.deepEqual(restAt(points, 0.6), [40, 90]);
  assert.equal(restAt([point(0, 0.6), point(10, 1)], 0.6), null);
  const lines = [{ id: "counts", label: "counts symbols", value: 0.6, meaning: "" }];
  assert.equal(restWords(record({ points, lines })), "A run: within 0.02 nats of “counts symbols” from step 40 to 90, 50 % of its steps.");
  assert.match(restWords(record({ lines })), /at no two checkpoints in a row/);
  assert.equal(restWords(record()), "");
});
