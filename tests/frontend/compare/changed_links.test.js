// The links that changed most, as they are written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { writtenLinks } from "../../../frontend/compare/changed_links.js";

const unit = (at, text, other_text = text) => ({ one: [at], other: [at], text, other_text, same: text === other_text });
const UNITS = [unit(0, "the"), unit(1, "it"), unit(2, "tired", "wide"), unit(3, "the")];
const end = (name, { one, other, text, other_text }) => ({
  ...{ [name]: one, [`other_${name}`]: other, [`${name}_text`]: text, [`other_${name}_text`]: other_text },
});
const link = (from, to, one, other) => ({ ...end("query", UNITS[from]), ...end("key", UNITS[to]), one, other });
const written = (...links) => writtenLinks(links, UNITS).map(({ from, to, weights }) => `${from} → ${to} ${weights}`);

test("a link is its two tokens and its two weights, without leading zeros", () => {
  assert.deepEqual(written(link(1, 1, 0.6774, 0.2806), link(1, 1, 1, 0)), ["it → it .677 → .281", "it → it 1.000 → .000"]);
});

test("a token that changed is written as in A and as in B, and one that occurs twice with its place", () => {
  assert.deepEqual(written(link(2, 3, 0.5, 0.25)), ["tired / wide → the ·3 .500 → .250"]);
});

test("the words say which weight is whose", () => {
  assert.equal(writtenLinks([link(1, 2, 0.1, 0.2)], UNITS)[0].words, "From it to tired / wide: .100 in A, .200 in B");
});
