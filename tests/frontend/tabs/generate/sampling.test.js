// How tokens are chosen: the numbers that are typed, the buttons, and what is said of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createSampling, numberWithin, samplingInWords } from "../../../../frontend/tabs/generate/sampling.js";
import { samplingChoice } from "../../../../frontend/tabs/generate/sampling_choice.js";
import { drawOn, ofClass } from "../../small_dom.js";
import { writerStore } from "../../small_writer.js";

/** The tools of a writer, and what it was told to do. */
function shown() {
  const store = writerStore();
  const told = [];
  const { root, views } = createSampling(store, { write: (sampling) => told.push(sampling), stop: () => told.push("stop") }, () => true, () => "");
  drawOn(store, views);
  const [step, stream] = ofClass(root, "sampling-go")[0].childNodes;
  const inputs = Object.fromEntries(ofClass(root, "tool").map(({ childNodes: [, input] }) => [input.getAttribute("id").replace("sampling-", ""), input]));
  const type = (name, value) => {
    inputs[name].value = value;
    for (const listener of inputs[name].listeners.change) listener({});
  };
  return { store, told, step, stream, inputs, type };
}

test("as many tokens as are chosen at that moment are written, one by a step", () => {
  const { told, step, stream, type } = shown();
  type("n", "5");
  assert.equal(stream.textContent, "Stream 5 tokens");
  stream.click();
  step.click();
  assert.deepEqual(told.map(({ n }) => n), [5, 1]);
});

test("while tokens are written the same button stops them", () => {
  const { store, told, step, stream } = shown();
  store.actions.beginWriting();
  assert.equal(stream.textContent, "Stop");
  assert.ok(step.disabled);
  stream.click();
  assert.deepEqual(told, ["stop"]);
});

test("what is no number is taken back, what is too large is brought within bounds, an empty top k means all", () => {
  const { store, inputs, type } = shown();
  type("temperature", "11");
  type("temperature", "12");
  assert.deepEqual([samplingChoice.of(store.state).temperature, inputs.temperature.value], [10, "10"]);
  type("n", "x");
  assert.equal(inputs.n.value, "20");
  type("top_k", "5");
  type("top_k", "");
  assert.deepEqual([samplingChoice.of(store.state).top_k, inputs.top_k.value], [null, ""]);
});

test("numbers that are typed are brought within what the server takes", () => {
  const temperature = { min: 0, max: 10, step: 0.1 };
  assert.deepEqual(["0", "0.7", "-1", "11", "1e-9", " ", "x", "0.12345"].map((typed) => numberWithin(typed, temperature)), [0, 0.7, 0, 10, 0, null, null, 0.123]);
  assert.equal(numberWithin("2.6", { min: 1, max: 200, step: 1 }), 3);
});

test("how tokens are chosen is said", () => {
  const sampling = { temperature: 0, top_k: 5, seed: 3, n: 20 };
  assert.match(samplingInWords(sampling), /most probable token each time/);
  assert.match(samplingInWords({ ...sampling, temperature: 1 }), /5 most probable ones; seed 3/);
  assert.match(samplingInWords({ ...sampling, temperature: 1, top_k: null }), /all tokens/);
});
