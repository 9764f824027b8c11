// The numbers in words, and how tokens are written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fitted, labelStep, labelsOf, tokenInWords, unbroken, weightText } from "../../frontend/labels.js";
import { linkRule, readout, shownShare, spoken } from "../../frontend/readout.js";

const tokens = ["The", "animal", "it", "."].map((text, index) => ({ index, text }));
const weights = Float32Array.from([1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.5, 0.125, 0.125, 0, 0.25, 0.25, 0.5]);
const map = { weights, codes: new Uint8Array(16), rows: 4, cols: 4, block: 1, n_queries: 4, n_keys: 4 };
const everything = () => true;

test("a pair of tokens gives the one exact value", () => {
  const said = readout(map, tokens, { query: 2, key: 1 }, everything);
  assert.deepEqual(said, { lead: "it →", entries: [{ label: "animal", weight: 0.5 }], exact: true });
});

test("a query gives its three strongest keys, a key its three strongest queries", () => {
  const keys = readout(map, tokens, { query: 2, key: null }, everything).entries;
  assert.deepEqual(
    keys.map((entry) => entry.label),
    ["animal", "The", "it"],
  );
  const queries = readout(map, tokens, { query: null, key: 0 }, everything).entries;
  assert.deepEqual(
    queries.map((entry) => [entry.label, entry.weight]),
    [
      ["The", 1],
      ["animal", 0.5],
      ["it", 0.25],
    ],
  );
});

test("the strongest partners are those the filter shows, with their values as they are", () => {
  const entries = readout(map, tokens, { query: 2, key: null }, (_, key) => key !== 1).entries;
  assert.deepEqual(
    entries.map((entry) => entry.weight),
    [0.25, 0.125, 0.125],
  );
});

test("the shown share is the shown weight over all weight", () => {
  assert.equal(shownShare(map, everything), 1);
  assert.equal(
    shownShare(map, (query) => query === 0),
    0.25,
  );
  assert.equal(
    shownShare(map, () => false),
    0,
  );
});

test("the rule of the drawn links is stated, with what was left out", () => {
  assert.equal(linkRule({ links: [], dropped: 0 }, false), "Strongest links, 50 % of each row's mass.");
  assert.equal(
    linkRule({ links: new Array(400), dropped: 7 }, true),
    "Strongest links, 50 % of each row's shown mass, the top 400 of 407.",
  );
});

test("rough numbers are called so when they are spoken", () => {
  const said = readout(map, tokens, { query: 2, key: 1 }, everything);
  assert.equal(spoken(3, 5, said), "L3 H5: it → animal 0.5000");
  assert.equal(spoken(3, 5, { ...said, exact: false }), "L3 H5: it → animal about 0.5000");
});

test("tokens are written as the server writes them, in one list for one analysis", () => {
  const given = ["␣", "the cat", "⟨ZWSP⟩"].map((text, index) => ({ index, text }));
  assert.deepEqual(labelsOf(given), ["␣", "the cat", "⟨ZWSP⟩"]);
  assert.equal(labelsOf(given), labelsOf(given));
});

test("in words a very long token is cut by whole characters, any other is whole", () => {
  for (const text of ["it", "x".repeat(28), "👍".repeat(28)]) assert.equal(tokenInWords({ text }), text);
  assert.equal(tokenInWords({ text: "👍".repeat(200) }), `${"👍".repeat(27)}…`);
  const long = [{ index: 0, text: "y".repeat(200) }];
  const one = { ...map, weights: Float32Array.from([1]), n_queries: 1, n_keys: 1 };
  assert.ok(readout(one, long, { query: 0, key: 0 }, everything).lead.endsWith("y… →"));
});

test("tiny weights are not shown as zero", () => {
  assert.equal(weightText(0), "0.0000");
  assert.equal(weightText(1e-6), "<0.0001");
});

test("a label is cut by whole characters until it fits", () => {
  const measure = { measureText: (text) => ({ width: [...text].length * 10 }) };
  assert.equal(fitted(measure, "short", 50), "short");
  assert.equal(fitted(measure, "👍👍👍👍", 30), "👍👍…");
  assert.equal(labelStep(3, 12), 4);
  assert.equal(labelStep(30, 12), 1);
});

test("no line ends between a number and its percent sign or inside n = 5", () => {
  assert.equal(unbroken("75 % of 898, n = 12 (95 % interval)"), "75\u00a0% of 898, n\u00a0=\u00a012 (95\u00a0% interval)");
});
