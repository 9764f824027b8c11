// The continuations of a text: none is lost, none is there twice.

import assert from "node:assert/strict";
import { test } from "node:test";

import { asTyped, branchesOf, grown, idsOf, inWords, isBeginning, stemOf, writtenOn } from "../../../frontend/generate/branches.js";
import { onSide } from "../../../frontend/state/sides.js";
import { generator } from "../random.js";
import { read, writerStore } from "../small_writer.js";

const branch = (...ids) => ids.map((id) => ({ id, text: `t${id}`, piece: `Ġt${id}`, kind: "word_start" }));
const seen = ({ state }) => onSide(state, "a");
const listed = (branches) => branches.map((one) => idsOf(one).join(" "));

test("a longer continuation takes the place of those it begins with, another one stands beside them", () => {
  let branches = grown([], branch(1));
  branches = grown(branches, branch(1, 2));
  assert.deepEqual(listed(branches), ["1 2"]);
  branches = grown(branches, branch(1, 3));
  assert.deepEqual(listed(branches), ["1 2", "1 3"]);
  assert.equal(grown(branches, branch(1)), branches, "going back keeps what was there");
  assert.equal(grown(branches, branch(1, 3)), branches);
  assert.equal(grown(branches, []), branches, "nothing written is no branch");
});

test("whatever is written in whatever order can be gone back to, and no branch begins another", () => {
  const random = generator(5);
  for (let round = 0; round < 100; round += 1) {
    const all = Array.from({ length: 12 }, () => Array.from({ length: 1 + random.below(4) }, () => random.below(3)));
    const branches = all.reduce((kept, ids) => grown(kept, branch(...ids)), []).map(idsOf);
    for (const ids of all) assert.ok(branches.some((one) => isBeginning(ids, one)));
    branches.forEach((one, at) => branches.forEach((other, place) => assert.ok(at === place || !isBeginning(one, other))));
  }
});

test("branches belong to one model and text, wrapped or not", () => {
  const state = seen(writerStore());
  const with_one = { ...state, branches: new Map([[stemOf(state), [branch(1)]]]) };
  assert.deepEqual(listed(branchesOf(with_one)), ["1"]);
  assert.deepEqual(branchesOf({ ...with_one, text: "other" }), []);
  assert.deepEqual(branchesOf({ ...with_one, model: "both" }), []);
  assert.deepEqual(branchesOf({ ...with_one, chat: true }), [], "a wrapped text is continued otherwise");
});

test("what is written is read from the answer on screen, and from no older one", () => {
  const store = writerStore(3);
  assert.deepEqual(writtenOn(seen(store)), []);
  store.actions.continueWith([8, 9]);
  assert.equal(writtenOn(seen(store)), null);
  read(store, 5);
  assert.deepEqual(writtenOn(seen(store)).map(({ index }) => index), [3, 4]);
});

test("tokens in words have blanks where their pieces begin with one", () => {
  const pieces = [["The", "ĠThe"], ["2", "Ġ2"], ["0", "0"], ["-", "-"], ["␣", "Ġ"], ["end", "▁end"]];
  const tokens = pieces.map(([text, piece]) => ({ id: 0, text, piece, kind: "word_start" }));
  assert.equal(inWords(tokens), "The 20-  end");
  assert.equal(inWords(tokens, 4), "The…");
});

test("tokens as somebody would have typed them have their blanks and line ends, and are not cut", () => {
  const typed = (...pieces) => asTyped(pieces.map(([text, piece, kind = "word_start"]) => ({ id: 0, text, piece, kind })));
  assert.equal(typed(["Paris", "ĠParis"], [".", "."], ["↵", "Ċ"], ["␣␣", "ĠĠ"], ["⇥", "ĉ"]), " Paris.\n  \t");
  assert.equal(typed(["end", "<|end|>", "special"], ["a", "a"]), "a");
  assert.equal(typed(["word", "Ġword"], ["⟨F0 9F⟩", "ðŁ"]), null, "part of a character");
  assert.equal(typed(["␣×9", "ĠĠĠĠĠĠĠĠĠ"]), null);
  assert.equal(typed(...Array.from({ length: 40 }, () => ["word", "Ġword"])).length, 200);
});
