// Which lines are drawn: enough to carry the mass, never all of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { MOST_LINKS, focusedLinks, strongestLinks } from "../../../frontend/maps/links.js";
import { makeSheet } from "../../../frontend/maps/sheet.js";
import { generator } from "../random.js";
import { randomSource, treatment } from "../random_map.js";

const everything = () => true;
const axisOf = (n) => ({ labels: Array.from({ length: n }, String) });
const mapOf = (weights, n_queries, n_keys) => ({ weights, queries: axisOf(n_queries), keys: axisOf(n_keys) });

function randomPattern(n, sharpness, random) {
  const weights = new Float32Array(n * n);
  for (let query = 0; query < n; query += 1) {
    const row = Array.from({ length: n }, () => random.next() ** sharpness);
    const sum = row.reduce((total, value) => total + value, 0);
    row.forEach((value, key) => (weights[query * n + key] = value / sum));
  }
  return mapOf(weights, n, n);
}

test("each row's links hold the asked mass, and without the weakest of them they would not", () => {
  const random = generator(3);
  for (let round = 0; round < 20; round += 1) {
    const n = 2 + random.below(18);
    const pattern = randomPattern(n, 1 + random.below(8), random);
    const asked = random.next();
    const { links, dropped } = strongestLinks(pattern, everything, asked);
    assert.equal(dropped, 0);
    for (let query = 0; query < n; query += 1) {
      const row = links.filter((link) => link.query === query).map((link) => link.weight);
      const mass = row.reduce((sum, weight) => sum + weight, 0);
      assert.ok(mass >= asked - 1e-6);
      assert.ok(mass - Math.min(...row) < asked + 1e-6);
    }
  }
});

test("a uniform map of 300 tokens draws no more than the limit and says how many were left out", () => {
  const n = 300;
  const pattern = mapOf(new Float32Array(n * n).fill(1 / n), n, n);
  const { links, dropped } = strongestLinks(pattern, everything, 0.5);
  assert.equal(links.length, MOST_LINKS);
  assert.equal(dropped, 150 * n - MOST_LINKS);
});

test("no mass draws no link, the whole mass draws all there are, and more mass never draws less", () => {
  const random = generator(4);
  const pattern = randomPattern(14, 5, random);
  pattern.weights[3] = 0;
  pattern.weights[20] = 1e-30;
  const drawn = (mass) => strongestLinks(pattern, everything, mass).links.length;
  assert.equal(drawn(0), 0);
  assert.equal(drawn(1), 14 * 14 - 1);
  for (let step = 0; step < 20; step += 1) assert.ok(drawn((step + 1) / 20) >= drawn(step / 20));
});

test("a fall is as strong a link as a rise of the same size", () => {
  const pattern = mapOf([0.1, -0.6, 0.2, 0.5, -0.05, -0.45], 2, 3);
  const { links } = strongestLinks(pattern, everything, 0.5);
  assert.deepEqual(links.map((link) => link.weight), [0.5, -0.6]);
  const focused = focusedLinks(pattern, { rows: [1], cols: [] }, everything);
  assert.deepEqual(focused.map((link) => link.weight), [-0.05, -0.45, 0.5]);
});

test("rows and columns of a sheet of words link words", () => {
  const sheet = makeSheet(randomSource(12, generator(8)), treatment({ words: true, hide: "special" }));
  const [n_queries, n_keys] = [sheet.queries.labels.length, sheet.keys.labels.length];
  const { links } = strongestLinks(sheet, everything, 1);
  assert.equal(links.length, n_queries * n_keys);
  assert.ok(n_queries < 10);
});

test("links come weakest first, so that the strongest is drawn on top", () => {
  const { links } = strongestLinks(randomPattern(12, 4, generator(5)), everything, 0.5);
  for (let at = 1; at < links.length; at += 1) assert.ok(links[at].weight >= links[at - 1].weight);
});

test("nothing outside the filter is drawn and the mass is that of the shown part", () => {
  const pattern = randomPattern(10, 3, generator(9));
  const allowed = (query, key) => query < 4 && key >= 4;
  const { links } = strongestLinks(pattern, allowed, 0.5);
  assert.ok(links.length > 0);
  assert.ok(links.every((link) => allowed(link.query, link.key)));
  assert.equal(new Set(links.map((link) => link.query)).size, 4);
  assert.ok(focusedLinks(pattern, { rows: [1], cols: [] }, allowed).every((link) => link.key >= 4));
  assert.deepEqual(focusedLinks(pattern, { rows: [7], cols: [] }, allowed), []);
});

test("focused rows have all their links, focused columns all theirs, both together those of the rows", () => {
  const pattern = mapOf([0.75, 0.25, 0, 1], 2, 2);
  const found = (rows, cols) => focusedLinks(pattern, { rows, cols }, everything);
  assert.deepEqual(found([0], []), [
    { query: 0, key: 1, weight: 0.25 },
    { query: 0, key: 0, weight: 0.75 },
  ]);
  assert.deepEqual(found([], [0]), [{ query: 0, key: 0, weight: 0.75 }]);
  assert.deepEqual(found([1], [0]), [{ query: 1, key: 1, weight: 1 }]);
  assert.deepEqual(found([0, 1], []).map((link) => link.weight), [0.25, 0.75, 1]);
  assert.deepEqual(found([], [0, 1]).map((link) => link.weight), [0.25, 0.75, 1]);
  assert.deepEqual(found([], []), []);
});
