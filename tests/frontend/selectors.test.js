// What is computed from a question before it is put to the server.

import assert from "node:assert/strict";
import { test } from "node:test";

import { overlong } from "../../frontend/selectors.js";

test("a question over the limit of characters is refused with both counts, counted as the server does", () => {
  const asked = (text, text_pair) => overlong({ model: "m", text, text_pair }, { limits: { max_characters: 1200 } });
  assert.equal(asked("a".repeat(1200)), null);
  assert.equal(asked("a".repeat(1000), "b".repeat(200)), null);
  assert.equal(asked("👍".repeat(1200)), null, "two UTF-16 units are one character");
  assert.deepEqual(asked("👍".repeat(1000), "b".repeat(201)), {
    code: "text_too_long",
    message: "The text has 1,201 characters and the limit is 1,200: shorten it.",
    details: { n_characters: 1201, max_characters: 1200 },
  });
});
