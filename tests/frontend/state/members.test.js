// Heads and layers as people write them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { EXAMPLE, readMembers } from "../../../frontend/state/members.js";

const shape = { n_layers: 12, n_heads: 12 };
const words = (text) => readMembers(text, shape).cells.map(({ layer, head }) => `${layer}.${head ?? "*"}`).join(" ");

test("layers, heads and ranges are read, each once, zero included", () => {
  assert.equal(words(EXAMPLE), "3.* 5.2 7.* 8.* 9.*");
  assert.equal(words("L0 H0, 0.0, l0h0"), "0.0");
  assert.equal(words("0, 3.11"), "0.* 3.11");
  assert.equal(words("L2–L3, 3"), "2.* 3.*");
});

test("what cannot be read, or is not in the model, is told and nothing is taken", () => {
  for (const [text, said] of [
    ["", /Write heads/],
    [" , ", /Write heads/],
    ["L3, x", /“x”/],
    ["L12", /no L12: layers are 0 to 11/],
    ["L3 H12", /no H12: heads are 0 to 11/],
    ["L5-3", /backwards/],
    ["-1", /“-1”/],
  ]) {
    const { cells, problem } = readMembers(text, shape);
    assert.deepEqual(cells, []);
    assert.match(problem, said);
  }
});
