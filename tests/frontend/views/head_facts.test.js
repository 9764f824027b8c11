// What is said of a head in a few lines.

import assert from "node:assert/strict";
import { test } from "node:test";

import { headFacts } from "../../../frontend/views/head_facts.js";
import { smallAtlas, withAtlas } from "../small_atlas.js";

const stateOf = (record) => ({
  ...withAtlas(record),
  ...{ model: "both", analysis: null, color_by: "map", values: "raw", show: "all", notes: null },
  metrics_catalogue: { metrics: [], shapes: [] },
});
const textsOf = (record, cell) => headFacts(stateOf(record), cell).map(({ text }) => text);

test("a head without a role is called unassigned, but only where a corpus was measured", () => {
  assert.deepEqual(textsOf(smallAtlas(), { layer: 0, head: 2 }), ["No proven role on the corpus"]);
  assert.deepEqual(textsOf(smallAtlas(), { layer: 0, head: 0 }), [
    "Usual choice: from function words to the next content word",
    "No proven role beyond its usual choice",
  ]);
  assert.deepEqual(textsOf(null, { layer: 0, head: 0 }), []);
});

test("a role is said with its number and baseline, its claim not twice", () => {
  const [first] = headFacts(stateOf(smallAtlas()), { layer: 1, head: 2 });
  assert.deepEqual(first, { text: "Local context: previous token", evidence: "0.9 of 100 on the test set, baseline 10\u00a0%" });
  const claimed = smallAtlas();
  for (const role of claimed.roles) for (const holder of role.heads) holder.evidence = `${role.claim}: 80 % of 100.`;
  const [again] = headFacts(stateOf(claimed), { layer: 1, head: 2 });
  assert.deepEqual(again, { text: "Local context: previous token", evidence: "80\u00a0% of 100, baseline 10\u00a0%" });
});
