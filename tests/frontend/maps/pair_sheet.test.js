// Two maps as one sheet: token by token, or unit by unit where their texts differ.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pooledTo, shapeOf, sourceOfFrame } from "../../../frontend/maps/map_lines.js";
import { pairSheet } from "../../../frontend/maps/pair_sheet.js";
import { makeSheet } from "../../../frontend/maps/sheet.js";
import { generator } from "../random.js";
import { near, randomFrame, randomSource, randomTokens, rowSums, treatment } from "../random_map.js";

const HIDES = ["none", "special", "first", "both"];
const texts = (list) =>
  list.map((text, index) => {
    const isSpecial = text.startsWith("[");
    const kind = isSpecial ? "special" : "word_start";
    return { index, text, kind, word: isSpecial ? null : index, segment: 0 };
  });
const unit = (one, other, text, other_text = text) => ({ one, other, text, other_text });
const mapOf = (tokens, rows) => {
  const weights = Float32Array.from(rows.flat());
  return { weights, exact: true, block: 1, queries: tokens, keys: tokens };
};
const own = (tokens) => tokens.map((token) => unit([token.index], [token.index], token.text));
const all = (treatments) => treatments.map((changes) => treatment(changes));

function twoHeads(random) {
  const n = 4 + random.below(16);
  const tokens = randomTokens(n, random);
  return [randomSource(n, random, { tokens }), randomSource(n, random, { tokens })];
}

test("of the same tokens the sheet is that of one minus that of the other, or the smaller of both", () => {
  const random = generator(81);
  for (let round = 0; round < 60; round += 1) {
    const [one, other] = twoHeads(random);
    const [words, renormalise] = [random.below(2) === 0, random.below(2) === 0];
    const chosen = treatment({ hide: random.pick(HIDES), words, renormalise });
    const [mine, theirs] = [one, other].map((source) => makeSheet(source, chosen));
    const difference = pairSheet("difference", one, other, null, chosen);
    const agreement = pairSheet("agreement", one, other, null, chosen);
    assert.deepEqual(difference.queries.groups, mine.queries.groups);
    assert.deepEqual(difference.keys.labels, mine.keys.labels);
    mine.weights.forEach((weight, at) => {
      assert.ok(near(difference.weights[at], weight - theirs.weights[at]));
      assert.ok(near(agreement.weights[at], Math.min(weight, theirs.weights[at])));
    });
    assert.ok(near(difference.dropped, (mine.dropped + theirs.dropped) / 2));
    assert.deepEqual([difference.signed, agreement.signed], [true, false]);
    assert.deepEqual(difference.unaligned, { one: 0, other: 0 });
  }
});

test("differences take both maps' attention as a whole: rows sum to nothing, and order only turns the sign", () => {
  const random = generator(82);
  for (let round = 0; round < 20; round += 1) {
    const [one, other] = twoHeads(random);
    const there = pairSheet("difference", one, other, null, treatment());
    const back = pairSheet("difference", other, one, null, treatment());
    for (const sum of rowSums(there.weights, there.keys.labels.length)) assert.ok(near(sum, 0));
    there.weights.forEach((weight, at) => assert.equal(weight, -back.weights[at]));
    there.codes.forEach((code, at) => there.weights[at] !== 0 && assert.equal(code, 255 - back.codes[at]));
  }
});

test("while sinks are dimmed the last colour is the largest difference apart from them, in hundredths", () => {
  const [one, other] = twoHeads(generator(87));
  const { top, weights, sinks } = pairSheet("difference", one, other, null, treatment({ sinks: "dim", top: 1 }));
  const n = sinks.length;
  const largest = Math.max(...weights.filter((_, at) => sinks[at % n] === 0).map(Math.abs));
  assert.ok(top < 1 && top - largest >= -1e-6 && top - largest < 0.01);
  assert.equal(pairSheet("difference", one, other, null, treatment({ sinks: "show", top: 1 })).top, 1);
});

test("a head does not differ from itself and agrees with itself", () => {
  const [one] = twoHeads(generator(83));
  assert.ok(pairSheet("difference", one, one, null, treatment({ scale: "rank" })).codes.every((code) => code === 128));
  assert.deepEqual(pairSheet("agreement", one, one, null, treatment()).codes, makeSheet(one, treatment()).codes);
});

test("units that match every token with itself change nothing, hidden or not, words or not", () => {
  const random = generator(84);
  for (let round = 0; round < 30; round += 1) {
    const [one, other] = twoHeads(random);
    for (const chosen of all(HIDES.flatMap((hide) => [{ hide }, { hide, renormalise: true }, { hide, words: true }]))) {
      const plain = pairSheet("difference", one, other, null, chosen);
      assert.deepEqual(pairSheet("difference", one, other, own(one.queries), chosen), plain);
    }
  }
});

