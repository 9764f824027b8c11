// Cutting a text: never more than fits, never inside a letter, after a sentence where there is one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { codePoints, cutText } from "../../../frontend/page/cut_text.js";

const STORY = "One cat sat. Two dogs ran, and nobody knows why. Three birds flew away over the sea.";

test("a text is cut after the last whole sentence that fits", () => {
  const second = STORY.indexOf(" Three");
  for (const room of [second, second + 1, second + 10]) {
    assert.deepEqual(cutText(STORY, room), { text: STORY.slice(0, second), after: "sentence" }, `${room} characters`);
  }
});

test("without a sentence end, or where little would be left, it is cut after the last whole word", () => {
  assert.deepEqual(cutText("one two three four", 10), { text: "one two", after: "word" });
  assert.deepEqual(cutText(STORY, 45), { text: "One cat sat. Two dogs ran, and nobody knows", after: "word" });
  assert.deepEqual(cutText("Hi. one two three four", 19), { text: "Hi. one two three", after: "word" });
});

test("what is left is the beginning of the text, at most as long as fits, in any script", () => {
  const texts = [STORY, "東京は雨です。明日も雨でしょう。傘を持って行きます。", "👩‍🚀👩‍🚀 flew. 👍👍👍👍 sat.", "שלום עולם. זה משפט ארוך יותר.", "e\u0301".repeat(30)];
  for (const text of texts) {
    for (let room = 1; room <= codePoints(text); room += 1) {
      const cut = cutText(text, room);
      if (cut === null) continue;
      assert.ok(text.startsWith(cut.text), `${text} in ${room}`);
      assert.ok(codePoints(cut.text) <= room, `${cut.text} in ${room}`);
      assert.ok(!/[\ud800-\udbff]$/.test(cut.text), "no half of a character");
    }
  }
  assert.equal(cutText("東京は雨です。明日も雨でしょう。", 10).text, "東京は雨です。");
});

test("a word longer than the room is cut between letters, and blanks alone are nothing to read", () => {
  assert.deepEqual(cutText("a".repeat(50), 7), { text: "a".repeat(7), after: "character" });
  assert.equal(cutText("     word", 3), null);
  assert.equal(cutText("word", 0), null);
});

test("a text far over the limit is not read to its end", () => {
  const text = STORY.repeat(100_000);
  const began = performance.now();
  assert.ok(codePoints(cutText(text, 2000).text) <= 2000);
  assert.ok(performance.now() - began < 500);
});
