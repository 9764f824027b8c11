// What is said of side B: how far its question is, and what of A's text it does not read.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createAgainst, statusWords, unreadInWords, wholeText } from "../../../frontend/views/against.js";
import { answer, compared, config, overview, ready, start, threeStacks } from "../small_answer.js";
import { drawOn, newPage, ofClass } from "../small_dom.js";
import { read, writerStore } from "../small_writer.js";

test("layers are counted over all attentions of an encoder-decoder", () => {
  const store = compared(3);
  const { b } = store.actions.sides;
  b.pend();
  b.begin(start(5, { stacks: threeStacks(3, 2) }));
  b.receive(overview(0, 3));
  b.receive(overview(0, 2, { stack: "decoder", heads: 2 }));
  assert.equal(statusWords(store.state), "layer 2 of 4");
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
  assert.equal(statusWords(store.state), "4 / 9 tokens");
});

test("side B is shown while there is one, with A's text until it has its own", () => {
  const store = ready();
  const page = newPage("against", "against-notes", "against-waiting", "add-against");
  drawOn(store, createAgainst(store, () => {}));
  const [box] = ofClass(page.against, "sentence-text");
  const isHidden = () => ["against", "against-notes", "add-against"].map((id) => page[id].hidden);
  assert.deepEqual(isHidden(), [true, true, false]);
  store.actions.compareWith({});
  assert.deepEqual([...isHidden(), box.value], [false, false, true, "first example"]);
  store.actions.editText("typed in A");
  assert.equal(box.value, "typed in A");
  store.actions.editAgainst({ text: "typed in B" });
  store.actions.editText("typed again");
  assert.equal(box.value, "typed in B");
  store.actions.compareWith(null);
  assert.deepEqual(isHidden(), [true, true, false]);
});

test("its minimal pairs stay the same buttons while layers come, and its refusal is shown when it is over", () => {
  const store = compared(3);
  const page = newPage("against", "against-notes", "against-waiting", "add-against");
  store.actions.describe(store.state.models, { ...config, examples: [{ ...config.examples[0], against: "first word" }] }, null);
  drawOn(store, createAgainst(store, () => {}));
  const [chip] = ofClass(page.against, "chip");
  assert.deepEqual([chip.textContent, chip.getAttribute("aria-pressed")], ["example → word", "false"]);
  const run = store.actions.sides.b;
  run.pend();
  run.begin(start(3));
  run.receive(overview(0, 3));
  const notes = page["against-notes"];
  const waiting = page["against-waiting"];
  assert.equal(waiting.textContent, "B: layer 1 of 2", "said where it is seen while the box has not the focus");
  run.fail({ code: "x", message: "Refused.", details: null });
  assert.equal(ofClass(page.against, "chip")[0], chip);
  const [problem] = ofClass(notes, "against-problem");
  assert.deepEqual([problem.hidden, problem.textContent, waiting.textContent], [false, "That did not workRefused.", ""]);
  run.pend();
  assert.equal(problem.hidden, true);
  store.actions.compareWith(null);
  assert.equal(waiting.textContent, "");
});
