// The ranking of heads: what is asked for a link, and when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { askActions } from "../../../../frontend/tabs/ask/actions.js";
import { edges } from "../../../../frontend/tabs/ask/edges.js";
import { answer, ready, start } from "../../small_answer.js";

const question = { model: "both", text: "first example" };

/** A store that asks for the link from token 0 to token 2 of an answered text. */
function asked() {
  const store = ready();
  answer(store, start(9));
  store.actions.chooseTab("ask");
  askActions(store).askFor([0], [2]);
  return store;
}

test("the question goes along with both ends of the link, token 0 included, and is the same object meanwhile", () => {
  const store = asked();
  const before = edges.questions(store.state);
  assert.deepEqual(before, [{ ...question, queries: [0], keys: [2] }]);
  store.actions.hover({ side: "a", queries: [1], keys: [] });
  assert.equal(edges.questions(store.state)[0], before[0]);
});

test("what was written on goes along with the question", () => {
  const store = asked();
  store.actions.continueWith([0]);
  assert.deepEqual(edges.questions(store.state), [{ ...question, continuation: [0], queries: [0], keys: [2] }]);
  assert.equal(edges.when(store.state), false, "the answer on screen is without it");
});

test("nothing is asked while an end is empty", () => {
  const store = asked();
  for (const [queries, keys] of [[[1], []], [[], [1]], [[], []]]) {
    askActions(store).askFor(queries, keys);
    assert.deepEqual(edges.questions(store.state), []);
  }
});

test("it is asked while its tab is open and the text is answered, and not before", () => {
  const store = asked();
  assert.equal(edges.when(store.state), true);
  store.actions.chooseTab("pinned");
  assert.equal(edges.when(store.state), false);
  store.actions.chooseTab("ask");
  store.actions.sides.a.pend();
  assert.equal(edges.when(store.state), false, "the run goes on");
  store.actions.sides.a.finish({ total_ms: 1 });
  assert.equal(edges.when(store.state), true);
  store.actions.editText("other words");
  assert.equal(edges.when(store.state), false, "the text on screen is another");
  store.actions.sides.a.fail({ code: "x", message: "", details: null });
  assert.equal(edges.when(store.state), false);
});
