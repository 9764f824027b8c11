// A map as it is shown: nothing is lost without being counted, and by default nothing is changed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sourceOfFrame } from "../../../frontend/maps/map_lines.js";
import { makeSheet, sharesOf } from "../../../frontend/maps/sheet.js";
import { codeOfWeight } from "../../../frontend/requests/wire.js";
import { generator } from "../random.js";
import { near, randomFrame, randomSource, randomTokens, randomWeights, rowSums, treatment } from "../random_map.js";

const HIDES = ["special", "first", "both"];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const sums = (sheet) => rowSums(sheet.weights, sheet.keys.labels.length);

test("by default a sheet is the map itself, coded as the server codes it", () => {
  const random = generator(61);
  for (let round = 0; round < 20; round += 1) {
    const source = randomSource(2 + random.below(20), random, { causal: random.below(2) === 0 });
    const sheet = makeSheet(source, treatment());
    assert.deepEqual(sheet.weights, source.weights);
    assert.deepEqual(sheet.codes, Uint8Array.from(source.weights, codeOfWeight));
    assert.deepEqual([sheet.dropped, sheet.renormalised, sheet.signed, sheet.top], [0, false, false, 1]);
    assert.deepEqual(sheet.queries.labels, source.queries.map((token) => token.text));
    assert.deepEqual(sheet.limits, []);
  }
});

test("an overview keeps its very codes", () => {
  const random = generator(62);
  for (const block of [1, 3]) {
    const frame = randomFrame(13, 1, random, { block });
    const tokens = randomTokens(13, random);
    const sheet = makeSheet(sourceOfFrame(frame, 0, { queries: tokens, keys: tokens }), treatment());
    assert.deepEqual(sheet.codes, frame.values);
    assert.deepEqual([sheet.exact, sheet.block], [false, block]);
  }
});

test("words keep every row's sum, put together what they should, and lose no token", () => {
  const random = generator(63);
  for (let round = 0; round < 40; round += 1) {
    const n = 2 + random.below(25);
    const source = randomSource(n, random, { special: random.below(2) === 0 });
    const sheet = makeSheet(source, treatment({ words: true }));
    for (const sum of sums(sheet)) assert.ok(near(sum, 1));
    sheet.queries.groups.forEach((queries, row) => {
      sheet.keys.groups.forEach((keys, col) => {
        const expected = mean(queries.map((q) => keys.reduce((sum, k) => sum + source.weights[q * n + k], 0)));
        assert.ok(near(sheet.weights[row * sheet.keys.labels.length + col], expected));
      });
    });
    assert.deepEqual(sheet.keys.groups.flat(), source.keys.map((token) => token.index));
  }
});

test("what a row shows and what was dropped from it is one, on average, with and without words", () => {
  const random = generator(64);
  for (let round = 0; round < 60; round += 1) {
    const source = randomSource(4 + random.below(20), random, { causal: random.below(2) === 0 });
    const sheet = makeSheet(source, treatment({ hide: random.pick(HIDES), words: random.below(2) === 0 }));
    assert.ok(near(mean(sums(sheet)) + sheet.dropped, 1));
    assert.ok(sheet.dropped > 0 && sheet.dropped < 1);
    assert.equal(sheet.renormalised, false);
  }
});

test("renormalised rows sum to one or are empty, and keep their proportions", () => {
  const random = generator(65);
  for (let round = 0; round < 60; round += 1) {
    const source = randomSource(4 + random.below(20), random, { causal: true, special: random.below(2) === 0 });
    const chosen = { hide: random.pick(["first", "both"]), words: random.below(2) === 0 };
    const plain = makeSheet(source, treatment(chosen));
    const sheet = makeSheet(source, treatment({ ...chosen, renormalise: true }));
    assert.equal(sheet.renormalised, true);
    assert.equal(sheet.dropped, plain.dropped, "what was dropped is told all the same");
    const [before, after] = [sums(plain), sums(sheet)];
    before.forEach((sum, row) => assert.ok(near(after[row], sum > 0 ? 1 : 0)));
    const cols = sheet.keys.labels.length;
    sheet.weights.forEach((weight, at) => assert.ok(near(weight * before[Math.floor(at / cols)], plain.weights[at])));
  }
});

test("without a hidden key nothing is renormalised, whatever the rows sum to", () => {
  const source = randomSource(6, generator(66), { special: false });
  source.weights = source.weights.map((weight) => weight * 1.7);
  for (const hide of ["none", "special"]) {
    const sheet = makeSheet(source, treatment({ hide, renormalise: true }));
    assert.equal(sheet.renormalised, false);
    assert.deepEqual(sheet.weights, source.weights);
  }
});

