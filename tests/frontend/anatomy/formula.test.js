// Formulas filled in with the indices of one number and the symbols of the picture.

import assert from "node:assert/strict";
import { test } from "node:test";

import { filled, inSymbols, sourcesOf } from "../../../frontend/anatomy/formula.js";
import { catalogue } from "../small_anatomy.js";

const SCORES = "scores_raw[i,c] = Σ_m q[i,m] · k[c,m]";

test("a formula is filled in with the places of a number", () => {
  assert.equal(filled(SCORES, 4, 3), "Σ_m q[4,m] · k[3,m]");
  assert.equal(filled("visible[i,c] = 1 if query i may look at key c, else 0", 2, 5), "1 if query 2 may look at key 5, else 0");
  assert.equal(filled("pattern[i,c] = exp(masked[i,c]) / Σ_k exp(masked[i,k])", 1, 0), "exp(masked[1,0]) / Σ_k exp(masked[1,k])");
});

test("names become the symbols of the picture, in brackets where they are more than a word", () => {
  assert.equal(inSymbols("Σ_m q[4,m] · k[3,m]", catalogue.matrices), "Σ_m Q[4,m] · K[3,m]");
  assert.equal(inSymbols("scores_raw[1,2] · scale", catalogue.matrices), "(Q Kᵀ)[1,2] · scale");
});

test("the matrices that a formula reads are known by it, for all that there are", () => {
  assert.deepEqual(sourcesOf(SCORES), ["q", "k"]);
  const known = new Set(catalogue.matrices.map(({ name }) => name));
  for (const { formula, name } of catalogue.matrices) for (const source of sourcesOf(formula)) assert.ok(known.has(source), `${name} reads ${source}`);
});
