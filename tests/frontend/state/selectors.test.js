// What is computed from the state: the question, what is stale, what is in focus, what a filter shows.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  activeFilter,
  allowedBy,
  askedKey,
  chosenExample,
  focusWithin,
  hasPair,
  isOldPin,
  isStale,
  isWeighted,
  question,
  questionOfKey,
  shownFocus,
} from "../../../frontend/state/selectors.js";
import { onSide } from "../../../frontend/state/sides.js";
import { initialState } from "../../../frontend/state/state.js";
import { answer, compared, config, models, ready, start, threeStacks, views } from "../small_answer.js";

const side = (changes) => ({ ...onSide(initialState(views), "a"), models, model: "both", text: "a", ...changes });
const focus = (queries, keys, side = "a") => ({ side, queries, keys });

test("a second sentence is asked only of a model that takes one, and only when it says something", () => {
  const asked = (changes) => question(side(changes));
  assert.deepEqual(asked({ text_pair: "  " }), { model: "both", text: "a" });
  assert.deepEqual(asked({ text_pair: "second" }), { model: "both", text: "a", text_pair: "second" });
  assert.deepEqual(asked({ text_pair: "second", model: "single" }), { model: "single", text: "a" });
});

test("a text is wrapped only for a model that has a chat template", () => {
  const template = { ...models[1], id: "chatty", chat_template: true };
  const asked = (changes) => question(side({ models: [...models, template], chat: true, ...changes }));
  assert.deepEqual(asked({ model: "chatty" }), { model: "chatty", text: "a", chat: true });
  assert.deepEqual(asked({ model: "chatty", chat: null }), { model: "chatty", text: "a" });
  assert.deepEqual(asked({ model: "single" }), { model: "single", text: "a" });
  const keys = [true, null].map((chat) => askedKey(side({ models: [template], model: "chatty", chat })));
  assert.notEqual(keys[0], keys[1]);
  assert.deepEqual(questionOfKey(keys[0]), asked({ model: "chatty" }));
});

test("nothing is asked without a model or without words", () => {
  const asked = (changes) => question(side(changes));
  for (const changes of [{ model: null }, { text: null }, { text: "" }, { text: " \n" }]) assert.equal(asked(changes), null);
});

test("what was written on belongs to the question, token 0 too, and makes it another one", () => {
  const keys = [[], [0], [0, 0], [1]].map((continuation) => askedKey(side({ continuation })));
  assert.equal(new Set(keys).size, 4);
  assert.deepEqual(question(side({ continuation: [0] })), { model: "both", text: "a", continuation: [0] });
  assert.equal("continuation" in question(side()), false);
});

test("what is pinned is old when any side it is made of is", () => {
  const store = compared();
  const [one, other] = ["a", "b"].map((side) => ({ kind: "head", side, stack: 0, layer: 0, head: 0 }));
  const pins = [one, other, { kind: "difference", one, other }];
  const old = () => pins.map((pin) => isOldPin(store.state, pin));
  assert.deepEqual(old(), [false, false, false]);
  store.actions.compareWith({ text: "changed" });
  assert.deepEqual(old(), [false, true, true]);
  store.actions.chooseModel("single");
  assert.deepEqual(old(), [true, true, true]);
});

test("an answer is stale exactly while another question is in the boxes", () => {
  const store = ready();
  assert.equal(isStale(onSide(store.state, "a")), false, "nothing is on screen");
  answer(store, start(3));
  const state = onSide(store.state, "a");
  assert.equal(isStale(state), false);
  for (const changes of [{ text: "b" }, { model: "single" }, { text_pair: "b" }, { continuation: [0] }, { text: "" }]) {
    assert.equal(isStale({ ...state, ...changes }), true, JSON.stringify(changes));
  }
  for (const changes of [{ text_pair: " " }, { scale: "log" }, { values: "weighted" }]) {
    assert.equal(isStale({ ...state, ...changes }), false, JSON.stringify(changes));
  }
});

test("a focus counts among the tokens of its own side, hovered before locked, and not before there are tokens", () => {
  const { state } = compared(3);
  const lock = focus([0], []);
  assert.deepEqual(shownFocus({ ...state, lock, hover: focus([2], [1]) }), focus([2], [1]));
  assert.equal(shownFocus({ ...state, lock }), lock);
  assert.deepEqual(shownFocus({ ...state, hover: focus([2], [1]) }), focus([2], [1]));
  assert.equal(shownFocus({ ...state, lock: focus([3], []) }), null);
  assert.deepEqual(shownFocus({ ...state, lock: focus([3], [], "b") }), focus([3], [], "b"), "side b has one more");
  assert.equal(shownFocus({ ...state, lock: focus([0], [], "b"), sides: { ...state.sides, b: null } }), null);
  assert.equal(shownFocus({ ...initialState(views), lock: focus([0], [0]) }), null);
});

test("a focus with any token past the last is none", () => {
  for (const beyond of [focus([9], [9]), focus([3], []), focus([], [3]), focus([0, 3], [0])]) {
    assert.equal(focusWithin(beyond, 3), null);
  }
  for (const within of [focus([0], [2]), focus([], [0, 1, 2]), focus([2], [])]) assert.equal(focusWithin(within, 3), within);
});

test("a filter works on pairs only and lets through exactly its links", () => {
  const store = ready();
  store.actions.setView({ filter: "ab" });
  answer(store, start(4));
  assert.equal(activeFilter(onSide(store.state, "a")), null);
  answer(store, start(4, { id: "a2", segmentOf: (at) => Number(at >= 2) }));
  const allowed = allowedBy(activeFilter(onSide(store.state, "a")), store.state.sides.a.analysis.tokens);
  const shown = [];
  for (let query = 0; query < 4; query += 1)
    for (let key = 0; key < 4; key += 1) if (allowed(query, key)) shown.push([query, key]);
  assert.deepEqual(shown, [
    [0, 2],
    [0, 3],
    [1, 2],
    [1, 3],
  ]);
});

test("source and output of an encoder-decoder are no pair of sentences", () => {
  const store = ready();
  answer(store, start(5, { segmentOf: (at) => Number(at >= 3), stacks: threeStacks(3, 2) }));
  assert.equal(hasPair(onSide(store.state, "a")), false);
});

test("only value-weighted maps are weighted, raw and both are not", () => {
  assert.deepEqual(["raw", "weighted", "both"].map((values) => isWeighted({ values })), [false, true, false]);
});

test("an example is chosen by its very words", () => {
  const [example] = config.examples;
  assert.equal(chosenExample({ config, text: example.text, text_pair: null }), example);
  assert.equal(chosenExample({ config, text: example.text, text_pair: "" }), null);
  assert.equal(chosenExample({ config: null, text: example.text, text_pair: null }), null);
});

test("the question is the same object, and its key is not made anew, while only the pointer moves", () => {
  const store = ready();
  answer(store, start(3));
  const asked = question(onSide(store.state, "a"));
  store.actions.hover(focus([1], []));
  store.actions.pointAt({ layer: 0, head: 0 });
  assert.equal(question(onSide(store.state, "a")), asked);
  store.actions.editText("another");
  assert.notEqual(question(onSide(store.state, "a")), asked);
});

test("a key tells the question it was made of", () => {
  for (const changes of [{}, { text_pair: "b" }, { continuation: [0, 7] }]) {
    assert.deepEqual(questionOfKey(askedKey(side(changes))), question(side(changes)));
  }
  assert.equal(questionOfKey(askedKey(side({ text: "" }))), null);
});
