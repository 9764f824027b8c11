// Which lines are drawn: enough to carry the mass, never all of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MOST_LINKS, focusedLinks, strongestLinks } from "../../frontend/links.js";
import { generator } from "./random.js";

const everything = () => true;

function randomPattern(n, sharpness, random) {
  const weights = new Float32Array(n * n);
  for (let query = 0; query < n; query += 1) {
    const row = Array.from({ length: n }, () => random.next() ** sharpness);
    const sum = row.reduce((total, value) => total + value, 0);
    row.forEach((value, key) => (weights[query * n + key] = value / sum));
  }
  return { weights, n_queries: n, n_keys: n };
}

test("each row's links hold the asked mass, and without the weakest of them they would not", () => {
  const random = generator(3);
  for (let round = 0; round < 20; round += 1) {
    const n = 2 + random.below(18);
    const pattern = randomPattern(n, 1 + random.below(8), random);
    const { links, dropped } = strongestLinks(pattern, everything, 0.5, Infinity);
    assert.equal(dropped, 0);
    for (let query = 0; query < n; query += 1) {
      const row = links.filter((link) => link.query === query).map((link) => link.weight);
      const mass = row.reduce((sum, weight) => sum + weight, 0);
      assert.ok(mass >= 0.5 - 1e-6);
      assert.ok(mass - Math.min(...row) < 0.5 + 1e-6);
    }
  }
});

test("a uniform map of 300 tokens draws no more than the limit and says how many were left out", () => {
  const n = 300;
  const pattern = { weights: new Float32Array(n * n).fill(1 / n), n_queries: n, n_keys: n };
  const { links, dropped } = strongestLinks(pattern, everything);
  assert.equal(links.length, MOST_LINKS);
  assert.equal(dropped, 150 * n - MOST_LINKS);
});

test("links come weakest first, so that the strongest is drawn on top", () => {
  const { links } = strongestLinks(randomPattern(12, 4, generator(5)), everything);
  for (let at = 1; at < links.length; at += 1) assert.ok(links[at].weight >= links[at - 1].weight);
});

test("nothing outside the filter is drawn and the mass is that of the shown part", () => {
  const pattern = randomPattern(10, 3, generator(9));
  const allowed = (query, key) => query < 4 && key >= 4;
  const { links } = strongestLinks(pattern, allowed);
  assert.ok(links.length > 0);
  assert.ok(links.every((link) => allowed(link.query, link.key)));
  assert.equal(new Set(links.map((link) => link.query)).size, 4);
  assert.ok(focusedLinks(pattern, { query: 1, key: null }, allowed).every((link) => link.key >= 4));
  assert.deepEqual(focusedLinks(pattern, { query: 7, key: null }, allowed), []);
});

test("a focused query has its row, a focused key its column, a pair the query's row", () => {
  const pattern = { weights: [0.75, 0.25, 0, 1], n_queries: 2, n_keys: 2 };
  assert.deepEqual(focusedLinks(pattern, { query: 0, key: null }, everything), [
    { query: 0, key: 1, weight: 0.25 },
    { query: 0, key: 0, weight: 0.75 },
  ]);
  assert.deepEqual(focusedLinks(pattern, { query: null, key: 0 }, everything), [{ query: 0, key: 0, weight: 0.75 }]);
  assert.deepEqual(focusedLinks(pattern, { query: 1, key: 0 }, everything), [{ query: 1, key: 1, weight: 1 }]);
});
