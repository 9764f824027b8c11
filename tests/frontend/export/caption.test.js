// Captions and names of files: true, short, and possible on every machine.

import assert from "node:assert/strict";
import { test } from "node:test";

import { captionOf, fileName, treatmentOf } from "../../../frontend/export/caption.js";
import { onSide } from "../../../frontend/state/sides.js";
import { compared, ready } from "../small_answer.js";
import { writerStore } from "../small_writer.js";

const NOW = new Date(2026, 0, 5, 12);

test("a caption has the words, the model, the program and the day", () => {
  const { state } = ready();
  assert.deepEqual(captionOf({ ...state, config: { ...state.config, version: "1.2" } }, [], NOW), ["“first example”, both", "HeadScope 1.2, 2026-01-05"]);
});

test("a second sentence, written tokens and what was done to the maps are told too", () => {
  const store = ready();
  store.actions.editPair("second");
  store.actions.continueWith([1, 2]);
  const treatment = ["special tokens hidden", "rows renormalised", "pieces merged into words"];
  const told = captionOf(store.state, [{ name: "L0 H0", treatment }, { name: "L1 H1", treatment }], NOW);
  assert.equal(told[0], "“first example” / “second” and 2 generated tokens, both");
  assert.equal(told[1], "Special tokens hidden, rows renormalised, pieces merged into words.");
});

test("a chat template around the text is told", () => {
  const store = writerStore();
  store.actions.wrapText(true);
  store.actions.continueWith([1]);
  assert.equal(captionOf(store.state, [], NOW)[0], "“first example” in the model's chat template and 1 generated token, writer");
});

test("both sides of a comparison are named", () => {
  const [a, b] = captionOf(compared().state, [], NOW);
  assert.match(a, /^A: “first example”/);
  assert.match(b, /^B: “other words”/);
});

test("maps to which different things were done are told apart", () => {
  const maps = [
    { name: "L0 H0", treatment: ["pieces merged into words"] },
    { name: "L1 H1", treatment: [] },
    { name: "L0 H0", treatment: ["pieces merged into words"] },
  ];
  const [, ...told] = captionOf(ready().state, maps, NOW);
  assert.deepEqual(told.slice(0, 2), ["L0 H0: pieces merged into words.", "L1 H1: as the model computes them."]);
});

test("what was done to a map is read from its sheet: colours are no treatment, and what was only wished is none", () => {
  const state = onSide(ready().state, "a");
  const wished = { ...state, scale: "log", range: "head", hide: "first", renormalise: true, words: true };
  const sheet = { merged: false, renormalised: false, block: 1 };
  assert.deepEqual(treatmentOf({ ...state, scale: "log", range: "head" }, sheet, false), []);
  assert.deepEqual(treatmentOf(wished, sheet, false), ["first token hidden"]);
  assert.deepEqual(treatmentOf(wished, { ...sheet, merged: true, renormalised: true }, false), ["first token hidden", "rows renormalised", "pieces merged into words"]);
  assert.deepEqual(treatmentOf(wished, { ...sheet, block: 2 }, false), ["first token hidden where a block of 2 holds nothing else"]);
});

test("names of files hold letters of any script and nothing a disk refuses", () => {
  const named = (model, text) => fileName({ model, text }, ".svg");
  assert.equal(named("minilm", "The animal didn't cross."), "headscope-minilm-the-animal-didn-t-cross.svg");
  assert.equal(named("org/model:v1", "../../etc/passwd\0\n"), "headscope-org-model-v1-etc-passwd.svg");
  assert.equal(named("m", "Жил-был кот 🦊"), "headscope-m-жил-был-кот.svg");
  assert.equal(named("m", "🦊"), "headscope-m.svg");
  assert.ok(named("m", "x".repeat(500)).length < 70);
  assert.ok(named("m", "word ".repeat(500)).length < 70);
});
