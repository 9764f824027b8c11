// The ranking in words: what was measured, of which tokens, and where bars end.

import assert from "node:assert/strict";
import { test } from "node:test";

import { barEnd, edgeWords, listed, measuredWords, suggestedLink, tokenNamed } from "../../../frontend/heads/ranking.js";

const tokens = ["The", "animal", "saw", "the", "old", "animal", "it"].map((text, index) => ({ index, text }));
const edge = (weight, by_position) => ({ layer: 0, head: 0, weight, by_position, by_others: null, weighted: null });

test("a token is named by its text, one that occurs again by its place too", () => {
  assert.equal(tokenNamed(tokens, 6), "“it”");
  assert.equal(tokenNamed(tokens, 1), "“animal” (token 1)");
  assert.equal(tokenNamed(tokens, 0), "“The”", "“the” is another text");
  assert.equal(listed(tokens, [0, 4, 6]), "“The”, “old” and “it”");
});

test("the sentence tells the link, the sum over several keys, and both numbers to hold it against", () => {
  const said = measuredWords(tokens, { queries: [6], keys: [4], uniform: 0.0714, elsewhere: 5, others: 0 });
  assert.match(said, /^Attention from “it” to “old”, on this sentence\. Uniform attention would give 0\.071\. /);
  assert.match(
    said,
    /By position alone \(the tick\): the same head at the same distance elsewhere in this text, mean of 5 pairs, sinks left out\.$/,
  );
  const several = measuredWords(tokens, { queries: [0, 6], keys: [1, 4], uniform: 0.2, elsewhere: 0, others: 0 });
  assert.match(several, /^Mean attention from .*“old”, summed over them, on this/);
  const toSink = measuredWords(tokens, { queries: [6], keys: [0], uniform: 0.1, elsewhere: 1, others: 0 });
  assert.match(toSink, /elsewhere in this text, mean of 1 pair\.$/, "pairs with sinks count as well");
  assert.ok(!several.includes("By position"), "no other pair, no tick");
});

test("bars end at a round number that neither a weight nor a tick passes", () => {
  assert.equal(barEnd([edge(0.31, 0.02)]), 0.5);
  assert.equal(barEnd([edge(0.03, 0.61)]), 1);
  assert.equal(barEnd([edge(0.2, null)]), 0.2);
  assert.equal(barEnd([]), 0.01);
});

test("where no other pair is as far apart that is said, not zero", () => {
  assert.equal(edgeWords(edge(0.5, 0)), "0.500, 0.000 by position alone");
  assert.equal(edgeWords(edge(0.5, null)), "0.500, no other pair at this distance");
});

test("an example suggests the two tokens its hint quotes, if both are tokens here", () => {
  const example = (hint) => ({ title: "", text: "", text_pair: null, hint });
  assert.deepEqual(suggestedLink(tokens, example("Which heads tie “it” to “animal”?")), { queries: [6], keys: [1] });
  assert.deepEqual(suggestedLink(tokens, example("Which heads tie “animal” to “animal”?")), { queries: [5], keys: [1] }, "the last to the first");
  assert.equal(suggestedLink(tokens, example("Which heads tie “it” to “dog”?")), null);
  assert.equal(suggestedLink(tokens, example("Which heads tie “it” to “it”?")), null);
  assert.equal(suggestedLink(tokens, example("Heads that find “it”.")), null);
  assert.equal(suggestedLink(tokens, null), null);
});