test("what is shown, hidden and without a match is together the whole of each side", () => {
  const random = generator(85);
  for (let round = 0; round < 60; round += 1) {
    const [one, other] = [randomSource(6 + random.below(9), random), randomSource(6 + random.below(9), random)];
    const units = own(one.queries.slice(0, 6)).filter(() => random.below(4) > 0);
    const chosen = treatment({ hide: random.pick(["none", "special"]) });
    const sheet = pairSheet("difference", one, other, units, chosen);
    if (sheet.keys.labels.length === 0) continue;
    const share = (source, places, shown) => {
      const n = source.keys.length;
      const rows = places.map((query) => shown.reduce((sum, key) => sum + source.weights[query * n + key], 0));
      return rows.reduce((sum, value) => sum + value, 0) / rows.length;
    };
    const hidden = (source) => (chosen.hide === "none" ? [] : [0, source.keys.length - 1]);
    const [queries, keys] = [sheet.queries, sheet.keys];
    const left = share(one, queries.groups.flat(), keys.groups.flat());
    const right = share(other, queries.groups_other.flat(), keys.groups_other.flat());
    const goneLeft = share(one, queries.groups.flat(), hidden(one));
    const goneRight = share(other, queries.groups_other.flat(), hidden(other));
    assert.ok(near(sheet.unaligned.one, 1 - left - goneLeft));
    assert.ok(near(sheet.unaligned.other, 1 - right - goneRight));
    assert.ok(near(sheet.dropped, (goneLeft + goneRight) / 2));
  }
});

test("units sum over keys and take the mean over queries, on both sides", () => {
  const one = mapOf(texts(["too", "tired"]), [[0.25, 0.75], [0.5, 0.5]]);
  const other = mapOf(texts(["too", "wi", "de", "!"]), [
    [0.5, 0.25, 0.25, 0],
    [0, 0.25, 0.5, 0.25],
    [0.5, 0.5, 0, 0],
    [1, 0, 0, 0],
  ]);
  const units = [unit([0], [0], "too"), unit([1], [1, 2], "tired", "wide"), unit([], [3], "", "!")];
  const sheet = pairSheet("difference", one, other, units, treatment());
  assert.deepEqual(sheet.keys, { labels: ["too", "tired / wide"], groups: [[0], [1]], groups_other: [[0], [1, 2]] });
  assert.deepEqual([...sheet.weights], [-0.25, 0.25, 0.25, -0.125]);
  assert.deepEqual(sheet.unaligned, { one: 0, other: 0.0625 });
  assert.deepEqual([...pairSheet("agreement", one, other, units, treatment()).weights], [0.25, 0.5, 0.25, 0.5]);
});

test("units become words on both sides, and say that they did", () => {
  const [didn, mark, t] = ["didn", "'", "t"].map((text, at) => ({ text, start: at * 4 - (at === 2 ? 3 : 0) }));
  const said = (tokens) => tokens.map((token, place) => ({ ...texts([token.text])[0], index: place, word: place, ...token }));
  const placed = [didn, mark, t].map(({ text, start }) => ({ text, start, end: start + text.length }));
  const one = mapOf(said([...placed, { text: "go" }]), [[0.5, 0.25, 0.25, 0], [0.25, 0.25, 0.25, 0.25], [0, 0, 0, 1], [1, 0, 0, 0]]);
  const other = mapOf(said([{ text: "did" }, { text: "go" }]), [[0.5, 0.5], [0.25, 0.75]]);
  const units = [unit([0], [0], "didn", "did"), unit([1], [], "'", ""), unit([2], [], "t", ""), unit([3], [1], "go")];
  const sheet = pairSheet("difference", one, other, units, treatment({ words: true }));
  assert.deepEqual(sheet.keys, { labels: ["didn't / did", "go"], groups: [[0, 1, 2], [3]], groups_other: [[0], [1]] });
  const [mean, rest] = [(1 + 0.75 + 0) / 3, (0 + 0.25 + 1) / 3];
  [mean - 0.5, rest - 0.5, 1 - 0.25, 0 - 0.75].forEach((weight, at) => assert.ok(near(sheet.weights[at], weight)));
  assert.deepEqual([sheet.unaligned, sheet.merged], [{ one: 0, other: 0 }, true]);
  const plain = pairSheet("difference", one, other, units, treatment());
  assert.deepEqual([plain.keys.labels, plain.merged], [["didn / did", "go"], false]);
});

