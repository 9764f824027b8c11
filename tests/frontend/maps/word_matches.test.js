// Tokens opposite each other become words opposite each other: none is cut, none is lost that has a match.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wordMatches } from "../../../frontend/maps/word_matches.js";
import { generator } from "../random.js";
import { randomTokens } from "../random_map.js";

const tokensOf = (words) =>
  words.flatMap((pieces, word) => pieces.map((text) => ({ text, word, segment: 0, kind: "word_start" })));
const line = (words, typed = []) => ({ tokens: tokensOf(words), typed });
const pairs = (...places) => places.map(([one, other]) => ({ one, other }));

test("in every group there are whole words, and each matched token is in exactly one", () => {
  const random = generator(91);
  for (let round = 0; round < 60; round += 1) {
    const [one, other] = [0, 1].map(() => ({ tokens: randomTokens(3 + random.below(12), random), typed: [] }));
    const n = Math.min(one.tokens.length, other.tokens.length);
    const alone = Array.from({ length: n }, () => random.below(4) === 0);
    const matches = alone.flatMap((isAlone, at) => (isAlone ? pairs([[at], []], [[], [at]]) : pairs([[at], [at]])));
    const found = wordMatches(one, other, matches);
    for (const [side, { tokens }] of /** @type {const} */ ([["one", one], ["other", other]])) {
      const places = found.flatMap((match) => match[side]);
      assert.equal(new Set(places).size, places.length);
      assert.ok(alone.every((isAlone, at) => isAlone || places.includes(at)));
      for (const match of found) {
        const words = new Set(match[side].map((place) => tokens[place].word));
        const whole = tokens.slice(0, n).flatMap(({ word }, place) => (word !== null && words.has(word) ? [place] : []));
        assert.ok(whole.every((place) => match[side].includes(place)), "no word is cut");
      }
    }
    assert.deepEqual(found.map(({ one: [first] }) => first), found.map(({ one: [first] }) => first).sort((a, b) => a - b));
  }
});

test("a word takes along the pieces that have nothing opposite, and a word with none is left out", () => {
  const [one, other] = [line([["tired"], ["!"]]), line([["wi", "de"]])];
  const found = wordMatches(one, other, pairs([[0], [0]], [[], [1]], [[1], []]));
  assert.deepEqual(found, [{ one: [0], other: [0, 1], text: "tired", other_text: "wide" }]);
});

test("words that one of both cuts elsewhere stand together, with a blank where they are apart", () => {
  const apart = line([["ice"], ["cream"]]);
  const found = wordMatches(apart, line([["ice", "cream"]]), pairs([[0], [0]], [[1], [1]]));
  assert.deepEqual(found, [{ one: [0, 1], other: [0, 1], text: "ice cream", other_text: "icecream" }]);
  const touching = { ...apart, tokens: apart.tokens.map((token, at) => ({ ...token, start: 3 * at, end: 3 + 5 * at })) };
  assert.equal(wordMatches(touching, line([["ice", "cream"]]), pairs([[0], [0]], [[1], [1]]))[0].text, "icecream");
});

test("words are joined through others: what meets in one word is one group", () => {
  const [one, other] = [line([["a", "b"], ["c"]]), line([["x"], ["y", "z"]])];
  const found = wordMatches(one, other, pairs([[0], [0]], [[], [1]], [[2], [2]], [[1], []]));
  assert.deepEqual(found.map((match) => [match.text, match.other_text]), [["ab", "x"], ["c", "yz"]]);
  const met = wordMatches(one, other, pairs([[0], [0]], [[], [1]], [[2], []], [[1], [2]]));
  assert.deepEqual(met.map((match) => [match.text, match.other_text]), [["ab", "x yz"]]);
});
