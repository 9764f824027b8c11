// The charts of a run as lines.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lossChart, scoreChart, scoreFor, scoreOptions, scoreWords } from "../../../frontend/training/curves.js";
import { record } from "../small_run.js";

test("the loss has its batches below, other runs between, its held-out points on top, and the lines of theory", () => {
  const { series, lines, xRange } = lossChart(record(), [record({ id: "other", name: "Other" })]);
  assert.deepEqual(series.map(({ name }) => name), ["its own batches", "Other", "A run"]);
  assert.deepEqual([series[2].x, series[2].y], [[0, 50, 100], [2, 1.5, 0.5]]);
  assert.notEqual(series[1].tone, series[2].tone);
  assert.deepEqual(lines, [{ y: 1.6, text: "uses nothing 1.60", title: "All alike." }]);
  assert.deepEqual(xRange, [0, 100]);
});

test("a relation has every head, the model itself, its hard cases, and the rule as a line", () => {
  const { series, lines } = scoreChart(record(), "subject", null);
  assert.deepEqual(series.map(({ name }) => name), ["L0 H0", "L0 H1", "L1 H0", "L1 H1", "the model", "hard cases"]);
  assert.deepEqual(series[2].y, [0, 0.1, 0.8]);
  assert.deepEqual(lines, [{ y: 0.5, text: "rule “itself” 0.50" }]);
});

test("a metric of few heads has bands, and the head that is pointed at stands out", () => {
  const { series, lines } = scoreChart(record(), "induction", { layer: 1, head: 0 });
  assert.deepEqual(series.map(({ isFaint }) => isFaint), [true, true, false, true]);
  assert.ok(series[2].low[2] < 0.8 && series[2].high[2] > 0.8 && series[2].width > series[0].width);
  assert.equal(lines[0].text, "uniform attention 0.20");
});

test("of many heads only the one pointed at has a colour, and none is in the legend", () => {
  const { settings } = record();
  const many = record({ settings: { ...settings, n_heads: 8 } });
  const { series } = scoreChart(many, "induction", { layer: 0, head: 1 });
  assert.equal(series.length, 16);
  assert.deepEqual([series[0].tone, series[1].tone, series[0].isUnnamed, series[0].low], ["muted", "accent", true, undefined]);
});

test("the score is the chosen one if the run has it, else that of the lesson, else what it has", () => {
  assert.equal(scoreFor(record(), ["induction", "subject"]), "induction");
  assert.equal(scoreFor(record(), ["gone", null]), "subject");
  assert.equal(scoreFor(record({ points: [] }), [null]), null);
  const { relations, metrics } = scoreOptions(record(), [{ name: "induction", label: "induction", meaning: "Repeats." }]);
  assert.deepEqual([relations, metrics], [[{ value: "subject", text: "Verb and subject" }], [{ value: "induction", text: "Induction", title: "Repeats." }]]);
  assert.match(scoreWords(record(), "subject", []), /n = 40\. Hard cases: the 9 /);
  assert.equal(scoreWords(record(), "induction", [{ name: "induction", label: "", meaning: "Repeats." }]), "Repeats. n = 50.");
});