test("a row that shows nothing stays empty", () => {
  const tokens = randomTokens(3, generator(1), { special: false });
  const weights = Float32Array.of(1, 0, 0, 1, 0, 0, 0.5, 0.25, 0.25);
  const source = { weights, exact: true, block: 1, queries: tokens, keys: tokens };
  const sheet = makeSheet(source, treatment({ hide: "first", renormalise: true }));
  assert.deepEqual([...sheet.weights], [0, 0, 0.5, 0.5]);
  assert.equal(sheet.dropped, 0.75);
});

test("shares on special tokens and on the first are those of the whole map, before hiding", () => {
  const random = generator(67);
  const source = randomSource(8, random);
  const column = (key) => mean(Array.from({ length: 8 }, (_, query) => source.weights[query * 8 + key]));
  for (const hide of ["none", ...HIDES]) {
    const sheet = makeSheet(source, treatment({ hide }));
    assert.ok(near(sheet.on_first, column(0)));
    assert.ok(near(sheet.on_sinks, column(0) + column(7)));
  }
});

test("what is dropped is a share, also of a map whose rows sum to more than one", () => {
  const source = randomSource(9, generator(72));
  const doubled = { ...source, weights: source.weights.map((weight) => 2 * weight) };
  const [once, twice] = [source, doubled].map((map) => makeSheet(map, treatment({ hide: "both" })).dropped);
  assert.ok(near(once, twice));
});

test("words need both sides unpooled", () => {
  const random = generator(73);
  const keys = randomTokens(9, random);
  const queries = randomTokens(4, random, { special: false }).map((token) => ({ ...token, word: 0 }));
  const source = { weights: randomWeights(4, 5, random), exact: false, block: 1, queries, keys };
  const sheet = makeSheet(source, treatment({ words: true }));
  assert.deepEqual([sheet.block, sheet.queries.labels.length, sheet.limits.length], [2, 4, 1]);
});

test("each axis has its own first token where queries and keys are different texts", () => {
  const random = generator(68);
  const [keys, queries] = [randomTokens(5, random), randomTokens(3, random, { special: false, from: 5 })];
  const source = { weights: randomWeights(3, 5, random), exact: true, block: 1, queries, keys };
  const sheet = makeSheet(source, treatment({ hide: "both" }));
  assert.deepEqual(sheet.queries.groups.flat(), [6, 7]);
  assert.deepEqual(sheet.keys.groups.flat(), [1, 2, 3]);
});

test("where hiding leaves nothing the sheet is empty", () => {
  const random = generator(69);
  const [special, text] = [randomTokens(2, random), randomTokens(4, random, { special: false })];
  for (const [queries, keys] of [[special, special], [text, special], [special, text]]) {
    const weights = randomWeights(queries.length, keys.length, random);
    const source = { weights, exact: true, block: 1, queries, keys };
    const sheet = makeSheet(source, treatment({ hide: "special", renormalise: true }));
    assert.deepEqual([sheet.queries, sheet.keys], [{ labels: [], groups: [] }, { labels: [], groups: [] }]);
    assert.deepEqual([sheet.weights.length, sheet.codes.length, sheet.dropped], [0, 0, 0]);
  }
});

test("a pooled map says what it cannot do, does the rest, and says nothing when nothing was asked", () => {
  const random = generator(70);
  const tokens = randomTokens(9, random);
  const source = sourceOfFrame(randomFrame(9, 1, random, { block: 2 }), 0, { queries: tokens, keys: tokens });
  assert.deepEqual(makeSheet(source, treatment({ renormalise: true })).limits, []);
  const sheet = makeSheet(source, treatment({ hide: "special", words: true, renormalise: true }));
  assert.deepEqual(sheet.limits, [
    "Word merging needs exact values.",
    "Hiding single tokens needs exact values.",
    "Renormalising needs exact values.",
  ]);
  assert.deepEqual(sheet.keys.groups, [[0, 1], [2, 3], [4, 5], [6, 7]], "the last block is special alone");
  assert.deepEqual(sheet.keys.labels, [0, 2, 4, 6].map((place) => tokens[place].text));
  assert.deepEqual([sheet.renormalised, sheet.on_sinks, sheet.on_first], [false, null, null]);
  assert.deepEqual([...sheet.weights.subarray(0, 4)], [...source.weights.subarray(0, 4)]);
});

test("a map's own range is that of what is shown, not of what is hidden", () => {
  const random = generator(71);
  const source = randomSource(10, random);
  const sheet = makeSheet(source, treatment({ hide: "both", range: "head", scale: "linear" }));
  assert.equal(sheet.top, Math.max(...sheet.weights));
  assert.equal(Math.max(...sheet.codes), 255);
});

test("the first row of a causal map, which sees nothing but the first token, is left out of the share of sinks", () => {
  const tokens = ["a", "b"].map((text, index) => ({ text, index, kind: "word_start", segment: 0 }));
  const source = { weights: Float32Array.of(1, 0, 0.25, 0.75), exact: true, block: 1, queries: tokens, keys: tokens };
  assert.equal(sharesOf({ ...source, causal: true }).on_first, 0.25);
  assert.equal(sharesOf(source).on_first, 0.625);
});
