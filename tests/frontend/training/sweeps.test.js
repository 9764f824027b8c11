// Records of many trainings: what is drawn of them and what is said.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bySize, headsWords, isMatched, rolesWords, sweepCharts } from "../../../frontend/training/sweeps.js";

const run = (n_heads, seed, loss, more = {}) => ({ n_heads, seed, loss, accuracy: { subject: 0.9 }, hard_accuracy: {}, learned_at: { subject: n_heads === 1 && seed === 1 ? null : 400 }, apart: n_heads === 1 ? null : 0.3, roles: seed, ...more });
const heads = { settings: {}, labels: { subject: "verb and subject" }, runs: [run(4, 0, 1.5), run(1, 0, 1.9), run(1, 1, 2.1), run(4, 1, 1.7)] };

test("seeds of a size are one group, smallest size first", () => {
  const groups = bySize(heads.runs, ({ loss }) => loss);
  assert.deepEqual(groups.map(({ n_heads, low, high }) => [n_heads, low, high]), [[1, 1.9, 2.1], [4, 1.5, 1.7]]);
  assert.ok(Math.abs(groups[0].mean - 2) < 1e-9);
});

test("a chart has the mean with bars and every seed as a dot, and no number where there is none", () => {
  const charts = sweepCharts(heads);
  const [mean, dots] = charts[0].chart.series;
  assert.deepEqual([mean.x, mean.ends, dots.x.length, dots.width], [[0, 2], "bars", 4, 0]);
  assert.deepEqual(charts[0].chart.xTicks, [{ at: 0, text: "1" }, { at: 2, text: "4" }]);
  const apart = charts.find(({ title }) => title.startsWith("How different")).chart;
  assert.deepEqual(apart.series[0].x, [2], "one head is not different from others");
  assert.deepEqual(charts.find(({ title }) => title.startsWith("The same")).chart.series, []);
  const [, learned] = charts.find(({ title }) => title.startsWith("Steps until")).chart.series;
  assert.deepEqual(learned.y, [400, 400, 400], "a seed that never learned has no dot");
});

test("the sentence names best and worst, and whether their seeds overlap", () => {
  assert.match(headsWords(heads), /lowest with 4 heads \(mean 1\.600, seeds 1\.500 to 1\.700\) and highest with 1 head .*2\.100\)\.$/);
  assert.match(headsWords({ ...heads, runs: [...heads.runs, run(4, 2, 2)] }), /their seeds overlap\.$/);
  assert.equal(headsWords({ ...heads, runs: [run(1, 0, 1)] }), "");
});

const role = (label, n_seeds, more = {}) => ({ role: label, label, placed: [], n_seeds, n_pairs: 4, matched: null, shuffled: null, shuffled_high: null, same_place: null, ...more });

test("roles are counted as they are: always there, found again in the matched head, at the same number", () => {
  const roles = [role("one", 3, { matched: 1, shuffled: 0.1, shuffled_high: 0.5, same_place: 0 }), role("two", 2, { matched: 0.5, shuffled: 0.4, shuffled_high: 0.5, same_place: 1 }), role("three", 1)];
  assert.deepEqual(roles.map(isMatched), [true, false, false]);
  const words = rolesWords({ seeds: [0, 1, 2], roles });
  assert.match(words, /^Of 3 roles in 3 seeds, one role appears in every seed: one\. For 1 of the 2 roles that two seeds share/);
  assert.match(words, /in 0 to 100 %\.$/);
  assert.equal(rolesWords({ seeds: [0, 1, 2], roles: [role("a", 1)] }), "Of 1 roles in 3 seeds, no role appears in every seed.");
});