test("a unit goes when hiding empties one of its sides, and renormalising counts only what is shown", () => {
  const one = mapOf(texts(["[CLS]", "the", "cat"]), [[1, 0, 0], [0.5, 0.25, 0.25], [0.5, 0, 0.5]]);
  const other = mapOf(texts(["the", "cat"]), [[1, 0], [0.75, 0.25]]);
  const units = [unit([0], [], "[CLS]", ""), unit([1], [0], "the"), unit([2], [1], "cat")];
  const special = pairSheet("difference", one, other, units, treatment({ hide: "special", renormalise: true }));
  assert.deepEqual(special.queries.labels, ["the", "cat"]);
  assert.deepEqual([...special.weights], [-0.5, 0.5, -0.75, 0.75]);
  assert.deepEqual([special.dropped, special.unaligned], [0.25, { one: 0, other: 0 }]);
  const doubled = { ...other, weights: other.weights.map((weight) => 2 * weight) };
  const again = pairSheet("difference", one, doubled, units, treatment({ hide: "special", renormalise: true }));
  assert.deepEqual(again.weights, special.weights, "both sides are renormalised, also that which hides nothing");
  const first = pairSheet("difference", one, other, units, treatment({ hide: "both" }));
  assert.deepEqual(first.queries, { labels: ["cat"], groups: [[2]], groups_other: [[1]] });
  assert.deepEqual([...first.weights], [0.25]);
  assert.equal(first.dropped, (0.5 + 0.75) / 2);
});

test("each axis takes the units of its own tokens", () => {
  const random = generator(86);
  const tokens = randomTokens(7, random, { special: false });
  const [keys, queries] = [tokens.slice(0, 4), tokens.slice(4)];
  const source = { weights: new Float32Array(12).fill(0.25), exact: true, block: 1, queries, keys };
  const sheet = pairSheet("agreement", source, source, own(tokens), treatment());
  assert.deepEqual(sheet.queries.groups, [[4], [5], [6]]);
  assert.deepEqual(sheet.keys.groups, [[0], [1], [2], [3]]);
  assert.ok(sheet.weights.every((weight) => weight === 0.25));
});

test("where nothing matches or everything is hidden the sheet is empty", () => {
  const [one, other] = twoHeads(generator(87));
  const nothing = pairSheet("difference", one, other, [unit([0], [], "a", "")], treatment());
  const ends = own([one.queries[0], one.queries.at(-1)]);
  for (const sheet of [nothing, pairSheet("difference", one, other, ends, treatment({ hide: "special" }))]) {
    assert.deepEqual([sheet.queries.labels, sheet.keys.labels, sheet.codes.length], [[], [], 0]);
  }
});

test("an exact map is pooled to be compared with a pooled one, and the sheet says so", () => {
  const random = generator(88);
  const tokens = randomTokens(9, random);
  const pooled = sourceOfFrame(randomFrame(9, 1, random, { block: 2 }), 0, { queries: tokens, keys: tokens });
  const exact = randomSource(9, random, { tokens });
  const coarse = pooledTo(exact, shapeOf(pooled));
  for (const [one, other, sign] of [[exact, pooled, 1], [pooled, exact, -1]]) {
    const sheet = pairSheet("difference", one, other, null, treatment({ words: true }));
    assert.deepEqual([sheet.exact, sheet.block, sheet.queries.labels.length], [false, 2, 5]);
    assert.deepEqual(sheet.limits, ["Word merging needs exact values."]);
    sheet.weights.forEach((weight, at) => assert.ok(near(weight, sign * (coarse.weights[at] - pooled.weights[at]))));
  }
});

test("units on pooled maps read the blocks of their tokens, each block once, and the sheet says so", () => {
  const random = generator(89);
  const tokens = randomTokens(6, random, { special: false });
  const pooled = sourceOfFrame(randomFrame(6, 1, random, { block: 2 }), 0, { queries: tokens, keys: tokens });
  const units = [unit([0, 1], [0, 1], "ab"), unit([4], [4], "e")];
  const sheet = pairSheet("agreement", pooled, pooled, units, treatment({ words: true }));
  assert.deepEqual(sheet.limits, [
    "Matching two texts token by token needs exact values of both maps.",
    "Word merging needs exact values.",
  ]);
  assert.equal(sheet.merged, false);
  assert.deepEqual([...sheet.weights], [0, 2, 6, 8].map((at) => pooled.weights[at]));
});

test("maps of different tokens without units are refused in words", () => {
  const random = generator(90);
  const [one, other] = [randomSource(4, random), randomSource(5, random)];
  assert.throws(() => pairSheet("difference", one, other, null, treatment()), /different tokens/);
});

test("what only one of two models may attend to is no difference", () => {
  const tokens = texts(["one", "two"]);
  const both = { ...mapOf(tokens, [[0.4, 0.6], [0.5, 0.5]]), causal: false };
  const back = { ...mapOf(tokens, [[1, 0], [0.2, 0.8]]), causal: true };
  for (const [one, other, sign] of [[both, back, 1], [back, both, -1]]) {
    const sheet = pairSheet("difference", one, other, own(tokens), treatment({}));
    assert.equal(sheet.causal, true);
    near(sheet.weights, [-0.6, 0, 0.3, -0.3].map((weight) => sign * weight));
  }
});
