// What panels show: written and read without loss, named as people say it, kept where the model has it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { eachOnce, fits, hasPin, headPins, isPair, oneHead, partsOf, readPin, readWhat, whatKey, whatName, writePin } from "../../../frontend/state/pins.js";
import { generator } from "../random.js";
import { randomPin, randomSimple, randomWhat } from "../random_pins.js";

const head = (layer, number, place = {}) => oneHead({ layer, head: number, ...place });
const mean = (cells, place = {}) => ({ kind: "mean", side: "a", stack: 0, ...place, cells });
const rollout = (layer, place = {}) => ({ kind: "rollout", side: "a", stack: 0, ...place, layer });

test("every panel survives being written and read, zeros, whole layers and pairs included", () => {
  const random = generator(31);
  for (let round = 0; round < 2000; round += 1) {
    const pin = randomPin(random);
    assert.deepEqual(readPin(writePin(pin)), pin, writePin(pin));
    const { mode: _, ...what } = pin;
    assert.deepEqual(readWhat(whatKey(what)), what);
  }
});

test("the word of a thing is the same exactly for the same thing, however it is drawn", () => {
  const random = generator(32);
  const seen = new Map();
  for (let round = 0; round < 2000; round += 1) {
    const what = randomWhat(random);
    const key = whatKey(what);
    assert.equal(whatKey({ mode: "lines", ...what }), key);
    if (seen.has(key)) assert.deepEqual(seen.get(key), what);
    seen.set(key, what);
  }
});

test("words in a link are short, and those of heads as links have always had them", () => {
  assert.equal(writePin({ ...head(0, 0), mode: "heatmap" }), "0.0h");
  assert.equal(writePin({ ...head(3, 1, { side: "b" }), mode: "lines" }), "b:3.1l");
  assert.equal(writePin({ ...mean([{ layer: 3, head: null }, { layer: 0, head: 0 }]), mode: "table" }), "mean(3.*+0.0)t");
  assert.equal(writePin({ ...mean([], { kind: "max", stack: 2 }), mode: "heatmap" }), "xmax()h");
  assert.equal(writePin({ ...rollout(0, { side: "b", stack: 1 }), mode: "heatmap" }), "b:drollout(0)h");
  const pair = { kind: "difference", one: head(3, 1), other: head(3, 1, { side: "b" }), mode: "heatmap" };
  assert.equal(writePin(pair), "diff(3.1;b:3.1)h");
  assert.equal(writePin({ ...pair, kind: "agreement" }), "same(3.1;b:3.1)h");
});

test("what is no panel is none: pairs of pairs, half a pair, unknown modes, words without numbers", () => {
  const words = ["", "h", "1.2", "1.2q", "1h", "1.h", "-1.0h", "c:1.2h", "y1.2h", "mean(1)h", "mean(1.2+)h", "mean(1.2,3.4)h", "rollout()h"];
  const pairs = ["diff(0.0)h", "diff(0.0;)h", "diff(diff(0.0;0.1);0.2)h", "diff(0.0;0.1;0.2)h", "sum(0.0;0.1)h", "diff(0.0h;0.1h)h"];
  for (const word of [...words, ...pairs, "12345.0h"]) assert.equal(readPin(word), null, word);
});

test("an overlay is written as its heads, has two to seven of them, each once, and is never a heatmap", () => {
  const overlay = { kind: "overlay", heads: [head(3, 1), head(4, 2), head(3, 1, { side: "b" })] };
  assert.equal(writePin({ ...overlay, mode: "lines" }), "lines(3.1+4.2+b:3.1)l");
  assert.deepEqual(readPin("lines(3.1+4.2+b:3.1)l"), { ...overlay, mode: "lines" });
  assert.deepEqual(readPin("lines(3.1+4.2+b:3.1)h"), { ...overlay, mode: "lines" });
  assert.equal(whatName(overlay), "L3 H1 + L4 H2 + B L3 H1");
  assert.deepEqual(partsOf(overlay), overlay.heads);
  const eight = Array.from({ length: 8 }, (_, at) => `0.${at}`).join("+");
  for (const word of ["", "3.1", "3.1+", "3.1+3.1", "3.1+4.*", "mean(0.0)+3.1", "rollout(1)+3.1", eight]) {
    assert.equal(readPin(`lines(${word})l`), null, word);
  }
  assert.equal(fits(overlay, () => ({ n_layers: 5, n_heads: 3 })), true);
  assert.equal(fits(overlay, () => ({ n_layers: 4, n_heads: 3 })), false);
});

