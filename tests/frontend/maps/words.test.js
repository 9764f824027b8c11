// Words made of tokens: what the tokenizer calls one word, and contractions.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wordRuns, wordText } from "../../../frontend/maps/words.js";
import { generator } from "../random.js";
import { randomTokens } from "../random_map.js";

const token = (text, word, segment = 0) => ({ text, word, segment, kind: word === null ? "special" : "word_start" });
const everyPlace = (tokens) => tokens.map((_, place) => place);
const texts = (tokens) => wordRuns(tokens, everyPlace(tokens)).map((run) => wordText(tokens, run, []));

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

test("a word cut inside its characters is written as it was typed, each sentence for itself", () => {
  const placed = (text, word, start, end, segment = 0) => ({ ...token(text, word, segment), start, end });
  const typed = ["👍🏽 לא", "né"].map((sentence) => [...sentence]);
  const tokens = [
    placed("⟨F0 9F⟩", 0, 0, 1),
    placed("⟨91 8D⟩", 0, 0, 1),
    placed("⟨F0 9F 8F BD⟩", 0, 1, 2),
    placed("⟨D7⟩", 1, 3, 4),
    placed("⟨9C⟩", 1, 3, 4),
    placed("א", 1, 4, 5),
    placed("n", 2, 0, 1, 1),
    placed("⟨C3⟩", 2, 1, 2, 1),
    placed("⟨A9⟩", 2, 1, 2, 1),
  ];
  const read = wordRuns(tokens, everyPlace(tokens)).map((run) => wordText(tokens, run, typed));
  assert.deepEqual(read, ["👍🏽", "לא", "né"]);
  const written = tokens.map((one) => ({ ...one, start: null, end: null }));
  assert.equal(wordText(written, [3, 4, 5], typed), "⟨D7⟩⟨9C⟩א", "what was never typed has its pieces alone");
  assert.equal(wordText(tokens, [3], typed), "⟨D7⟩", "a piece alone is no character");
});

test("characters without ink keep the marks of their pieces, joiners inside an emoji do not need them", () => {
  const read = (text, pieces) => {
    const tokens = pieces.map((piece, at) => ({ ...token(piece, 0), start: at, end: at + 1 }));
    return wordText(tokens, everyPlace(tokens), [[...text]]);
  };
  assert.equal(read("a\u200bb", ["a", "⟨ZWSP⟩", "b"]), "a⟨ZWSP⟩b");
  assert.equal(read("a\u200db", ["a", "⟨ZWJ⟩", "b"]), "a⟨ZWJ⟩b");
  assert.equal(read("👨\u200d👩", ["👨", "⟨ZWJ⟩", "👩"]), "👨\u200d👩");
  assert.equal(read("❤\ufe0f", ["❤", "⟨U+FE0F⟩"]), "❤\ufe0f");
});

test("an ellipsis stands for the pieces of a word that are not among those shown", () => {
  const tokens = [token("Ant", 0), token("idis", 0), token("m", 0), token("is", 1)];
  assert.deepEqual([[0, 1, 2], [1, 2], [3]].map((run) => wordText(tokens, run, [])), ["Antidism", "…idism", "is"]);
});
