// A head's numbers: on the corpus each with its n and interval, and nothing where there was no case.

import assert from "node:assert/strict";
import { test } from "node:test";

import { onCorpus, onSentence } from "../../../../frontend/views/head_card/head_numbers.js";
import { smallAtlas } from "../../small_atlas.js";

const record = smallAtlas();
const measure = { ...record.measures.gap, n: 1234, baseline: 0.5, low: [0, 0.4, null], high: [0, 0.6, null] };
const told = (measures, head) => onCorpus({ ...record, measures }, { layer: 0, head }, "gap");

test("a number of the corpus carries its n, its interval and its baseline", () => {
  assert.deepEqual(told({ gap: measure }, 1), {
    text: "0.520",
    title: "n = 1,234, 95 % interval 0.400 to 0.600, baseline 0.500",
  });
});

test("what the corpus has no case of is said, never a zero", () => {
  assert.equal(told({ gap: { ...measure, n: 0 } }, 2).text, "no case in the corpus");
  assert.equal(told({ gap: measure }, 2).text, "undefined");
  assert.equal(told({ gap: measure }, 0).text, "0.500");
  assert.match(told({}, 0).title, /Not measured/);
});

test("value-weighted numbers stand beside value-weighted ones, and what is raw is said to be", () => {
  const weighted = (measure) => onCorpus({ ...record, measures: { gap: measure } }, { layer: 0, head: 1 }, "gap", true);
  assert.deepEqual(weighted({ ...measure, weighted: [0.1, 0.25, null] }), { text: "0.250", title: "n = 1,234" });
  assert.equal(weighted({ ...measure, weighted: null }).text, "0.520 raw");
  assert.match(weighted({ ...measure, weighted: null }).title, /interval/);
});

test("on the sentence a number is awaited, told with its n, or never to come", () => {
  const told = (analysis, values = "raw") => onSentence({ analysis, values }, { layer: 0, head: 1 }, "previous");
  const opportunities = { previous: { n: 4, baseline: 0.25, ceiling: 1 } };
  assert.equal(told({ measures: new Map(), opportunities }).text, "…");
  const measures = new Map([[0, { raw: { previous: [0.1, 0.5] }, weighted: null, labels: [[], []] }]]);
  assert.deepEqual(told({ measures, opportunities }), { text: "0.500", title: "uniform attention: 0.250", n: "4" });
  assert.equal(told({ measures, opportunities }, "both").text, "0.500");
  assert.equal(told({ measures, opportunities }, "weighted").text, "…", "a raw answer has no value-weighted number");
  const both = new Map([[0, { ...measures.get(0), weighted: { previous: [0.2, 0.75] } }]]);
  assert.equal(told({ measures: both, opportunities }, "weighted").text, "0.750");
  assert.equal(told({ measures: new Map(), opportunities: null }).text, "not measured for cross-attention");
});
