// Maps made of recorded ones: what a server would answer, as exactly as the record allows.

import assert from "node:assert/strict";
import { test } from "node:test";

import { exactMaps, exactOf } from "../../../frontend/maps/exact.js";
import { answerQuestions } from "../../../frontend/requests/answer_questions.js";
import { weightOfCode } from "../../../frontend/requests/wire.js";
import { Recording } from "../../../frontend/snapshot/recording.js";
import { readPin } from "../../../frontend/state/pins.js";
import { generator } from "../random.js";
import { answer, ready, start } from "../small_answer.js";

const [LAYERS, HEADS, SIDE] = [3, 2, 5];
const layer = (number, more = {}) => ({
  ...{ stack: "encoder", layer: number, heads: HEADS, rows: SIDE, cols: SIDE, n_queries: SIDE, n_keys: SIDE },
  ...{ pooled: false, causal: false, ...more },
});

/** A record whose rows sum to one as nearly as codes can say. */
function made(seed = 1) {
  const { next } = generator(seed);
  const codes = new Uint8Array(LAYERS * HEADS * SIDE * SIDE);
  for (let start = 0; start < codes.length; start += SIDE) {
    const row = Array.from({ length: SIDE }, () => next() ** 3);
    const total = row.reduce((sum, weight) => sum + weight);
    row.forEach((weight, at) => (codes[start + at] = Math.round(255 * Math.sqrt(weight / total))));
  }
  const norms = Uint16Array.from({ length: LAYERS * HEADS * SIDE }, () => 1 + next() * 65534);
  const layers = Array.from({ length: LAYERS }, (_, number) => layer(number));
  return { codes, norms, recording: new Recording(layers, codes, norms) };
}

const near = (one, other) => one.forEach((value, at) => assert.ok(Math.abs(value - other[at]) < 1e-6, `${value} ${other[at]}`));
const sums = (map) => Array.from({ length: SIDE }, (_, row) => map.subarray(row * SIDE, (row + 1) * SIDE).reduce((sum, it) => sum + it));
const weightsOf = (recording, asked) => recording.map(asked).weights;
const head = (recording, at, number, values) => weightsOf(recording, { combine: "head", cells: [{ layer: at, head: number }], values });

test("a head is the weights behind its codes", () => {
  const { codes, recording } = made();
  const at = (1 * HEADS + 1) * SIDE * SIDE;
  assert.ok(!recording.map({ combine: "head", cells: [{ layer: 1, head: 1 }] }).exact, "it is rounded");
  near(head(recording, 1, 1), Float32Array.from(codes.subarray(at, at + SIDE * SIDE), weightOfCode));
});

test("frames carry the codes as they are, layer by layer", () => {
  const { codes, recording } = made();
  const frames = recording.frames("raw");
  assert.deepEqual(frames.map((frame) => frame.layer), [0, 1, 2]);
  assert.deepEqual(frames.flatMap((frame) => [...frame.values]), [...codes]);
});

test("weighted rows sum to one and follow the lengths of the keys", () => {
  const { norms, recording } = made();
  const [raw, weighted] = [head(recording, 2, 0, "raw"), head(recording, 2, 0, "weighted")];
  for (const sum of sums(weighted)) assert.ok(Math.abs(sum - 1) < 1e-6);
  const lengths = norms.subarray(2 * HEADS * SIDE, 2 * HEADS * SIDE + SIDE);
  for (let key = 1; key < SIDE; key += 1) {
    assert.ok(Math.abs(weighted[key] * raw[0] * lengths[0] - weighted[0] * raw[key] * lengths[key]) < 1e-3 * lengths[0]);
  }
  const frame = recording.frames("weighted")[2];
  near(Float32Array.from(frame.values.subarray(0, SIDE * SIDE), weightOfCode).map(Math.sqrt).map((root) => Math.round(255 * root)), weighted.map((weight) => Math.round(255 * Math.sqrt(weight))));
});

test("a row that receives nothing stays nothing", () => {
  const recording = new Recording([layer(0, { heads: 1 })], new Uint8Array(SIDE * SIDE).fill(9), new Uint16Array(SIDE));
  assert.deepEqual([...head(recording, 0, 0, "weighted")], new Array(SIDE * SIDE).fill(0));
});

test("mean and max are taken over the heads that are named, all of them when none is", () => {
  const { recording } = made();
  const some = [head(recording, 0, 0), head(recording, 0, 1), head(recording, 2, 1)];
  const cells = [{ layer: 0, head: null }, { layer: 2, head: 1 }];
  near(weightsOf(recording, { combine: "mean", cells }), some[0].map((_, at) => (some[0][at] + some[1][at] + some[2][at]) / 3));
  near(weightsOf(recording, { combine: "max", cells }), some[0].map((_, at) => Math.max(some[0][at], some[1][at], some[2][at])));
  const all = [0, 1, 2].map((number) => ({ layer: number, head: null }));
  assert.deepEqual(weightsOf(recording, { combine: "mean" }), weightsOf(recording, { combine: "mean", cells: all }));
});

