// Words made of tokens: what the tokenizer calls one word, and contractions.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wordRuns, wordText } from "../../../frontend/maps/words.js";
import { generator } from "../random.js";
import { randomTokens } from "../random_map.js";

const token = (text, word, segment = 0) => ({ text, word, segment, kind: word === null ? "special" : "word_start" });
const everyPlace = (tokens) => tokens.map((_, place) => place);
const texts = (tokens) => wordRuns(tokens, everyPlace(tokens)).map((run) => wordText(tokens, run));

test("every token is in one word, in reading order, whatever the text", () => {
  const random = generator(21);
  for (let round = 0; round < 50; round += 1) {
    const tokens = randomTokens(2 + random.below(30), random);
    const runs = wordRuns(tokens, everyPlace(tokens));
    assert.deepEqual(runs.flat(), everyPlace(tokens));
    for (const run of runs) assert.equal(new Set(run.map((place) => tokens[place].word)).size, 1);
    const words = runs.map((run) => tokens[run[0]].word).filter((word) => word !== null);
    assert.equal(new Set(words).size, words.length, "no word is cut in two");
  }
});

test("pieces of one word are joined without blanks, those of several words are not", () => {
  assert.deepEqual(texts(["didn", "'", "t"].map((text) => token(text, 4))), ["didn't"]);
  assert.deepEqual(texts(["didn", "'", "t"].map((text, at) => token(text, at))), ["didn", "'", "t"]);
  const long = ["un", "believ", "able"].map((text) => token(text, 0));
  assert.deepEqual(texts([...long, token("␣", 1)]), ["unbelievable", "␣"]);
});

test("an apostrophe between letters joins what the tokenizer cut apart, a quotation mark does not", () => {
  const read = (pieces) => {
    let at = 0;
    const tokens = pieces.map(([text, blank = ""], word) => {
      const start = at + blank.length;
      at = start + text.length;
      return { ...token(text, word), start, end: at };
    });
    return texts(tokens);
  };
  assert.deepEqual(read([["didn"], ["'"], ["t"], ["go", " "]]), ["didn't", "go"]);
  assert.deepEqual(read([["didn"], ["'t"], ["go", " "]]), ["didn't", "go"]);
  assert.deepEqual(read([["l"], ["’"], ["homme"]]), ["l’homme"]);
  assert.deepEqual(read([["dogs"], ["'"], ["bark", " "]]), ["dogs", "'", "bark"]);
  assert.deepEqual(read([["'"], ["go"], ["'"]]), ["'", "go", "'"]);
});

test("special tokens stand alone, also side by side, and a word ends with its sentence", () => {
  assert.deepEqual(texts([token("[CLS]", null), token("[SEP]", null), token("a", 0)]), ["[CLS]", "[SEP]", "a"]);
  assert.deepEqual(texts([token("a", 0), token("b", 0, 1)]), ["a", "b"]);
});
