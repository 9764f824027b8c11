// Labels on this sentence in words, and which of them the sentence is too short for.

import assert from "node:assert/strict";
import { test } from "node:test";

import { labelsInWords, tooShortInWords, whyOtherLabels } from "../../../frontend/heads/sentence_labels.js";
import { restingAtlas, smallAtlas } from "../small_atlas.js";

const metric = (name, label, replaces = null) => ({ name, called: { label, when: "", replaces } });
const metrics_catalogue = {
  metrics: [
    metric("self", "itself"),
    metric("self_hits", "itself (strict)", "self"),
    metric("first", "sink"),
    metric("special", "special tokens"),
    metric("duplicate", "duplicate token"),
    { name: "distance", called: null },
  ],
};
const none = { baseline: null, ceiling: null };
const opportunity = (n, too_short, least_n = 3) => ({ ...none, n, least_n, too_short });
const long = {
  self: opportunity(9, false),
  self_hits: opportunity(9, false),
  first: opportunity(9, false),
  special: opportunity(9, false, 5),
  duplicate: opportunity(1, false),
  distance: { ...none, n: 9, least_n: null, too_short: false },
};
const said = (opportunities) => tooShortInWords({ analysis: opportunities && { opportunities }, metrics_catalogue });

test("labels carry their values and cases, and a head without one says nothing", () => {
  const labels = [[{ label: "sink", metric: "first", value: 0.51234, n: 9 }, { label: "broad", metric: "entropy", value: 0.8, n: 10 }], []];
  const analysis = { measures: new Map([[2, { labels }]]) };
  assert.equal(labelsInWords({ analysis }, { layer: 2, head: 0 }), "sink (0.512, n = 9); broad (0.800, n = 10)");
  assert.equal(labelsInWords({ analysis }, { layer: 2, head: 1 }), "");
  assert.equal(labelsInWords({ analysis }, { layer: 0, head: 0 }), "", "a layer that has not arrived");
});

test("a short sentence says which labels need more cases, each once", () => {
  const short = { ...long, self: opportunity(1, true), self_hits: opportunity(1, true), first: opportunity(2, true) };
  assert.equal(said(short), "This sentence is too short for labels that need 3 cases: itself (n = 1), sink (n = 2).");
  assert.equal(
    said({ ...short, special: opportunity(3, true, 5) }),
    "This sentence is too short for labels that need 3 cases: itself (n = 1), sink (n = 2); 5 cases: special tokens (n = 3).",
  );
});

test("an ordinary sentence says nothing, however few of its tokens repeat", () => {
  assert.equal(said(long), "");
  assert.equal(said(null), "");
});

test("a label that is no role of the head comes with the reason, one that is needs none", () => {
  const why = (record, layer, head, ...metrics) => {
    const labels = [0, 1, 2].map(() => metrics.map((metric) => ({ label: metric, metric, value: 0.7, n: 12 })));
    return whyOtherLabels({ analysis: { measures: new Map([[layer, { labels }]]) } }, { layer, head }, record);
  };
  const role = "One sentence says little: the role “objects” was measured on 100 cases (the test set).";
  assert.equal(why(smallAtlas(), 1, 1, "previous"), role);
  assert.equal(why(restingAtlas(), 1, 1, "first"), "", "a sink on the corpus too");
  assert.equal(why(restingAtlas(), 1, 1, "first", "next"), role);
  for (const same of ["previous", "previous_hits"]) assert.equal(why(smallAtlas(), 0, 1, same), "");
  assert.equal(why(smallAtlas(), 1, 1), "", "no label, nothing to explain");
  const corpus = "One sentence says little: on the corpus “entropy” has 0.100 (n = 50), and no role is proven.";
  assert.equal(why(smallAtlas(), 0, 0, "entropy"), corpus);
  assert.equal(why(smallAtlas(), 0, 0, "previous"), "One sentence says little, and the corpus proves no role.");
});
