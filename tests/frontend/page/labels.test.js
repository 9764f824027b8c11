// Labels: cut only between letters as readers see them, running the way their first letter runs.

import assert from "node:assert/strict";
import { test } from "node:test";

import { directionOf, durationText, fitted, tokenInWords, tokenLabel, weightText } from "../../../frontend/page/labels.js";

const context = { measureText: (text) => ({ width: [...text].length }) };

test("a shortened label never cuts a letter from its marks, in any script", () => {
  const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const text of ["क्षत्रियकुमार", "ภาษาไทยที่นี่", "👩‍👩‍👧‍👦👩🏽‍🚀🇫🇷🇩🇪", "e\u0301e\u0301e\u0301e\u0301", "நிலவு"]) {
    const whole = Array.from(letters.segment(text), ({ segment }) => segment);
    for (let width = 1; width < [...text].length; width += 1) {
      const short = fitted(context, text, width);
      assert.ok(short.endsWith("…"));
      const kept = Array.from(letters.segment(short.slice(0, -1)), ({ segment }) => segment);
      assert.deepEqual(kept, whole.slice(0, kept.length), `${text} in ${width}`);
      assert.ok([...short].length <= Math.max(1, width));
    }
    assert.equal(fitted(context, text, [...text].length), text);
  }
});

test("a very long word in a sentence is cut between letters too", () => {
  const text = "e\u0301".repeat(40);
  assert.equal(tokenInWords({ text }), `${"e\u0301".repeat(27)}…`);
});

test("the first letter tells which way a label runs, signs and digits do not", () => {
  for (const text of ["שלום", "##ים", "12 العربية", "«שלום» hello", "ތ"]) assert.equal(directionOf(text), "rtl", text);
  for (const text of ["hello שלום", "##ing", "123", "", "…", "हिन्दी", "東京"]) assert.equal(directionOf(text), "ltr", text);
});

test("weights below zero are written with a minus, and none that is not zero reads as zero", () => {
  assert.deepEqual([0.25, -0.25, 0.00001, -0.00001, 0].map(weightText), ["0.2500", "−0.2500", "<0.0001", ">−0.0001", "0.0000"]);
});

test("a duration is in milliseconds below a second, then in seconds, then in minutes", () => {
  const written = [0.4, 340, 999.4, 999.6, 1700, 59900, 59960, 125000].map((ms) => durationText(ms).replaceAll("\u00a0", " "));
  assert.deepEqual(written, ["0 ms", "340 ms", "999 ms", "1.0 s", "1.7 s", "59.9 s", "1 min 0 s", "2 min 5 s"]);
});

test("a word that runs right to left does not turn round the sentence about it", () => {
  assert.equal(`${tokenInWords({ text: "שלום" })} → ${tokenInWords({ text: "hello" })}`, "\u2068שלום\u2069 → hello");
});

test("a token that the vocabulary lacks is written with what the model sees of it", () => {
  const unknown = { text: "🙂", piece: "[UNK]", unknown: true };
  assert.deepEqual([tokenLabel(unknown), tokenInWords(unknown)], ["🙂 [UNK]", "🙂 [UNK]"]);
  assert.equal(tokenLabel({ text: "cat", piece: "cat", unknown: false }), "cat");
  assert.equal(tokenInWords({ ...unknown, text: "🙂".repeat(40) }), `${"🙂".repeat(27)}… [UNK]`);
});
