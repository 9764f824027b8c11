// The numbers in words, and how tokens are written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fitted, labelStep, tokenInWords, unbroken, weightText } from "../../../frontend/page/labels.js";
import { linkRule, named, readout, sharesOf, shownShare, spoken, spotOn, strongestBetweenWords } from "../../../frontend/maps/readout.js";
import { makeSheet } from "../../../frontend/maps/sheet.js";
import { generator } from "../random.js";
import { randomSource, treatment } from "../random_map.js";

const axis = (...labels) => ({ labels, groups: labels.map((_, at) => [at]) });
const weights = Float32Array.from([1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.5, 0.125, 0.125, 0, 0.25, 0.25, 0.5]);
const words = axis("The", "animal", "it", ".");
const sheet = { weights, queries: words, keys: words, exact: true, signed: false };
const everything = () => true;
const focus = (queries, keys = []) => ({ side: "a", queries, keys });
const spot = (rows, cols = []) => ({ rows, cols });

test("a pair of tokens gives the one exact value", () => {
  const said = readout(sheet, spot([2], [1]), everything);
  assert.deepEqual(said, { lead: "it →", entries: [{ label: "animal", weight: 0.5 }], exact: true });
});

test("a query gives its three strongest keys, a key its three strongest queries", () => {
  const keys = readout(sheet, spot([2]), everything).entries;
  assert.deepEqual(
    keys.map((entry) => entry.label),
    ["animal", "The", "it"],
  );
  const queries = readout(sheet, spot([], [0]), everything).entries;
  assert.deepEqual(
    queries.map((entry) => [entry.label, entry.weight]),
    [
      ["The", 1],
      ["animal", 0.5],
      ["it", 0.25],
    ],
  );
});

test("several queries give their mean, several keys their sum, both the mean of the sums", () => {
  const said = readout(sheet, spot([0, 2], [0, 1]), everything);
  assert.deepEqual(said, { lead: "The + it →", entries: [{ label: "The + animal", weight: 0.875 }], exact: true });
  assert.deepEqual(readout(sheet, spot([0, 1]), everything).entries, [
    { label: "The", weight: 0.75 },
    { label: "animal", weight: 0.25 },
  ]);
  const to = readout(sheet, spot([], [1, 2]), everything);
  assert.equal(to.lead, "→ animal + it from");
  assert.deepEqual(to.entries.map(({ label, weight }) => [label, weight]), [["it", 0.625], ["animal", 0.5], [".", 0.5]]);
});

test("a link to a later token of a causal map has no weight, and says so", () => {
  const causal = { ...sheet, causal: true };
  const masked = { label: "it", weight: 0, isMasked: true };
  assert.deepEqual(readout(causal, spot([0, 1], [2]), everything).entries, [masked]);
  assert.equal(spoken("L0 H0", readout(causal, spot([1], [2]), everything)), "L0 H0: animal → it masked: it comes later");
  assert.deepEqual(readout(causal, spot([1], [0]), everything).entries, [{ label: "The", weight: 0.5 }], "earlier tokens have a number");
  assert.deepEqual(readout(causal, spot([1, 2], [2]), everything).entries, [{ label: "it", weight: 0.125 }], "of the queries that see it");
  assert.deepEqual(readout(sheet, spot([0], [2]), everything).entries, [{ label: "it", weight: 0 }], "where nothing is masked 0 is a weight");
});

test("a text that stands more than once is told apart by its running number", () => {
  const twice = { ...axis("the", "fox", "the", "."), groups: [[4], [5, 6], [7], [8]] };
  const said = { ...sheet, queries: twice, keys: twice };
  assert.equal(named(twice, [0, 1, 2]), "the ·4 + fox + the ·7");
  assert.equal(readout(said, spot([1], [0]), everything).lead, "fox →");
  assert.deepEqual(readout(said, spot([2]), everything).entries.map(({ label }) => label), ["fox", "the ·4", "the ·7"]);
});

test("whatever tokens are chosen, all keys together get as much as the rows hold", () => {
  const random = generator(61);
  for (let round = 0; round < 60; round += 1) {
    const n = 2 + random.below(9);
    const made = makeSheet(randomSource(n, random), treatment());
    const rows = Array.from({ length: n }, (_, at) => at).filter(() => random.below(2) === 0);
    if (rows.length === 0) continue;
    const all = readout(made, spot(rows, [...Array(n).keys()]), everything).entries[0].weight;
    assert.ok(Math.abs(all - 1) < 1e-5, `${all}`);
  }
});

