// The arrow of an example: it begins at the word that looks and ends at the word looked at, over no word between.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arrowBetween, isApart } from "../../../../frontend/views/head_card/link_example.js";

const word = (left, top) => ({ left, top, width: 20, height: 16 });
const ends = ({ path }) => {
  const numbers = path.match(/-?[\d.]+/g).map(Number);
  return { from: numbers.slice(0, 2), to: numbers.slice(-2), bends: [numbers[3], numbers[5]] };
};

test("on one line the arrow rises above the words, whichever of them comes first", () => {
  for (const [one, other] of [
    [word(0, 20), word(100, 20)],
    [word(100, 20), word(0, 20)],
  ]) {
    const { from, to, bends } = ends(arrowBetween(one, other));
    assert.deepEqual(from, [one.left + 10, 20]);
    assert.deepEqual(to, [other.left + 10, 20]);
    assert.ok(bends.every((y) => y < 20));
  }
});

test("between lines it leaves and enters at the edges that face each other", () => {
  const down = ends(arrowBetween(word(0, 20), word(50, 60)));
  assert.deepEqual([down.from[1], down.to[1]], [36, 60]);
  const up = ends(arrowBetween(word(0, 60), word(50, 20)));
  assert.deepEqual([up.from[1], up.to[1]], [60, 36]);
  assert.match(arrowBetween(word(0, 60), word(50, 20)).tip, /41 L60 36/, "the head points upwards");
});

test("what a treebank splits off stands where it is written", () => {
  const words = ["It", "does", "n't", "(", "at", "all", ")", "matter", ",", "he", "'s", "told", "."];
  const written = words.map((word, at) => (isApart(words, at) ? ` ${word}` : word)).join("");
  assert.equal(written, "It doesn't (at all) matter, he's told.");
});
