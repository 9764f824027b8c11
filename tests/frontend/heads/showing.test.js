// Which heads stand out by a metric: those above its baseline, and none where there is nothing to compare.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparedQuantity, shownHeads } from "../../../frontend/heads/showing.js";
import { withAtlas } from "../small_atlas.js";

const metric = (name, kind = "number") => ({ name, label: name, unit: "share", meaning: "", range: [0, 1], kind });
const analysis = {
  model: "both",
  n_layers: 2,
  n_heads: 2,
  measures: new Map([
    [0, { raw: { previous: [0.2, 0.5], shape: ["block", "block"] }, weighted: null, labels: [[], []] }],
    [1, { raw: { previous: [null, 0.21], shape: ["block", "block"] }, weighted: null, labels: [[], []] }],
  ]),
  opportunities: {
    previous: { n: 4, baseline: 0.2, ceiling: 1 },
    next: { n: 0, baseline: null, ceiling: null },
    shape: { n: 4, baseline: null, ceiling: null },
  },
};
const stateOf = (more = {}) => ({
  metrics_catalogue: { metrics: [metric("previous"), metric("next"), metric("shape", "class")], shapes: ["block"] },
  ...withAtlas(null),
  model: "both",
  analysis,
  color_by: "previous",
  values: "raw",
  show: "above",
  ...more,
});

test("heads above uniform attention stand out, equal or undefined ones do not", () => {
  const shown = shownHeads(stateOf());
  assert.deepEqual([...shown.strengths], [["0.1", 0.5], ["1.1", 0.21]]);
  assert.equal(shown.text, "previous on this sentence, above uniform attention (0.200): 2 of 4 heads.");
});

test("nothing is counted before its numbers are there", () => {
  const shown = shownHeads(stateOf({ values: "weighted" }));
  assert.equal(shown.strengths.size, 0);
  assert.match(shown.text, /value-weighted.*: … of 4 heads\.$/);
});

test("a class, an undefined metric and plain maps have nothing to be above of", () => {
  for (const color_by of ["shape", "next", "map"]) {
    assert.equal(comparedQuantity(stateOf({ color_by })), null);
    assert.equal(shownHeads(stateOf({ color_by })), null);
  }
  assert.equal(shownHeads(stateOf({ show: "all" })), null);
});
