// What the closed bar says: every choice that differs and changes a number or a colour, nothing of those that do not.

import assert from "node:assert/strict";
import { test } from "node:test";

import { disabledValues, viewWords } from "../../../frontend/views/view_bar.js";
import { answer, ready, start, views } from "../small_answer.js";

const said = (changes = {}) => viewWords({ ...views.usual(), ...changes });

test("the usual look needs no words: the legend says it", () => {
  assert.equal(said(), "");
  assert.equal(said({ range: "head" }), "attention weight, square-root scale, 0 to this map's largest weight apart from sinks");
  assert.equal(said({ sinks: "show" }), "sinks not dimmed");
  assert.equal(said({ scale: "log" }), "attention weight, log scale, 0 to the largest apart from sinks");
  assert.equal(said({ scale: "log", sinks: "show" }), "attention weight, log scale, fixed 0 to 1 · sinks not dimmed");
});

test("each choice that differs changes the words, and no two choices have the same words", () => {
  const choices = [
    {},
    ...["linear", "log", "rank"].map((scale) => ({ scale })),
    { range: "head" },
    ...["weighted", "both"].map((values) => ({ values })),
    ...["special", "first", "both"].flatMap((hide) => [{ hide }, { hide, renormalise: true }]),
    { words: true },
    { words: true, values: "both", hide: "special" },
  ];
  const words = choices.map(said);
  assert.equal(new Set(words).size, words.length);
});

test("with nothing hidden there is nothing to renormalise, so nothing is said of it", () => {
  assert.equal(said({ renormalise: true }), said());
  assert.match(said({ hide: "first", renormalise: true }), /first token hidden, rows renormalised/);
});

test("value-weighted maps can be chosen unless an answer says that the model has none", () => {
  const store = ready();
  assert.deepEqual(disabledValues(store.state), [], "not known yet");
  answer(store, start(2));
  assert.deepEqual(disabledValues(store.state), []);
  answer(store, start(2, { value_weights: false }));
  assert.deepEqual(disabledValues(store.state), ["weighted", "both"]);
});

test("how lines run and how many there are is no matter of numbers", () => {
  assert.equal(said({ mass: 90, layout: "horizontal" }), said());
});

test("what is said stands in one order, whatever was chosen first", () => {
  assert.equal(
    said({ scale: "log", values: "both", hide: "both", renormalise: true, words: true }),
    "attention weight, log scale, 0 to the largest apart from sinks · raw and value-weighted · special and first tokens hidden, rows renormalised · pieces merged into words",
  );
});
