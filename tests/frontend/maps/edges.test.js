// What every head gives to a link: what is asked for a chosen one, and when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { chosenLink, edges, isMaskedChoice } from "../../../frontend/maps/edges.js";
import { answer, compared, comparisonOf, ready, start, tell, threeStacks } from "../small_answer.js";

const question = { model: "both", text: "first example" };

/** A store in which the link from token 0 to token 2 of an answered text is chosen. */
function chosen() {
  const store = ready();
  answer(store, start(9));
  for (const token of [0, 2]) store.actions.chooseToken("a", token);
  return store;
}

test("the question goes along with both ends of the link, token 0 included, and is the same object meanwhile", () => {
  const store = chosen();
  const before = edges.questions(store.state);
  assert.deepEqual(before, [{ ...question, queries: [0], keys: [2] }]);
  store.actions.hover({ side: "a", queries: [1], keys: [] });
  store.actions.chooseTab("heads");
  store.actions.togglePin({ layer: 0, head: 1 });
  assert.equal(edges.questions(store.state)[0], before[0]);
});

test("a link that a causal model cannot have is not asked for", () => {
  const store = ready();
  const decoder = { stack: "decoder", n_layers: 2, n_heads: 3, queries: [0, 9], keys: [0, 9], causal: true };
  answer(store, start(9, { stacks: [decoder] }));
  const asked = (queries, keys) => {
    store.actions.setView({ lock: { side: "a", queries, keys } });
    assert.equal(isMaskedChoice(store.state), edges.questions(store.state).length === 0);
    return edges.questions(store.state).length;
  };
  assert.deepEqual([asked([0], [2]), asked([0, 1], [2, 5]), asked([2], [0]), asked([2], [2]), asked([1, 3], [2])], [0, 0, 1, 1, 1]);
  answer(store, start(9, { stacks: threeStacks(4, 5) }));
  assert.deepEqual([asked([0], [2]), asked([4], [6]), asked([6], [4]), asked([4], [2])], [1, 0, 1, 1], "only the decoder is causal");
});

test("what was written on goes along with the question", () => {
  const store = ready();
  store.actions.continueWith([0]);
  answer(store, start(9));
  for (const token of [0, 2]) store.actions.chooseToken("a", token);
  assert.deepEqual(edges.questions(store.state), [{ ...question, continuation: [0], queries: [0], keys: [2] }]);
});

test("nothing is asked while an end is empty", () => {
  const store = chosen();
  for (const lock of [null, { side: "a", queries: [1], keys: [] }, { side: "a", queries: [], keys: [1] }]) {
    store.actions.setView({ lock });
    assert.equal(chosenLink(store.state), null);
    assert.deepEqual(edges.questions(store.state), []);
  }
});

test("a link is asked for once its text is answered, not while the text is another", () => {
  const store = chosen();
  const { lock } = store.state;
  store.actions.sides.a.pend();
  assert.deepEqual(edges.questions(store.state), [], "the run goes on");
  store.actions.sides.a.finish({ total_ms: 1 });
  assert.equal(edges.questions(store.state).length, 1);
  store.actions.editText("other words");
  store.actions.setView({ lock });
  assert.deepEqual(edges.questions(store.state), [], "the tokens on screen are of another text");
  answer(store, start(9));
  assert.deepEqual(edges.questions(store.state), [{ model: "both", text: "other words", queries: [0], keys: [2] }]);
  store.actions.sides.a.fail({ code: "x", message: "", details: null });
  assert.deepEqual(edges.questions(store.state), []);
});

test("a link chosen on B is asked in the aligned tokens of A, and not where there are none", () => {
  const store = compared(3);
  for (const token of [2, 0]) store.actions.chooseToken("b", token);
  assert.equal(chosenLink(store.state), null, "what stands opposite is not known yet");
  tell(store, comparison, comparisonOf(3));
  assert.deepEqual(edges.questions(store.state), [{ ...question, queries: [2], keys: [0] }]);
  store.actions.setView({ lock: { side: "b", queries: [3], keys: [0] } });
  assert.equal(chosenLink(store.state), null, "B's last token has no counterpart");
});
