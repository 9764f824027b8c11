// Examples under the role they show: the best proven role first, few of each, none without a name.

import assert from "node:assert/strict";
import { test } from "node:test";

import { exampleGroups } from "../../../../frontend/views/head_card/corpus_examples.js";
import { smallAtlas } from "../../small_atlas.js";

const example = (role, source) => ({ role, words: ["a", "b"], query: 0, key: 1, weight: 0.5, source });
const groupsOf = (...examples) =>
  exampleGroups({ ...smallAtlas(), examples: { 1.2: examples } }, { layer: 1, head: 2 }).map((group) => [
    group.label,
    group.examples.map(({ source }) => source),
  ]);

test("roles come by their strength, whatever the order of the examples", () => {
  const found = groupsOf(example("obj:dependent", 1), example("previous", 2), example("obj:head", 3));
  assert.deepEqual(found, [
    ["Previous token", [2]],
    ["Verbs", [3]],
    ["Objects", [1]],
  ]);
});

test("a claim that fell to a simple rule keeps its examples and its name", () => {
  const examples = { "0.0": [example("determiners", 1)] };
  const [group] = exampleGroups({ ...smallAtlas(), examples }, { layer: 0, head: 0 });
  assert.equal(group.label, "Determiners");
});

test("at most two examples of a role are shown, in the order they come", () => {
  assert.deepEqual(groupsOf(...[1, 2, 3].map((source) => example("previous", source))), [["Previous token", [1, 2]]]);
});

test("links of no role come last under a name of their own", () => {
  assert.deepEqual(groupsOf(example(null, 1), example("obj:dependent", 2)), [
    ["Objects", [2]],
    ["Strongest links, first word left out", [1]],
  ]);
  assert.deepEqual(groupsOf(), []);
});
