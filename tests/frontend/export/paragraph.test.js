// Lines of a width: nothing lost between them, none too long, an ellipsis where there are too many.

import assert from "node:assert/strict";
import { test } from "node:test";

import { wrapped } from "../../../frontend/export/paragraph.js";
import { generator } from "../random.js";

const context = { measureText: (text) => ({ width: [...text].length }) };

test("lines put together are the text, and none is wider than it may be", () => {
  const random = generator(2);
  const words = ["a", "of", "attention,", "transformer", "東京都に住む", "東京都に住むひとびとがたくさんいるとおもいますよね", "(it)", "—", "שלום"];
  for (let round = 0; round < 60; round += 1) {
    const text = Array.from({ length: 1 + random.below(40) }, () => random.pick(words)).join(" ");
    const lines = wrapped(context, text, 24, 99);
    assert.equal(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
    for (const line of lines) assert.ok([...line].length <= 24, line);
  }
});

test("more lines than there may be end in an ellipsis", () => {
  const lines = wrapped(context, "one two three four five six seven eight", 10, 2);
  assert.deepEqual(lines, ["one two", "three fou…"]);
  assert.deepEqual(wrapped(context, "one two", 10, 2), ["one two"]);
  assert.deepEqual(wrapped(context, "", 10, 2), [""]);
});

test("line breaks of the sentence are blanks", () => {
  assert.deepEqual(wrapped(context, " one\n\ttwo ", 10, 2), ["one two"]);
});
