// Exercises: answers that are checked, and which were right.

import assert from "node:assert/strict";
import { test } from "node:test";

import { byStep, progressWords, verdictOf, verdicts } from "../../../frontend/anatomy/exercises.js";
import { ready, tell } from "../small_answer.js";

const ALL = [["a", 3], ["b", 2], ["c", 3]].map(([id, step]) => ({ id, step, question: "", kind: "number", choices: [] }));

test("exercises are grouped by their step", () => {
  assert.deepEqual(byStep(ALL).map(([step, list]) => [step, list.map(({ id }) => id)]), [[2, ["b"]], [3, ["a", "c"]]]);
  assert.equal(progressWords(ALL, ["a", "gone"]), "1 of 3 right");
});

test("what is typed is not checked before it is sent, and a changed answer has no verdict", () => {
  const store = ready();
  store.actions.attempt("a", { given: "6" });
  assert.deepEqual(verdicts.questions(store.state), []);
  store.actions.attempt("a", { given: "64", sent: "64", n: 1 });
  assert.deepEqual(verdicts.questions(store.state), [{ exercise: "a", answer: "64", n: 1 }]);
  tell(store, verdicts, { right: true, answer: 64, why: "", hint: null });
  assert.equal(verdictOf(store.state, "a")?.answer?.right, true);
  store.actions.attempt("a", { given: "65", sent: null });
  assert.equal(verdictOf(store.state, "a"), null);
});
