// Which tokens stand opposite which, as marks and in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { alignmentWords, changedWords, markWords, oppositesOf } from "../../../frontend/compare/alignment.js";
import { generator } from "../random.js";

const unit = (one, other, text, other_text, same = text === other_text) => ({ one, other, text, other_text, same });
const PAIR = [unit([0], [0], "[CLS]", "[CLS]"), unit([1], [1], "tired", "wide"), unit([2], [], ".", ""), unit([], [2], "", "now")];

test("every token of a side has exactly one mark, and a mark is mutual", () => {
  const { next, below } = generator(7);
  for (let round = 0; round < 50; round += 1) {
    const units = [];
    const counts = [0, 0];
    const take = (side) => Array.from({ length: below(3) }, () => (counts[side] += 1) - 1);
    for (let at = 0; at < 8; at += 1) {
      const [one, other] = [take(0), take(1)];
      if (one.length + other.length > 0) units.push(unit(one, other, "x", "y", next() < 0.5));
    }
    const [a, b] = [oppositesOf(units, "a"), oppositesOf(units, "b")];
    assert.deepEqual([a, b].map((marks) => marks.filter(Boolean).length), counts);
    for (const { one, other, same } of units) {
      const marks = [...one.map((token) => a[token].mark), ...other.map((token) => b[token].mark)];
      const expected = one.length === 0 || other.length === 0 ? "alone" : same ? "same" : "changed";
      assert.deepEqual(new Set(marks), new Set([expected]));
    }
  }
});

test("a mark tells in words what the other side reads", () => {
  const [a, b] = [oppositesOf(PAIR, "a"), oppositesOf(PAIR, "b")];
  assert.deepEqual(a.map((mark) => markWords(mark, "a")), ["", "changed: B reads wide", "no counterpart in B"]);
  assert.deepEqual(b.map((mark) => markWords(mark, "b")), ["", "changed: A reads tired", "no counterpart in A"]);
  assert.equal(markWords(undefined, "a"), "", "while nothing is compared there are no marks");
});

test("one model is compared token by token, and what differs is named", () => {
  assert.equal(
    alignmentWords({ units: PAIR, same_model: true }),
    "Compared token by token: 1 the same, 1 changed (tired ↔ wide; underlined twice). No counterpart in B: .; no counterpart in A: now, shown with a dashed border.",
  );
  const same = { units: PAIR.slice(0, 1), same_model: true };
  assert.equal(alignmentWords(same), "Compared token by token: 1 the same. Every token has a counterpart.");
});

test("two models are compared by the words both share, and special tokens have no counterpart", () => {
  const blanks = [3, 4, 5].map((token) => unit([token], [], "␣", ""));
  const units = [unit([0], [], "<bos>", ""), unit([1, 2], [0], "The", "The"), ...blanks];
  assert.equal(
    alignmentWords({ units, same_model: false }),
    "Compared by words both tokenizers share: 1 matched. No counterpart in B: <bos>, ␣ (3 times), shown with a dashed border.",
  );
});

test("of many changed words the first few are named", () => {
  const units = [0, 1, 2, 3, 4].map((at) => unit([at], [at], `a${at}`, `b${at}`));
  assert.match(alignmentWords({ units, same_model: true }), /5 changed \(a0 ↔ b0, a1 ↔ b1, a2 ↔ b2 and 2 more; /);
});

test("a minimal pair is told by the word that changed", () => {
  assert.equal(changedWords("It was too tired.", "It was too wide."), "tired → wide");
  assert.equal(changedWords("the cat sat", "the dog sat"), "cat → dog");
  assert.equal(changedWords("the cat sat", "the old cat sat"), "∅ → old");
  assert.equal(changedWords("a b a", "a a"), "b → ∅", "no word is counted from both ends");
  assert.equal(changedWords("the same", "the same"), null);
});