test("chosen tokens are named, many of them by the first three", () => {
  assert.equal(named(words, [0]), "The");
  assert.equal(named(words, [0, 1, 2]), "The + animal + it");
  assert.equal(named(words, [0, 1, 2, 3]), "The + animal + it + 1 more");
});

test("a token chosen alone is shown at the only end it has where queries and keys are two texts", () => {
  const cross = { queries: { labels: ["le", "chat"], groups: [[4], [5]] }, keys: { labels: ["the", "cat"], groups: [[0], [1]] } };
  assert.deepEqual(spotOn(cross, focus([1])), spot([], [1]));
  assert.deepEqual(spotOn(cross, focus([], [5])), spot([1]));
  assert.deepEqual(spotOn(cross, focus([1, 4])), spot([0]), "of several those that look");
  assert.equal(spotOn(cross, focus([0], [4])), null, "a link is not turned round");
});

test("a focus lies on the lines its tokens are behind: words, blocks, parts of a longer list", () => {
  const merged = { queries: { labels: ["a", "bc"], groups: [[4], [5, 6]] }, keys: { labels: ["x"], groups: [[0, 1]] } };
  assert.deepEqual(spotOn(merged, focus([6])), spot([1]));
  assert.deepEqual(spotOn(merged, focus([5, 6], [0])), spot([1], [0]), "each line once");
  assert.deepEqual(spotOn(merged, focus([4, 6], [1])), spot([0, 1], [0]));
  assert.equal(spotOn(merged, focus([7])), null, "it is not here");
  assert.equal(spotOn(merged, null), null);
});

test("a chosen token that is not shown makes no row of a link", () => {
  const hidden = { queries: { labels: ["b"], groups: [[1]] }, keys: { labels: ["b"], groups: [[1]] } };
  assert.equal(spotOn(hidden, focus([1], [0])), null);
  assert.equal(spotOn(hidden, focus([0], [1])), null);
  assert.deepEqual(spotOn(hidden, focus([0, 1], [1])), spot([0], [0]), "of several the shown ones count");
});

test("in a pooled overview each token reads the cell of its block", () => {
  const pooled = makeSheet({ ...randomSource(4, generator(62)), weights: Float32Array.from([1, 0.5, 0.25, 0.75]), exact: false, block: 2 }, treatment());
  const read = (query, key) => readout(pooled, spotOn(pooled, focus([query], [key])), everything).entries[0].weight;
  assert.deepEqual([read(0, 1), read(1, 2), read(2, 0), read(3, 3)], [1, 0.5, 0.25, 0.75]);
});

test("the strongest partners are those the filter shows, with their values as they are", () => {
  const entries = readout(sheet, spot([2]), (_, key) => key !== 1).entries;
  assert.deepEqual(
    entries.map((entry) => entry.weight),
    [0.25, 0.125, 0.125],
  );
  assert.deepEqual(readout(sheet, spot([2]), () => false).entries, []);
});

test("of differences the largest come first, less or more, each with its sign", () => {
  const signed = { ...sheet, weights: Float32Array.from(weights, (weight, at) => (at % 2 === 0 ? -weight : weight)), signed: true };
  const entries = readout(signed, spot([2]), everything).entries;
  assert.deepEqual(
    entries.map(({ label, weight }) => [label, weight]),
    [
      ["animal", 0.5],
      ["The", -0.25],
      ["it", -0.125],
    ],
  );
  assert.equal(shownShare(signed, everything), 1);
});

test("the shown share is the shown weight over all weight", () => {
  assert.equal(shownShare(sheet, everything), 1);
  assert.equal(
    shownShare(sheet, (query) => query === 0),
    0.25,
  );
  assert.equal(
    shownShare(sheet, () => false),
    0,
  );
});

test("what lies on special and first tokens is said, with what was hidden or stands opposite nothing", () => {
  const none = { on_first: null, on_sinks: null, sinks: Uint8Array.of(1, 0), dimmed: false, dropped: 0, renormalised: false, unaligned: null };
  assert.deepEqual(sharesOf(none), []);
  assert.deepEqual(sharesOf({ ...none, on_first: 0.2, on_sinks: 0.2 }), ["Sinks take 20 % of the attention in this map: all of it the first token."]);
  const some = { ...none, on_first: 0.25, on_sinks: 0.5 };
  assert.deepEqual(sharesOf(some), ["Sinks take 50 % of the attention in this map: the first token 25 %, special tokens after it 25 %."]);
  assert.deepEqual(sharesOf({ ...some, dimmed: true }), ["Sinks take 50 % of the attention in this map (dimmed): the first token 25 %, special tokens after it 25 %."]);
  const hidden = { ...some, dimmed: true, sinks: Uint8Array.of(0) };
  assert.deepEqual(sharesOf(hidden), sharesOf(some), "a column that is hidden is not dimmed");
  assert.deepEqual(sharesOf({ ...none, dropped: 0.5 }), ["Hidden: 50 % of the weight."]);
  assert.deepEqual(sharesOf({ ...none, dropped: 0.5, renormalised: true }), ["Hidden: 50 % of the weight; rows renormalised."]);
  assert.deepEqual(sharesOf({ ...none, unaligned: { one: 0.125, other: 0 } }), ["On tokens without a counterpart: 13 % and 0 %."]);
  assert.deepEqual(sharesOf({ ...none, unaligned: { one: 0, other: 0 } }), []);
});

