// What is said of one head: the number before its interval, nothing lost of the sentence, fallen claims with both numbers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { behaviourOf, behaviourParts, evidenceParts, notAboveOf, notAboveParts, percentText } from "../../../frontend/heads/evidence.js";
import { smallAtlas } from "../small_atlas.js";

const record = smallAtlas();
const plain = (parts) => Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, text.replaceAll("\u00a0", " ")]));

test("evidence is its claim, its number and the rest from the interval on", () => {
  const sentence =
    "objects → their verb: 72 % of 1,234 on the test set (95 % interval 70 to 75 %); the best simple rule, the word just before, 48 %. Head minus rule 24 points (20 to 28).";
  assert.deepEqual(plain(evidenceParts("objects → their verb", sentence)), {
    claim: "objects → their verb",
    number: "72 % of 1,234 on the test set",
    rest: "95 % interval 70 to 75 %; the best simple rule, the word just before, 48 %. Head minus rule 24 points (20 to 28).",
  });
});

test("brackets before the interval stay with the number, and a sentence without interval is whole", () => {
  const measured = "tokens → the first: 93 % of the attention (12 rows) on the dev set (95 % interval 92 to 94 %), uniform attention 7 %.";
  assert.equal(plain(evidenceParts("tokens → the first", measured)).number, "93 % of the attention (12 rows) on the dev set");
  assert.deepEqual(evidenceParts("claim", "something else.", "label"), { claim: "label", number: "something else.", rest: "" });
});

test("what is below zero has a true minus", () => {
  const sentence = "claim: 5 % of 9 (95 % interval 1 to 9 %). Head minus rule -16.2 points (-18.9 to -13.6).";
  assert.match(plain(evidenceParts("claim", sentence)).rest, /Head minus rule −16\.2 points \(−18\.9 to −13\.6\)\.$/);
});

test("a head has at most one usual choice, told in a sentence", () => {
  assert.equal(behaviourOf(record, { layer: 1, head: 0 }), null);
  const parts = plain(behaviourParts(behaviourOf(record, { layer: 0, head: 0 })));
  assert.equal(parts.claim, "from function words to the next content word");
  assert.equal(parts.number, "61 % of its 9,876 choices on the test set");
  assert.equal(parts.rest, "95 % interval 60 to 62 %, uniform attention 12 %.");
});

test("claims that fell are those of the head, the nearest to a role first, with the numbers of head and rule", () => {
  const found = notAboveOf(record, { layer: 0, head: 0 });
  assert.deepEqual(found.map(({ id }) => id), ["determiners", "adjectives"]);
  assert.deepEqual(notAboveOf(record, { layer: 0, head: 1 }), []);
  assert.deepEqual(plain(notAboveParts(found[0])), {
    claim: "determiners → their noun",
    number: "head 72 %, rule 61 %",
    rest: "Rule: the next content word. Head minus rule 11.0 points (6.0 to 16.0) on the test set, n = 1,234; 11.0 points (6.0 to 16.0) on the dev set.",
  });
});

test("shares are whole percents that no line breaks", () => {
  assert.deepEqual([0, 0.005, 0.614, 1].map(percentText), ["0\u00a0%", "1\u00a0%", "61\u00a0%", "100\u00a0%"]);
});
