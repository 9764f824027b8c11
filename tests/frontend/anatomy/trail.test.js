// The trail from a number back to the sentence.

import assert from "node:assert/strict";
import { test } from "node:test";

import { spotName, spotOf, tokensOf, trailChoice, withSpot } from "../../../frontend/anatomy/trail.js";
import { catalogue } from "../small_anatomy.js";

const kind = (name) => catalogue.matrices.find((one) => one.name === name);
const SCORE = { matrix: "scores_raw", layer: 1, head: 2, row: 4, column: 3 };
const QUERY = { matrix: "q", layer: 1, head: 2, row: 4, column: 0 };

test("a link carries the trail", () => {
  let word = "";
  trailChoice.write([SCORE, QUERY], (_, written) => (word = written));
  assert.equal(word, "scores_raw.1.2.4.3,q.1.2.4.0");
  assert.deepEqual(trailChoice.read(() => word), [SCORE, QUERY]);
  assert.deepEqual(trailChoice.read(() => "q.1.2"), []);
  assert.deepEqual(trailChoice.misread(() => "q.1.2"), ["number=q.1.2"]);
});

test("a number gone through already is gone back to", () => {
  assert.deepEqual(withSpot([SCORE], QUERY), [SCORE, QUERY]);
  assert.deepEqual(withSpot([SCORE, QUERY], { ...SCORE }), [SCORE]);
});

test("a factor without layer and head is seen from where it was met; a constant is nowhere", () => {
  const factor = { matrix: "x0", symbol: "x₀", layer: null, head: null, row: 4, column: 9, value: 1, power: 1 };
  assert.deepEqual(spotOf(factor, QUERY), { matrix: "x0", layer: 1, head: 2, row: 4, column: 9 });
  assert.equal(spotOf({ ...factor, matrix: null, row: null, column: null }, QUERY), null);
});

test("numbers are named by their tokens", () => {
  const tokens = ["<bos>", "the", "king", "near", "the"];
  assert.equal(spotName(kind("scores_raw"), SCORE, tokens), "Q Kᵀ[the, near]");
  assert.equal(spotName(kind("masked"), { ...SCORE, matrix: "masked" }, tokens), "(Q Kᵀ / √d + mask)[the, near]");
  assert.equal(spotName(kind("z"), { ...QUERY, matrix: "z" }, tokens), "Z[the, 0]");
  assert.equal(spotName(kind("scale"), { ...SCORE, matrix: "scale", row: 0, column: 0 }, tokens), "(1 / √d)");
  assert.equal(spotName(kind("q"), QUERY, tokens), "Q[the, 0]");
  assert.equal(spotName(kind("stream"), { ...SCORE, matrix: "stream", row: 2, column: 5 }, tokens), "x after each block[L1, 5]");
  assert.deepEqual(tokensOf(kind("scores_raw"), SCORE), [4, 3]);
  assert.deepEqual(tokensOf(kind("w_q"), { ...SCORE, matrix: "w_q" }), []);
});
