// Rows, columns and the tokens behind them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { blocks, linesAt, placesWithin, pooledTo, shapeOf, sourceOfFrame } from "../../../frontend/maps/map_lines.js";
import { generator } from "../random.js";
import { near, randomFrame, randomSource, randomTokens } from "../random_map.js";

test("the shape of a map follows from its tokens and weights, also where only one side is pooled", () => {
  const random = generator(31);
  for (let round = 0; round < 50; round += 1) {
    const n_queries = 1 + random.below(40);
    const block = 1 + random.below(4);
    const n_keys = random.pick([n_queries, 1 + random.below(40)]);
    const key_block = n_keys === n_queries ? block : 1;
    const [rows, cols] = [Math.ceil(n_queries / block), Math.ceil(n_keys / key_block)];
    const [queries, keys] = [n_queries, n_keys].map((n) => randomTokens(n, random));
    const shape = shapeOf({ weights: new Float32Array(rows * cols), exact: false, block, queries, keys });
    assert.deepEqual([shape.rows, shape.cols, shape.query_block], [rows, cols, block]);
    assert.equal(Math.ceil(n_keys / shape.key_block), cols);
  }
});

test("the blocks that the server makes of long texts are found again", () => {
  for (const [n_queries, n_keys] of [[50, 300], [300, 50], [129, 1024], [1024, 1000]]) {
    const [block, key_block] = [n_queries, n_keys].map((n) => Math.ceil(n / 128));
    const weights = new Float32Array(Math.ceil(n_queries / block) * Math.ceil(n_keys / key_block));
    const shape = shapeOf({ weights, block, queries: new Array(n_queries), keys: new Array(n_keys) });
    assert.deepEqual([shape.query_block, shape.key_block], [block, key_block]);
  }
});

test("weights that are no map of their tokens are refused with the counts", () => {
  const tokens = randomTokens(5, generator(1));
  const wrong = { weights: new Float32Array(24), exact: true, block: 1, queries: tokens, keys: tokens };
  assert.throws(() => shapeOf(wrong), /24 weights are no map of 5 queries and 5 keys in blocks of 1/);
});

test("blocks hold each place once, and a place is found on the line of its block", () => {
  for (const [n, block] of [[9, 4], [8, 4], [5, 1], [3, 7]]) {
    const lines = blocks(n, block);
    assert.deepEqual(lines.flat(), Array.from({ length: n }, (_, place) => place));
    lines.forEach((places, line) => assert.deepEqual(linesAt(places, block), [line]));
  }
});

test("places are counted within an axis, and tokens of another one have none", () => {
  const tokens = randomTokens(4, generator(2), { from: 9 });
  assert.deepEqual(placesWithin(tokens, [12, 3, 9]), [3, 0]);
});

test("an exact map pooled here is what the server would have sent", () => {
  const random = generator(5);
  const frame = randomFrame(11, 1, random, { block: 3 });
  const tokens = randomTokens(11, random);
  const pooled = sourceOfFrame(frame, 0, { queries: tokens, keys: tokens });
  assert.deepEqual([pooled.exact, pooled.block], [false, 3]);
  const exact = randomSource(11, generator(5), { tokens });
  const made = pooledTo(exact, shapeOf(pooled));
  const halfStep = 0.5 / 255 + 1e-6;
  made.weights.forEach((weight, at) =>
    assert.ok(near(Math.sqrt(weight), Math.sqrt(pooled.weights[at]), halfStep)),
  );
});

test("a frame of exact patterns is an exact source, without a copy", () => {
  const tokens = randomTokens(2, generator(6));
  const shape = { first_head: 3, heads: 1, rows: 2, cols: 2, n_queries: 2, n_keys: 2 };
  const values = Float32Array.of(1, 0, 0.25, 0.75);
  const source = sourceOfFrame({ ...shape, causal: true, values }, 3, { queries: tokens, keys: tokens });
  assert.deepEqual([source.exact, source.block, source.causal], [true, 1, true]);
  assert.equal(source.weights.buffer, values.buffer);
});
