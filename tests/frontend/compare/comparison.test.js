// Side a against side b: what is asked and when, focus carried both ways, numbers for the grid.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparedHeads, comparison, focusOn, isSameQuestion } from "../../../frontend/compare/comparison.js";
import { onSide } from "../../../frontend/state/sides.js";
import { generator } from "../random.js";
import { answer, compared, comparisonOf, config, start, tell, threeStacks } from "../small_answer.js";

const focus = (queries, keys = [], side = "a") => ({ side, queries, keys });
const asked = ({ state }) => comparison.questions(state)[0] ?? null;

/** The state in which the server has said this of both sides. */
function told(answer, store = compared()) {
  tell(store, comparison, answer);
  return store.state;
}

test("the two questions go along with whose maps are compared", () => {
  const store = compared();
  const one = { model: "both", text: "first example" };
  const expected = { one, other: { ...one, text: "other words" }, values: "raw" };
  assert.deepEqual(asked(store), expected);
  store.actions.setView({ values: "both" });
  assert.deepEqual(asked(store), expected);
  store.actions.setView({ values: "weighted" });
  assert.deepEqual(asked(store), { ...expected, values: "weighted" });
});

test("each two questions are one question, whatever else changes, also when a text is typed again", () => {
  const store = compared();
  const before = asked(store);
  store.actions.hover(focus([0]));
  store.actions.togglePin({ layer: 0, head: 0 });
  store.actions.setView({ scale: "log", values: "both" });
  assert.equal(asked(store), before);
  store.actions.chooseExample(config.examples[0]);
  store.actions.compareWith({ text_pair: " " });
  assert.deepEqual(asked(store), before);
});

test("nothing is asked without a second side or without its text", () => {
  for (const question of [null, { text: "" }]) {
    const store = compared();
    store.actions.compareWith(question);
    assert.equal(asked(store), null);
  }
});

test("it is asked once both sides are answered, not while one runs, fails or has another text in its boxes", () => {
  const isAsked = (change) => {
    const store = compared();
    change(store);
    return asked(store) !== null;
  };
  assert.equal(isAsked(() => {}), true);
  for (const side of ["a", "b"]) {
    assert.equal(isAsked(({ actions }) => actions.sides[side].pend()), false);
    assert.equal(isAsked(({ actions }) => actions.sides[side].fail({ code: "x", message: "", details: null })), false);
  }
  assert.equal(isAsked(({ actions }) => actions.editText("typed")), false);
  assert.equal(isAsked(({ actions }) => actions.compareWith({ text: "typed" })), false);
});

test("both sides ask the same where B has nothing of its own, or the very words of A", () => {
  const store = compared();
  assert.equal(isSameQuestion(store.state), false);
  store.actions.compareWith({ text: "first example" });
  assert.equal(isSameQuestion(store.state), true);
  store.actions.compareWith({ text: null });
  assert.equal(isSameQuestion(store.state), true);
  store.actions.compareWith({ model: "single" });
  assert.equal(isSameQuestion(store.state), false);
});

test("a focus is carried to the other side and back, and stays as it is on its own", () => {
  const units = [
    { one: [0], other: [0], text: "", other_text: "", same: true },
    { one: [1, 2], other: [1], text: "", other_text: "", same: true },
    { one: [3], other: [], text: "", other_text: "", same: false },
    { one: [], other: [2], text: "", other_text: "", same: false },
    { one: [4], other: [3, 4], text: "", other_text: "", same: false },
  ];
  const state = told(comparisonOf(0, { units }));
  const own = focus([0], [4]);
  assert.equal(focusOn(state, own, "a"), own);
  assert.deepEqual(focusOn(state, own, "b"), focus([0], [3, 4], "b"));
  assert.deepEqual(focusOn(state, focus([1]), "b"), focus([1], [], "b"));
  assert.deepEqual(focusOn(state, focus([1], [], "b"), "a"), focus([1, 2]), "all tokens that stand opposite");
  assert.deepEqual(focusOn(state, focus([], [3], "b"), "a"), focus([], [4]));
  assert.deepEqual(focusOn(state, focus([0, 3]), "b"), focus([0], [], "b"), "of several those with something opposite");
});

test("where nothing stands opposite there is no focus, and a link does not become a row", () => {
  const state = told(comparisonOf(3));
  assert.equal(focusOn(state, focus([3], [], "b"), "a"), null);
  assert.equal(focusOn(state, focus([0], [3], "b"), "a"), null);
  assert.equal(focusOn(state, focus([3], [0], "b"), "a"), null);
  assert.equal(focusOn(state, null, "b"), null);
  assert.equal(focusOn(compared(3).state, focus([0]), "b"), null, "nothing is known yet");
});

test("where every token has one opposite it, there and back again is the same focus", () => {
  const random = generator(81);
  const state = told(comparisonOf(9), compared(9));
  for (let round = 0; round < 100; round += 1) {
    const tokens = () => Array.from({ length: 9 }, (_, at) => at).filter(() => random.below(3) === 0);
    const one = focus(tokens(), tokens());
    assert.deepEqual(focusOn(state, focusOn(state, one, "b"), "a"), one);
  }
});

test("heads of the same model are told by how much they changed, on both sides, zero included", () => {
  const heads = [{ layer: 1, head: 2, other_layer: 1, other_head: 2, change: 0.75, similarity: 0.5 }, { layer: 0, head: 0, other_layer: 0, other_head: 0, change: 0, similarity: 1 }];
  const state = told(comparisonOf(3, { heads }));
  for (const side of ["a", "b"]) {
    const quantity = comparedHeads(onSide(state, side));
    assert.deepEqual(quantity.values, [0, null, null, null, null, 0.75]);
    assert.deepEqual([quantity.label, quantity.low, quantity.high], ["Change", 0, 1]);
  }
});

test("heads of two models are told by their similarity, on side a alone", () => {
  const heads = [{ layer: 0, head: 1, other_layer: 5, other_head: 8, change: 0.75, similarity: 0.5 }];
  const state = told(comparisonOf(3, { heads, same_model: false }));
  assert.deepEqual(comparedHeads(onSide(state, "a")).values, [null, 0.5, null, null, null, null]);
  assert.equal(comparedHeads(onSide(state, "a")).label, "Similarity");
  assert.equal(comparedHeads(onSide(state, "b")), null);
});

test("without a comparison or an answer there is nothing to tell, nor of an attention that is not compared", () => {
  assert.equal(comparedHeads(onSide(compared().state, "a")), null);
  assert.equal(comparedHeads(onSide(told(null), "a")), null);
  const store = compared();
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  const state = told(comparisonOf(3), store);
  assert.notEqual(comparedHeads(onSide(state, "a")), null);
  assert.equal(comparedHeads(onSide(state, "a", 1)), null);
  store.actions.sides.a.fail({ code: "x", message: "", details: null });
  assert.equal(comparedHeads(onSide(store.state, "a")), null);
});
