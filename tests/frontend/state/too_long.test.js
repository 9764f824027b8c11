// A text over a limit: both counts, where it is cut, and the models that would take it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cutToFit, lengthDetails, modelsThatTake, overlong } from "../../../frontend/state/too_long.js";

const asked = (text, text_pair) => overlong({ model: "m", text, text_pair }, { limits: { max_characters: 1200 } });
const problem = (details) => ({ code: "text_too_long", message: "", details });

test("a question over the limit of characters is refused with both counts, counted as the server does", () => {
  assert.equal(asked("a".repeat(1200)), null);
  assert.equal(asked("a".repeat(1000), "b".repeat(200)), null);
  assert.equal(asked("👍".repeat(1200)), null, "two UTF-16 units are one character");
  assert.deepEqual(asked("👍".repeat(1000), "b".repeat(201)), {
    code: "text_too_long",
    message: "The two texts have 1,201 characters and the limit is 1,200: remove at least 1.",
    details: { n_characters: 1201, max_characters: 1200, cut: { field: "text", n_characters: 999 } },
  });
  assert.deepEqual(asked("a", "b".repeat(1300)).details.cut, { field: "text_pair", n_characters: 1199 });
  assert.match(asked("a".repeat(1300)).message, /^The text has 1,300/);
});

test("the text that the server names is cut, with the counts of both", () => {
  const seen = { text: "One two. Three four five.", text_pair: "Six seven. Eight nine." };
  const cut = (field, n_characters) => cutToFit(seen, problem({ cut: { field, n_characters } }));
  assert.deepEqual(cut("text", 12), { text: "One two.", after: "sentence", field: "text", n_kept: 8, n_characters: 25 });
  assert.equal(cut("text_pair", 14).text, "Six seven.");
  assert.equal(cutToFit(seen, problem({ n_tokens: 9, max_tokens: 5 })), null, "cutting one text is not enough");
  assert.equal(cutToFit({ ...seen, text_pair: null }, problem({ cut: { field: "text_pair", n_characters: 3 } })), null);
});

test("only installed models with room for all tokens are offered, and for two texts only those that take two", () => {
  const model = (id, max_tokens, more = {}) => ({ id, max_tokens, available: true, state: "ready", pairs: false, ...more });
  const models = [
    model("chosen", 512, { pairs: true }),
    model("huge", 8192),
    model("large", 1024),
    model("small", 256),
    model("away", 4096, { available: false, state: "not installed" }),
    model("fetched", 4096, { state: "not installed" }),
    model("two", 2048, { pairs: true }),
  ];
  const offered = (changes, details = { n_tokens: 700, max_tokens: 512 }) =>
    modelsThatTake({ models, model: "chosen", text_pair: null, continuation: [], ...changes }, problem(details)).map(({ id }) => id);
  assert.deepEqual(offered({}), ["large", "two", "huge"]);
  assert.deepEqual(offered({ text_pair: "second" }), ["two"]);
  assert.deepEqual(offered({ text_pair: "second", model: "small" }), ["large", "two", "huge"], "it reads one text");
  assert.deepEqual(offered({ continuation: [7] }), [], "another model would not have written it");
  assert.deepEqual(offered({}, { n_characters: 9, max_characters: 8 }), [], "that limit is the server's");
});

test("only a text over a limit has counts", () => {
  assert.equal(lengthDetails(null), null);
  assert.equal(lengthDetails({ code: "bad_input", message: "", details: { n_tokens: 1 } }), null);
  assert.deepEqual(lengthDetails(problem(null)), {});
});