test("a head that is named twice counts once", () => {
  const { recording } = made();
  const once = weightsOf(recording, { combine: "mean", cells: [{ layer: 0, head: null }] });
  const twice = [{ layer: 0, head: null }, { layer: 0, head: 1 }];
  near(weightsOf(recording, { combine: "mean", cells: twice }), once);
});

test("maps that were pinned are given as they were, also where all others are pooled", () => {
  const pooled = layer(0, { rows: 3, cols: 3, pooled: true });
  const weights = Float32Array.from({ length: SIDE * SIDE }, (_, at) => at / (SIDE * SIDE));
  const kept = { stack: null, combine: "head", cells: [{ layer: 0, head: 1 }], up_to: null, values: "weighted", rows: SIDE, cols: SIDE };
  const codes = Uint16Array.from(weights, (weight) => Math.round(65535 * Math.sqrt(weight)));
  const recording = new Recording([pooled], new Uint8Array(HEADS * 9), null, [kept], codes);
  const { weights: found, exact } = recording.map({ combine: "head", cells: [{ layer: 0, head: 1 }], values: "weighted" });
  found.forEach((weight, at) => assert.ok(Math.abs(weight - weights[at]) < 2e-5));
  assert.ok(exact);
  assert.throws(() => head(recording, 0, 1), /one value for 2 × 2 tokens/);
});

test("rollout multiplies half of each layer with half of what was there", () => {
  const { recording } = made();
  const means = [0, 1, 2].map((number) => weightsOf(recording, { combine: "mean", cells: [{ layer: number, head: null }] }));
  const rolled = weightsOf(recording, { combine: "rollout" });
  for (const sum of sums(rolled)) assert.ok(Math.abs(sum - 1) < 1e-5, "rows of rollout sum to one");
  const first = weightsOf(recording, { combine: "rollout", up_to: 0 });
  const rows = sums(means[0]);
  near(first, means[0].map((weight, at) => (weight + (at % (SIDE + 1) === 0 ? 1 : 0)) / (1 + rows[Math.floor(at / SIDE)])));
  const identity = new Uint8Array(SIDE * SIDE).map((_, at) => (at % (SIDE + 1) === 0 ? 255 : 0));
  const still = new Recording([layer(0, { heads: 1 }), layer(1, { heads: 1 })], Uint8Array.of(...identity, ...identity), null);
  near(weightsOf(still, { combine: "rollout" }), identity.map((code) => code / 255));
});

test("each stack of an encoder-decoder is its own", () => {
  const one = { heads: 1, rows: 2, cols: 3, n_queries: 2, n_keys: 3 };
  const layers = [layer(0, { heads: 1 }), layer(0, { ...one, stack: "cross" })];
  const codes = new Uint8Array(SIDE * SIDE + 6).fill(255, SIDE * SIDE);
  const recording = new Recording(layers, codes, null);
  const cells = [{ layer: 0, head: 0 }];
  assert.deepEqual([...weightsOf(recording, { stack: "cross", combine: "head", cells })], [1, 1, 1, 1, 1, 1]);
  assert.equal(weightsOf(recording, { combine: "head", cells }).length, SIDE * SIDE);
});

test("what the record does not hold is refused in words", () => {
  const layers = [layer(0, { pooled: true, n_queries: 3 * SIDE, n_keys: 3 * SIDE })];
  const pooled = new Recording(layers, new Uint8Array(HEADS * SIDE * SIDE), null);
  assert.throws(() => weightsOf(pooled, { combine: "mean" }), /one value for 3 × 3 tokens/);
  const plain = new Recording([layer(0)], new Uint8Array(HEADS * SIDE * SIDE), null);
  assert.throws(() => head(plain, 0, 0, "weighted"), /value-weighted maps are not available/);
});

test("pinned maps are answered from the record, and a refusal is shown in its own words", async () => {
  const recording = new Recording([0, 1].map((number) => layer(number)), new Uint8Array(2 * HEADS * SIDE * SIDE).fill(255), null);
  const store = ready();
  answerQuestions(store, [exactMaps], async (_, question) => recording.map(question));
  answer(store, start(SIDE));
  store.actions.setView({ pins: [readPin("1.1h")], values: "both" });
  await new Promise((resolve) => setImmediate(resolve));
  const [raw, weighted] = ["raw", "weighted"].map((values) => exactOf(store.state, store.state.pins[0], values));
  assert.deepEqual([raw.answer.weights.length, raw.answer.exact], [SIDE * SIDE, false]);
  assert.equal(weighted.problem.message, "value-weighted maps are not available for this model.");
});
