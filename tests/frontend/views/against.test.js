// What is said of side B: how it stands, and what of A's text it does not read.

import assert from "node:assert/strict";
import { test } from "node:test";

import { standingWords, unreadInWords, wholeText } from "../../../frontend/views/against.js";
import { answer, compared, overview, start, threeStacks } from "../small_answer.js";
import { read, writerStore } from "../small_writer.js";

test("layers are counted over all attentions of an encoder-decoder", () => {
  const store = compared(3);
  const { b } = store.actions;
  b.pend();
  b.begin(start(5, { stacks: threeStacks(3, 2) }));
  b.receive(overview(0, 3));
  b.receive(overview(0, 2, { stack: "decoder", heads: 2 }));
  assert.equal(standingWords(store.state), "layer 2 of 4");
});

test("another model that takes its sentence from A is said to read it without what was written", () => {
  const store = writerStore();
  store.actions.compareWith({ model: "both" });
  assert.equal(unreadInWords(store.state), "", "nothing is written");
  store.actions.continueWith([7, 8]);
  assert.match(unreadInWords(store.state), /without the 2 tokens written after it/);
  assert.equal(wholeText(store.state), null, "their words are not here yet");
  read(store, 5);
  assert.equal(wholeText(store.state), "first examplet3t4");
  store.actions.compareWith({ text: wholeText(store.state) });
  assert.equal(unreadInWords(store.state), "");
  store.actions.compareWith({ model: null, text: null });
  assert.equal(unreadInWords(store.state), "", "the same model reads the same");
});

test("B's tokens are counted when it has answered", () => {
  const store = compared(3);
  answer(store, start(4, { id: "b2" }), "b");
  assert.equal(standingWords(store.state), "4 / 9 tokens");
});
