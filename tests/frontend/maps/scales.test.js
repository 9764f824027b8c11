// Weights as colour steps: order is kept, the default is what the server codes, legends stand where their colours are.

import assert from "node:assert/strict";
import { test } from "node:test";

import { legendTicks, scaleWords, scaledCodes, topOf } from "../../../frontend/maps/scales.js";
import { codeOfWeight } from "../../../frontend/requests/wire.js";
import * as tables from "../../../frontend/state/scales.js";
import { generator } from "../random.js";
import { near, randomWeights } from "../random_map.js";

const SCALES = Object.keys(tables.SCALES);
const FORMULAS = Object.keys(tables.FORMULAS);

test("square root with a fixed range is the code the server uses, for every weight", () => {
  const random = generator(1);
  const weights = Float32Array.from([0, 1, 1e-9, 2, ...Array.from({ length: 5000 }, () => random.next() ** 5)]);
  const codes = scaledCodes(weights, "sqrt", 1, false);
  weights.forEach((weight, at) => assert.equal(codes[at], codeOfWeight(weight)));
});

for (const scale of SCALES) {
  test(`on the ${scale} scale a larger weight never has a lower colour, and nothing has the lowest`, () => {
    const random = generator(2);
    for (const range of ["fixed", "head"]) {
      const weights = Float32Array.from([0, ...randomWeights(20, 20, random, true)]);
      const codes = scaledCodes(weights, scale, topOf(weights, { scale, range }), false);
      const order = [...weights.keys()].sort((one, other) => weights[one] - weights[other]);
      for (let at = 1; at < order.length; at += 1) assert.ok(codes[order[at]] >= codes[order[at - 1]]);
      weights.forEach((weight, at) => weight === 0 && assert.equal(codes[at], 0));
    }
  });

  test(`on the ${scale} scale a difference and its opposite have mirrored colours`, () => {
    const random = generator(3);
    const weights = Float32Array.from({ length: 300 }, () => (random.next() - 0.5) * 2 + 1e-3);
    for (const range of ["fixed", "head"]) {
      const top = topOf(weights, { scale, range });
      const codes = scaledCodes(weights, scale, top, true);
      const mirrored = scaledCodes(weights.map((weight) => -weight), scale, top, true);
      codes.forEach((code, at) => {
        assert.equal(code + mirrored[at], 255);
        assert.equal(code >= 128, weights[at] > 0);
      });
    }
    assert.equal(scaledCodes(Float32Array.of(0), scale, 1, true)[0], 128);
  });
}

test("a map's own range gives its largest weight the last colour, on every scale", () => {
  const weights = Float32Array.from([0.02, 0.13, 0, 0.05]);
  for (const scale of FORMULAS) {
    const top = topOf(weights, { scale, range: "head" });
    assert.ok(near(top, 0.13));
    assert.equal(scaledCodes(weights, scale, top, false)[1], 255);
    assert.equal(topOf(weights, { scale, range: "fixed" }), 1);
  }
  assert.ok(near(topOf(Float32Array.of(-0.4, 0.1), { scale: "linear", range: "head" }), 0.4), "differences by size");
  assert.ok(near(topOf(weights, { scale: "rank", range: "fixed" }), 0.13), "the highest rank is the largest weight");
  assert.equal(topOf(new Float32Array(4), { scale: "linear", range: "head" }), 1, "an empty map needs no own range");
});

test("the log scale covers four powers of ten", () => {
  const codes = scaledCodes(Float32Array.of(1, 0.1, 0.01, 0.001, 0.0001, 0.00001), "log", 1, false);
  assert.deepEqual([...codes], [255, 191, 127, 64, 0, 0]);
});

test("ties share their average rank, and scaling all weights changes no rank", () => {
  const weights = Float32Array.of(0, 0.5, 0.1, 0.1, 0.3);
  const parts = [0, 4 / 4, 1.5 / 4, 1.5 / 4, 3 / 4];
  assert.deepEqual([...scaledCodes(weights, "rank", 1, false)], parts.map((part) => Math.round(255 * part)));
  const random = generator(4);
  const map = randomWeights(15, 15, random);
  const smaller = map.map((weight) => weight / 1024);
  assert.deepEqual(scaledCodes(map, "rank", 1, false), scaledCodes(smaller, "rank", 1, false));
});

test("ranks use all colours evenly, however skewed the weights are", () => {
  const random = generator(5);
  const weights = Float32Array.from({ length: 2560 }, () => random.next() ** 9 + 1e-12);
  const counts = new Array(4).fill(0);
  for (const code of scaledCodes(weights, "rank", 1, false)) counts[code >> 6] += 1;
  for (const count of counts) assert.ok(Math.abs(count - 640) < 12, `${counts}`);
});

test("each number of a legend stands where its colour is", () => {
  for (const top of [1, 0.3712, 0.0456]) {
    for (const scale of FORMULAS) {
      for (const { part, text } of legendTicks({ scale }, top, false)) {
        const [code] = scaledCodes(Float32Array.of(Number(text.replace("≤", ""))), scale, top, false);
        assert.ok(near(code / 255, part, 0.004), `${scale} ${top}: ${text} at ${part}`);
      }
      for (const { part, text } of legendTicks({ scale }, top, true)) {
        const difference = Number(text.replace("−", "-"));
        const [code] = scaledCodes(Float32Array.of(difference), scale, top, true);
        assert.ok(near(code / 255, part, 0.006), `${scale} ${top}: ${text} at ${part}`);
      }
    }
  }
});

test("legends run from end to end and say what they show", () => {
  for (const scale of SCALES) {
    for (const signed of [false, true]) {
      const parts = legendTicks({ scale }, 1, signed).map((tick) => tick.part);
      assert.equal(parts[0], 0);
      assert.equal(parts.at(-1), 1);
      for (let at = 1; at < parts.length; at += 1) assert.ok(parts[at] > parts[at - 1]);
    }
  }
  assert.deepEqual(
    legendTicks({ scale: "log" }, 1, false).map((tick) => tick.text),
    ["≤0.0001", "0.001", "0.01", "0.1", "1"],
  );
  assert.deepEqual(
    legendTicks({ scale: "sqrt" }, 0.3712, true).map((tick) => tick.text),
    ["−0.371", "−0.093", "0", "+0.093", "+0.371"],
  );
  assert.equal(
    scaleWords({ scale: "sqrt", range: "fixed" }, false),
    "attention weight, square-root scale, fixed 0 to 1",
  );
  assert.equal(
    scaleWords({ scale: "log", range: "head" }, true),
    "difference of attention weights, log scale, up to this map's largest difference",
  );
  assert.equal(scaleWords({ scale: "rank", range: "fixed" }, false), "attention weight, ranked within this map");
});
