// What is said of a problem, and what its buttons do.

import assert from "node:assert/strict";
import { test } from "node:test";

import { problemParts, showProblem } from "../../../../frontend/views/parts/problem.js";
import { ofClass } from "../../small_dom.js";

const models = [
  { id: "small", name: "Small", max_tokens: 8, available: true, state: "ready", pairs: true },
  { id: "large", name: "Large", max_tokens: 1024, available: true, state: "ready", pairs: false },
  { id: "away", name: "Away", max_tokens: 1024, available: false, state: "not installed", pairs: false },
];
const seen = { models, model: "small", text: "One two. Three four five.", text_pair: null, continuation: [] };
const words = (nodes) => nodes.map((node) => node.textContent);
const chipsOf = (parts) => parts.flatMap((part) => ofClass(part, "chip"));

function recorded() {
  const calls = [];
  return { calls, actions: { replace: (...args) => calls.push(["replace", ...args]), chooseModel: (id) => calls.push(["model", id]) } };
}

test("a text over the limit is cut after its last sentence, or opened in a model that takes it", () => {
  const { calls, actions } = recorded();
  const details = { n_tokens: 9, max_tokens: 8, cut: { field: "text", n_characters: 12 } };
  const parts = problemParts({ code: "text_too_long", message: "9 and 8.", details }, seen, actions);
  const chips = chipsOf(parts);
  assert.deepEqual(words(chips), ["Cut after the last sentence that fits", "Open in Large (1,024 tokens)"]);
  assert.ok(words(parts).join(" ").includes("keeps 8 of 25 characters"));
  for (const chip of chips) chip.click();
  assert.deepEqual(calls, [["replace", "text", "One two."], ["model", "large"]]);
});

test("of two texts the button names the one it cuts", () => {
  const details = { n_tokens: 2000, max_tokens: 8, cut: { field: "text_pair", n_characters: 5 } };
  const parts = problemParts({ code: "text_too_long", message: "", details }, { ...seen, text_pair: "Six seven" }, recorded().actions);
  assert.deepEqual(words(chipsOf(parts)), ["Cut the second text after the last word that fits"]);
});

test("a model of a few words offers texts that it can read", () => {
  const { calls, actions } = recorded();
  const models = [{ id: "language", name: "Language", available: true, examples: ["the king runs .", "the dogs sleep ."] }];
  const parts = problemParts({ code: "unknown_word", message: "It does not know “zebra”.", details: {} }, { ...seen, models, model: "language" }, actions);
  const chips = chipsOf(parts);
  assert.deepEqual(words(chips), ["the king runs .", "the dogs sleep ."]);
  chips[1].click();
  assert.deepEqual(calls, [["replace", "text", "the dogs sleep ."]]);
});

test("a model that is not installed says so in three words, with its reason folded away", () => {
  const { calls, actions } = recorded();
  const parts = problemParts({ code: "model_unavailable", message: "No hub: `headscope models get away`.", details: {} }, { ...seen, model: "away" }, actions);
  assert.equal(parts[0].textContent, "Away: not installed here");
  assert.deepEqual([parts[1].tag, parts[1].textContent], ["details", "DetailsNo hub: headscope models get away."]);
  const chips = chipsOf(parts);
  assert.deepEqual(words(chips), ["Small", "Large"]);
  chips[1].click();
  assert.deepEqual(calls, [["model", "large"]]);
});

test("a panel drawn again with the same problem keeps its elements, so that what is unfolded stays", () => {
  const root = document.createElement("section");
  const run = { problem: { code: "strange", message: "Something else.", details: null } };
  showProblem(root, { ...seen, run }, recorded().actions);
  const [title] = root.childNodes;
  showProblem(root, { ...seen, run }, recorded().actions);
  assert.equal(root.childNodes[0], title);
  assert.deepEqual([root.hidden, root.dataset.code], [false, "strange"]);
  showProblem(root, { ...seen, run: { problem: null } }, recorded().actions);
  assert.deepEqual([root.hidden, root.childNodes.length], [true, 0]);
});

test("anything else is said in full, without buttons that would not help", () => {
  const parts = problemParts({ code: "strange", message: "Something else.", details: null }, seen, recorded().actions);
  assert.deepEqual(words(parts), ["That did not work", "Something else."]);
});

test("a model with a small vocabulary is not offered for a text that is too long", () => {
  const details = { n_tokens: 9, max_tokens: 8 };
  const few = { ...seen, models: [...models, { ...models[1], id: "words", name: "Words", examples: ["a b"] }] };
  assert.deepEqual(words(chipsOf(problemParts({ code: "text_too_long", message: "", details }, few, recorded().actions))), ["Open in Large (1,024 tokens)"]);
});
