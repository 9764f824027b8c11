// How an entry of the history is told from the others of its sentence.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparedInWords, writtenInWords } from "../../../frontend/views/history.js";

const name = (id) => id.toUpperCase();
const entry = (against, asked = {}) => ({ question: { model: "m", text: "One.", ...asked }, against, view: "", time: 1 });

test("what was compared is said by what differs: the sentence, the model, or both", () => {
  const said = (against, asked) => comparedInWords(entry(against, asked), name);
  assert.deepEqual(said(null), []);
  assert.deepEqual(said(undefined), [], "earlier versions kept nothing of it");
  assert.deepEqual(said({ model: "m", text: "Two." }), ["compared with “Two.”"]);
  assert.deepEqual(said({ model: "n", text: "One." }), ["compared with N"]);
  assert.deepEqual(said({ model: "n", text: "Two.", text_pair: "Three." }), ["compared with “Two. / Three.” in N"]);
  assert.deepEqual(said({ model: "m", text: "One." }, { continuation: [3] }), ["compared with the text alone"]);
  assert.deepEqual(said({ model: "m", text: "One.", chat: true }), ["compared with the text in its chat template"]);
  assert.deepEqual(said({ model: "n", text: "One." }, { chat: true }), ["compared with N without its chat template"]);
  assert.equal(said({ model: "m", text: "w".repeat(500) })[0].length, "compared with “…”".length + 60);
});

test("what was written is said, with how much it is", () => {
  const said = (continuation, written) => writtenInWords({ ...entry(null, { continuation }), written });
  assert.deepEqual(said(undefined, undefined), []);
  assert.deepEqual(said([4], "Paris"), ["1 token written: “Paris”"]);
  assert.deepEqual(said([4, 5], undefined), ["2 tokens written"]);
});