test("the parts of a pair are its two maps, anything else is its own part", () => {
  const random = generator(33);
  const [one, other] = [randomSimple(random), randomSimple(random)];
  assert.deepEqual(partsOf({ kind: "agreement", one, other }), [one, other]);
  assert.deepEqual(partsOf(one), [one]);
  assert.deepEqual([isPair({ kind: "difference", one, other }), isPair(one)], [true, false]);
});

test("of the same thing said twice the last counts, at the place of the first", () => {
  const [zero, one] = [{ ...head(0, 0), mode: "heatmap" }, { ...head(0, 1), mode: "lines" }];
  assert.deepEqual(eachOnce([zero, one, { ...zero, mode: "table" }]), [{ ...zero, mode: "table" }, one]);
});

test("a head stands in the row by itself only where it is pinned, not inside something else or on the other side", () => {
  const pins = [head(0, 0), head(1, 1, { side: "b" }), head(2, 2, { stack: 1 }), mean([{ layer: 3, head: 3 }])];
  assert.equal(hasPin(pins, { layer: 0, head: 0 }), true);
  assert.equal(hasPin(pins, { layer: 1, head: 1 }), false);
  assert.equal(hasPin(pins, { layer: 1, head: 1, side: "b" }), true);
  assert.equal(hasPin(pins, { layer: 3, head: 3 }), false);
  assert.deepEqual(headPins(pins), [head(0, 0)]);
});

test("names say which side, which attention and what was done", () => {
  assert.equal(whatName(head(0, 0)), "L0 H0");
  assert.equal(whatName(head(3, 1, { side: "b", stack: 2 })), "B cross L3 H1");
  assert.equal(whatName(rollout(5, { stack: 1 })), "decoder Rollout to L5");
  assert.equal(whatName(mean([])), "Mean of all heads");
  assert.equal(whatName(mean([{ layer: 0, head: null }, { layer: 4, head: 0 }], { kind: "max" })), "Max of L0, L4 H0");
  assert.equal(whatName(mean([0, 1, 2, 3].map((layer) => ({ layer, head: 0 })))), "Mean of 4 parts");
  const pair = { one: head(3, 1), other: head(3, 1, { side: "b" }) };
  assert.equal(whatName({ kind: "difference", ...pair }), "L3 H1: A − B");
  assert.equal(whatName({ kind: "agreement", ...pair }), "L3 H1: A ∩ B");
  const two = { one: head(3, 1), other: head(0, 2, { side: "b" }) };
  assert.equal(whatName({ kind: "difference", ...two }), "A L3 H1 − B L0 H2");
  assert.equal(whatName({ kind: "difference", one: head(3, 1), other: head(0, 2) }), "L3 H1 − L0 H2");
});

test("a thing fits a model that has all of its layers and heads", () => {
  const small = () => ({ n_layers: 2, n_heads: 3 });
  const fitting = [head(0, 0), head(1, 2), rollout(1), mean([]), mean([{ layer: 1, head: null }, { layer: 0, head: 2 }])];
  const beyond = [head(2, 0), head(0, 3), rollout(2), mean([{ layer: 2, head: null }]), mean([{ layer: 0, head: 0 }, { layer: 0, head: 3 }])];
  for (const what of fitting) assert.equal(fits(what, small), true, whatName(what));
  for (const what of beyond) assert.equal(fits(what, small), false, whatName(what));
  for (const one of fitting) {
    for (const other of beyond) {
      assert.equal(fits({ kind: "difference", one, other }, small), false);
      assert.equal(fits({ kind: "agreement", one: other, other: one }, small), false);
    }
    assert.equal(fits({ kind: "difference", one, other: fitting[0] }, small), true);
  }
});

test("an attention that a model does not have fits nothing, one not known yet fits all", () => {
  const none = () => ({ n_layers: 0, n_heads: 0 });
  for (const what of [head(0, 0), rollout(0), mean([]), mean([{ layer: 0, head: null }])]) {
    assert.equal(fits(what, none), false, whatName(what));
    assert.equal(fits(what, () => null), true, whatName(what));
  }
});
