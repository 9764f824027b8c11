// Edits: a link carries them, what does not fit is left out, each can be taken back.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NO_EDITS, editsChoice, editsInWords, fittingEdits, isEdited, ofLayer, withHead, withInput, withMask, withWeight } from "../../../frontend/anatomy/edits.js";

/** @type {import("../../../frontend/anatomy/edits.js").Edits} */
const EDITS = {
  layer: 1,
  heads_off: [0, 3],
  scale: 0.5,
  mask: [[3, 1], [4, 4]],
  causal: false,
  weights: [{ matrix: "w_q", head: 2, row: 40, column: 7, add: -0.5 }],
  inputs: [{ token: 4, dimension: 33, add: 1 }],
};

/** What a link makes of edits. */
function linked(edits) {
  const words = new Map();
  editsChoice.write(edits, (name, word) => words.set(name, word));
  return { words, read: editsChoice.read((name) => words.get(name) ?? null) };
}

test("edits come back from a link as they were", () => {
  assert.deepEqual(linked(EDITS).read, EDITS);
  for (const part of Object.keys(EDITS)) {
    const one = { ...NO_EDITS, layer: 2, [part]: EDITS[part] };
    if (isEdited(one)) assert.deepEqual(linked(one).read, one, part);
  }
});

test("without edits a link says nothing of them", () => {
  assert.equal(linked(NO_EDITS).words.size, 0);
});

test("what a link has that means nothing is reported and left out", () => {
  for (const word of ["x", "0/off:a", "0/scale:fast", "0/mask:3", "0/causal:maybe", "0/w_x:1.2.3:1", "0/w_q:1.2:1", "0/input:1.2:1e9", "0/other:1"]) {
    assert.equal(editsChoice.read(() => word), NO_EDITS, word);
    assert.deepEqual(editsChoice.misread(() => word), [`edits=${word}`]);
  }
});

test("a shorter text and a smaller model keep only the edits that fit them", () => {
  const sizes = { n_layers: 2, n_heads: 4, d_model: 64, d_head: 16, n_tokens: 5 };
  assert.deepEqual(fittingEdits(EDITS, sizes), EDITS);
  const smaller = fittingEdits(EDITS, { ...sizes, n_heads: 2, n_tokens: 4, d_model: 32 });
  assert.deepEqual([smaller.heads_off, smaller.mask, smaller.weights, smaller.inputs], [[0], [[3, 1]], [], []]);
  assert.equal(fittingEdits(EDITS, { ...sizes, n_layers: 1 }), NO_EDITS);
});

test("edits are of one layer", () => {
  assert.equal(ofLayer(EDITS, 1), EDITS);
  assert.deepEqual(ofLayer(EDITS, 0), NO_EDITS);
});

test("what is switched twice is as it was, and nothing added is no edit", () => {
  assert.deepEqual(withHead(withHead(EDITS, 1), 1), EDITS);
  assert.deepEqual(withMask(withMask(EDITS, 0, 0), 0, 0), EDITS);
  assert.deepEqual(withWeight(EDITS, { ...EDITS.weights[0], add: 0 }).weights, []);
  assert.deepEqual(withInput(EDITS, { token: 4, dimension: 33, add: 2 }).inputs, [{ token: 4, dimension: 33, add: 2 }]);
});

test("every edit has words and can be taken back alone", () => {
  const found = editsInWords(EDITS, ["a", "b", "c", "d", "e"]);
  assert.deepEqual(found.map(({ words }) => words), ["L1 H0 off", "L1 H3 off", "scale 0.5", "no causal mask", "mask d → b", "mask e → e", "W_Q of L1 H2 [40, 7] −0.5", "input of e, dimension 33 +1"]);
  const left = found.reduce((edits, _) => editsInWords(edits, [])[0].without, EDITS);
  assert.equal(isEdited(left), false);
});
