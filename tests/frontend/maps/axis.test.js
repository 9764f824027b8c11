// One side of a map: what is hidden, what is put together, what is written there.

import assert from "node:assert/strict";
import { test } from "node:test";

import { shownAxis } from "../../../frontend/maps/axis.js";
import { generator } from "../random.js";
import { randomTokens } from "../random_map.js";

const HIDES = ["none", "special", "first", "both"];

test("each token is either behind one line or on a hidden one, and only what was asked is hidden", () => {
  const random = generator(51);
  for (let round = 0; round < 100; round += 1) {
    const special = random.below(2) === 0;
    const tokens = randomTokens(2 + random.below(20), random, { special, from: random.below(2) * 7 });
    const [hide, block, words] = [random.pick(HIDES), 1 + random.below(3), random.below(2) === 0];
    const { axis, places, lines, hidden, spared } = shownAxis(tokens, block, hide, words);
    assert.equal(axis.labels.length, axis.groups.length);
    assert.equal(lines.length, axis.groups.length);
    assert.deepEqual(axis.groups, places.map((run) => run.map((place) => tokens[place].index)));
    const shown = new Set(axis.groups.flat());
    const asked = tokens.filter(
      (token, place) =>
        (["special", "both"].includes(hide) && token.kind === "special") ||
        (["first", "both"].includes(hide) && place === 0),
    );
    assert.equal(spared, asked.some((token) => shown.has(token.index)));
    if (block === 1) assert.equal(shown.size, tokens.length - asked.length);
    const all = [...lines.flat(), ...hidden].sort((one, other) => one - other);
    assert.deepEqual(all, Array.from({ length: Math.ceil(tokens.length / block) }, (_, line) => line));
  }
});

test("a block is hidden only with all its tokens, and is called after its first", () => {
  const tokens = ["[CLS]", "[SEP]", "the", "cat", "[SEP]"].map((text, index) => ({
    index,
    text,
    kind: text.startsWith("[") ? "special" : "word_start",
    word: text.startsWith("[") ? null : index,
    segment: 0,
  }));
  const { axis, hidden, spared } = shownAxis(tokens, 2, "special", true);
  assert.deepEqual(axis, { labels: ["the"], groups: [[2, 3]] });
  assert.deepEqual(hidden, [0, 2]);
  assert.equal(spared, false);
  assert.equal(shownAxis(tokens, 3, "special", false).spared, true);
});

test("the rest of a word stays when its first token is hidden, and is written as a rest", () => {
  const tokens = ["un", "believ", "able", "."].map((text, index) => {
    return { index, text, kind: "continuation", word: index < 3 ? 0 : 1, segment: 0 };
  });
  const { axis } = shownAxis(tokens, 1, "first", true);
  assert.deepEqual(axis, { labels: ["…believable", "."], groups: [[1, 2], [3]] });
  assert.deepEqual(shownAxis(tokens, 1, "first", false).axis.labels, ["believ", "able", "."], "tokens are whole");
});
