// The form for a new run: what is sent, which field a refusal is about, how long it may take.

import assert from "node:assert/strict";
import { test } from "node:test";

import { estimateOf, estimateWords, headWidth, problemsByField, settingsOf, taskOf, valueOf } from "../../../frontend/training/form.js";
import { records } from "../../../frontend/training/record.js";
import { runs, tasks } from "../../../frontend/training/runs.js";
import { ready, tell } from "../small_answer.js";
import { record, summary, task } from "../small_run.js";

const draft = (values = {}, more = {}) => ({ task: null, name: "", values, ...more });

test("what is not typed is as usual, and numbers are sent as numbers", () => {
  const sent = settingsOf(task, draft({ steps: "60", n_heads: "three" }, { name: " Mine " }));
  assert.deepEqual([sent.steps, sent.n_layers, sent.name, sent.task, sent.first_layer], [60, 2, "Mine", "language", "free"]);
  assert.equal(sent.n_heads, "three", "the server says what is wrong with it");
  assert.ok(!("n_symbols" in sent));
  assert.equal(settingsOf({ ...task, symbols: [2, 3] }, draft({ n_symbols: "3" })).n_symbols, 3);
  assert.equal(taskOf([task], draft()), task);
  assert.equal(valueOf(task, draft({ steps: "" }), "steps"), "", "an emptied field stays empty");
});

test("the width of heads follows from the sizes, where it comes out even", () => {
  assert.deepEqual([headWidth(task, draft()), headWidth(task, draft({ n_heads: "3" })), headWidth(task, draft({ n_heads: "" }))], [4, null, null]);
});

test("a refusal stands beside the field that it names, or speaks of", () => {
  const refusal = (...fields) => problemsByField({ code: "bad_request", message: "", details: { fields } });
  assert.deepEqual(refusal({ field: "body.steps", problem: "too few" }), { steps: "too few" });
  const uneven = "d_model 32 cannot be split evenly into 3 heads: choose another d_model.";
  assert.deepEqual(refusal({ field: "body", problem: uneven }), { n_heads: uneven });
  assert.deepEqual(Object.keys(refusal({ field: "body", problem: "24 points do not fit into 20 steps" })), ["points"]);
  assert.deepEqual(problemsByField({ code: "run_busy", message: "Wait.", details: null }), { "": "Wait." });
});

test("the time is estimated from the most similar run trained here, and not without one", () => {
  const store = ready();
  store.actions.chooseTab("training");
  store.actions.openRunForm();
  tell(store, tasks, [task]);
  tell(store, runs, [summary({ id: "shipped", shipped: true })]);
  assert.equal(estimateOf(store.state, task, draft({ steps: "1000" })), null);
  tell(store, runs, [summary()]);
  tell(store, records, record(), { id: "run-1" });
  const estimate = estimateOf(store.state, task, draft({ steps: "1000" }));
  assert.deepEqual([Math.round(estimate.seconds), estimate.name], [100, "A run"]);
  assert.match(estimateWords(estimate), /^About 2 min of training, if a step takes as long as in “A run”/);
  assert.match(estimateWords({ seconds: 0.2, name: "x" }), /^About 1 s /);
});
