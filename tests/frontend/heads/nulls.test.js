// What nulls say: no role found, or how many of the model's own may be false; shuffled words are told apart.

import assert from "node:assert/strict";
import { test } from "node:test";

import { amountText, falseNulls, nullKinds, nullWords, otherNulls } from "../../../frontend/heads/nulls.js";
import { nullOf, smallAtlas } from "../small_atlas.js";

const shuffled = nullOf("syntax", { id: "shuffled words", what: "Words in random order.", roles: 4, expected: 4, counts_as_false: false });
const told = (nulls) => nullWords({ ...smallAtlas(), nulls });

test("where nulls found nothing, that is said with the number of runs", () => {
  assert.equal(told([nullOf("surface"), nullOf("syntax", { runs: 20 })]), "In 21 runs of 1 null, where there is nothing to find, no role was found.");
  assert.equal(told([]), "");
});

test("roles that were found count against the model's own, by the worst null of each section", () => {
  const nulls = [
    nullOf("syntax", { runs: 20, roles: 2, expected: 0.1 }),
    nullOf("syntax", { runs: 1, roles: 1, expected: 1 }),
    nullOf("coreference", { runs: 4, roles: 1, expected: 0.25 }),
  ];
  assert.match(told(nulls), /^In 25 runs .* 4 roles were found: 1\.3 of this model's 5 roles are expected to be false\.$/);
});

test("a null whose roles may be real is no false role, and is told apart", () => {
  assert.match(told([nullOf("syntax"), shuffled]), /^In 1 run .* no role was found/);
  const atlas = { nulls: [nullOf("syntax"), shuffled] };
  assert.deepEqual([falseNulls(atlas).length, otherNulls(atlas)], [1, [shuffled]]);
});

test("a null that several sections were measured on is one kind with a row for each", () => {
  const kinds = nullKinds([nullOf("surface"), nullOf("surface", { what: "Another." }), nullOf("syntax")]);
  assert.deepEqual(kinds.map(({ what, results }) => [what, results.map(({ section }) => section)]), [
    ["The same model with random weights.", ["surface", "syntax"]],
    ["Another.", ["surface"]],
  ]);
});

test("an expected number is short and never becomes nothing", () => {
  assert.deepEqual([0, 0.001, 0.05, 0.184, 3.6889].map(amountText), ["0", "< 0.01", "0.05", "0.18", "3.7"]);
});
