// Captions and names of files: true, short, and possible on every machine.

import assert from "node:assert/strict";
import { test } from "node:test";

import { captionOf, fileName, treatmentOf } from "../../../frontend/take_away/caption.js";
import { compared, ready } from "../small_answer.js";

const NOW = new Date(2026, 0, 5, 12);

test("a caption has the words, the model, the program and the day", () => {
  const { state } = ready();
  assert.deepEqual(captionOf({ ...state, config: { ...state.config, version: "1.2" } }, NOW), ["“first example”, both", "HeadScope 1.2, 2026-01-05"]);
});

test("a second sentence, written tokens and what was done to the maps are told too", () => {
  const { state } = ready();
  const told = captionOf({ ...state, text_pair: "second", continuation: [1, 2], hide: "special", renormalise: true, words: true }, NOW);
  assert.equal(told[0], "“first example” / “second” and 2 generated tokens, both");
  assert.equal(told[1], "Special tokens hidden, rows renormalised, pieces merged to words.");
});

test("both sides of a comparison are named", () => {
  const [a, b] = captionOf(compared().state, NOW);
  assert.match(a, /^A: “first example”/);
  assert.match(b, /^B: “other words”/);
});

test("colours are no treatment of the weights, and renormalising nothing is none either", () => {
  const { state } = ready();
  assert.deepEqual(treatmentOf({ ...state, scale: "log", range: "head", renormalise: true }), []);
});

test("names of files hold letters of any script and nothing a disk refuses", () => {
  const named = (model, text) => fileName({ ...ready().state, model, text }, ".svg");
  assert.equal(named("minilm", "The animal didn't cross."), "headscope-minilm-the-animal-didn-t-cross.svg");
  assert.equal(named("org/model:v1", "../../etc/passwd\0\n"), "headscope-org-model-v1-etc-passwd.svg");
  assert.equal(named("m", "Жил-был кот 🦊"), "headscope-m-жил-был-кот.svg");
  assert.equal(named("m", "🦊"), "headscope-m.svg");
  assert.ok(named("m", "x".repeat(500)).length < 70);
  assert.ok(named("m", "word ".repeat(500)).length < 70);
});
