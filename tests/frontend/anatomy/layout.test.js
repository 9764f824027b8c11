// How the steps are drawn: every step of the server's list has an arrangement, of matrices that the server has.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LAYOUTS, arranged, candidates, namesIn, parseRow } from "../../../frontend/anatomy/layout.js";
import { catalogue } from "../small_anatomy.js";

const ALL = () => true;

test("the steps are those of the server, in its order", () => {
  assert.deepEqual(Object.keys(LAYOUTS), catalogue.steps.map(({ id }) => id));
});

test("every matrix that a step may draw is one of the server's", () => {
  const known = new Set(catalogue.matrices.map(({ name }) => name));
  for (const step of Object.keys(LAYOUTS)) for (const name of namesIn(step)) assert.ok(known.has(name), `${step}: ${name}`);
});

test("every step can be drawn for a model with all matrices and for one with the least", () => {
  const least = (name) => !/segment|embedding_sum|^b_|rotat|rotary|shifted|gate|mlp_residual/.test(name);
  for (const step of Object.keys(LAYOUTS)) for (const has of [ALL, least]) assert.ok(candidates(step, has).length > 0, step);
});

test("a model without an MLP has a block of its attention alone", () => {
  const [block] = candidates("block", (name) => !name.startsWith("mlp"));
  assert.deepEqual(block.rows.flat().map(({ name }) => name), ["x", "attention_out", "residual", "block_out"]);
});

test("a row is read as places with their operators", () => {
  assert.deepEqual(parseRow("{A × V} . pattern = z"), [
    { op: "A × V", names: [], optional: false, each: false },
    { op: "", names: [{ name: "pattern", transposed: false }], optional: false, each: false },
    { op: "=", names: [{ name: "z", transposed: false }], optional: false, each: false },
  ]);
  const [keys] = parseRow("k_rotated'|k'");
  assert.deepEqual(keys.names, [{ name: "k_rotated", transposed: true }, { name: "k", transposed: true }]);
});

test("what a model lacks goes with its operator, and of alternatives the first is drawn", () => {
  const has = (name) => ["a", "c", "e"].includes(name);
  const names = (made) => made.rows.map((row) => row.map(({ op, name }) => `${op}${name}`).join(" "));
  assert.deepEqual(names(arranged({ rows: ["a + b? + c = d|e"] }, has)), ["a +c =e"]);
  assert.equal(arranged({ rows: ["a + b"] }, has), null);
});

test("of the arrangements those with most matrices are drawn", () => {
  const names = new Set(candidates("qkv", ALL).flatMap(({ rows }) => rows.flat().map(({ name }) => name)));
  assert.ok(names.has("k_rotated") && names.has("b_q"));
});
