// The strip of tokens: what it shows while somebody types, chooses tokens and compares.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { createTokens } from "../../../frontend/views/tokens.js";
import { answer, compared, comparisonOf, overview, ready, start, tell } from "../small_answer.js";
import { drawOn, newPage, ofClass } from "../small_dom.js";

/** A page that draws the tokens of a store after every change. */
function shown(store) {
  const page = newPage("tokens", "tokens-b");
  drawOn(store, createTokens(store.actions));
  const chips = (side = "a") => ofClass(side === "a" ? page.tokens : page["tokens-b"], "token");
  const marked = (name, side) => chips(side).flatMap((chip, at) => (chip.classes.has(name) ? [at] : []));
  const pressed = (side) => chips(side).flatMap((chip, at) => (chip.getAttribute("aria-pressed") === "true" ? [at] : []));
  return { page, chips, marked, pressed };
}

/** A store with an answer of three tokens. */
function answeredStore() {
  const store = ready();
  answer(store, start(3));
  return store;
}

test("a first click chooses where attention comes from, a second where it goes to, with Shift it adds", () => {
  const store = answeredStore();
  const { chips, marked, pressed } = shown(store);
  chips()[2].click();
  assert.deepEqual([marked("locked-to"), pressed()], [[], [2]]);
  chips()[1].click();
  assert.deepEqual([store.state.lock, marked("locked-to"), pressed()], [{ side: "a", queries: [2], keys: [1] }, [1], [1, 2]]);
  chips()[1].click();
  chips()[0].click({ shiftKey: true });
  assert.deepEqual([store.state.lock, marked("locked-to"), pressed()], [{ side: "a", queries: [0, 2], keys: [] }, [], [0, 2]]);
  store.actions.chooseTab("heads");
  assert.deepEqual(pressed(), [0, 2], "whatever tab is open");
});

test("the tokens of an older text are dimmed, and none of them is marked", () => {
  const store = answeredStore();
  const { page, chips, marked } = shown(store);
  store.actions.hover({ side: "a", queries: [1], keys: [2] });
  assert.deepEqual([marked("is-query"), marked("is-key")], [[1], [2]]);
  const before = chips();
  store.actions.editText("typed");
  assert.equal(page.tokens.classes.has("stale"), true);
  assert.deepEqual([marked("is-query"), marked("is-key")], [[], []]);
  assert.deepEqual(chips(), before);
  answer(store, start(4));
  assert.deepEqual([page.tokens.classes.has("stale"), chips().length], [false, 4]);
});

test("what is pressed stays in place while layers come", () => {
  const store = answeredStore();
  const { chips } = shown(store);
  const before = chips();
  store.actions.sides.a.pend();
  store.actions.sides.a.begin(start(3));
  for (const layer of [0, 1]) store.actions.sides.a.receive(overview(layer, 3));
  store.actions.sides.a.finish({ total_ms: 1 });
  chips().forEach((chip, at) => assert.equal(chip, before[at]));
});

test("two sides have a strip each, with marks on what differs, and one side's focus shows on the other", () => {
  const store = compared(3);
  const { page, chips, marked, pressed } = shown(store);
  assert.deepEqual([page["tokens-b"].hidden, page.tokens.getAttribute("aria-label"), chips("b").length], [false, "Tokens of A", 4]);
  store.actions.hover({ side: "b", queries: [2], keys: [] });
  assert.deepEqual([marked("is-query"), marked("is-query", "b")], [[], [2]], "what stands opposite is not known yet");
  tell(store, comparison, comparisonOf(3));
  assert.deepEqual([marked("is-query"), marked("alone", "b"), chips("b")[3].title], [[2], [3], "t3 · id 3 · no counterpart in A"]);
  chips("b")[3].click();
  assert.deepEqual(store.state.lock, { side: "b", queries: [3], keys: [] });
  chips("b")[0].click();
  assert.deepEqual([store.state.lock, marked("locked-to", "b"), pressed()], [{ side: "b", queries: [3], keys: [0] }, [0], []]);
  store.actions.compareWith(null);
  assert.deepEqual([page["tokens-b"].hidden, page.tokens.getAttribute("aria-label")], [true, "Tokens"]);
});