test("the rule of the drawn links is stated, with what was left out", () => {
  assert.equal(linkRule({ links: [], dropped: 0 }, 50, false), "Strongest links, 50 % of each row's mass.");
  assert.equal(linkRule({ links: [], dropped: 0 }, 50, false, true), "Strongest links, 50 % of each row's mass apart from sinks.");
  assert.equal(linkRule({ links: [], dropped: 0 }, 0, false), "Strongest links, 0 % of each row's mass.");
  assert.equal(
    linkRule({ links: new Array(400), dropped: 7 }, 90, true),
    "Strongest links, 90 % of each row's shown mass, the top 400 of 407.",
  );
});

test("rough numbers are called so when they are spoken", () => {
  const said = readout(sheet, spot([2], [1]), everything);
  assert.equal(spoken("L3 H5", said), "L3 H5: it → animal 0.5000");
  assert.equal(spoken("L3 H5", { ...said, exact: false }), "L3 H5: it → animal about 0.5000");
  assert.equal(spoken("L3 H5", { ...said, entries: [] }), "L3 H5: it → nothing shown");
});

test("in words a very long token is cut by whole characters, any other is whole", () => {
  for (const text of ["it", "x".repeat(28), "👍".repeat(28)]) assert.equal(tokenInWords({ text }), text);
  assert.equal(tokenInWords({ text: "👍".repeat(200) }), `${"👍".repeat(27)}…`);
  const long = axis("y".repeat(200));
  const said = readout({ ...sheet, weights: Float32Array.of(1), queries: long, keys: long }, spot([0]), everything);
  assert.ok(said.lead.endsWith("y… →"));
  assert.ok(said.entries[0].label.endsWith("y…"));
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

test("of overlaid heads each says its value of a link, or its strongest partner", () => {
  const even = { ...sheet, weights: weights.map(() => 0.25) };
  const overlay = { ...sheet, overlaid: [{ name: "L0 H0", sheet }, { name: "L1 H2", sheet: even }] };
  const link = readout(overlay, { rows: [2], cols: [1] }, everything);
  assert.deepEqual(link, { lead: "it → animal", entries: [{ label: "L0 H0", weight: 0.5 }, { label: "L1 H2", weight: 0.25 }], exact: true });
  const row = readout(overlay, { rows: [2], cols: [] }, everything);
  assert.deepEqual(row.entries.map(({ label }) => label), ["L0 H0 animal", "L1 H2 The"]);
});

test("a head connects a token to the word it attends to most, unless a sink or the token itself gets more", () => {
  const sheet = {
    ...{ signed: false, sinks: Uint8Array.of(1, 0, 0), weights: Float32Array.of(0.2, 0.3, 0.5, 0.6, 0.3, 0.1, 0.1, 0.7, 0.2) },
    queries: { labels: ["[CLS]", "cat", "it"], groups: [[0], [1], [2]] },
    keys: { labels: ["[CLS]", "cat", "it"], groups: [[0], [1], [2]] },
  };
  const said = (rows, cols = []) => {
    const link = strongestBetweenWords(sheet, { rows, cols });
    return link && [link.from, link.to, link.sink, link.isPair, link.isItself];
  };
  assert.deepEqual(said([2]), ["it", "cat", null, false, false]);
  assert.deepEqual(said([1]), ["cat", "it", "[CLS]", false, false]);
  assert.deepEqual(said([1], [2]), ["cat", "it", null, true, false], "what was chosen is spoken of");
  assert.deepEqual(said([1], [0]), ["cat", "[CLS]", "[CLS]", true, false], "a chosen sink is called one");
  sheet.weights[4] = 0.8;
  assert.deepEqual(said([1]), ["cat", "it", null, false, true]);
  assert.equal(said([1, 2]), null);
});
