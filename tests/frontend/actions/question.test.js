// What is asked on both sides: links and defaults, typing, comparing, swapping, and ending it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { oneHead } from "../../../frontend/state/pins.js";
import { isStale, question, shownFocus } from "../../../frontend/state/selectors.js";
import { seenFrom } from "../../../frontend/state/side.js";
import { createStore } from "../../../frontend/actions/store.js";
import { emptyView, viewOf } from "../../../frontend/state/view.js";
import { generator } from "../random.js";
import { answer, compared, comparisonOf, config, models, overview, ready, start } from "../small_answer.js";

const focus = (queries, keys = [], side = "a") => ({ side, queries, keys });
const asked = ({ state }, side = "a") => question(seenFrom(state, { side, stack: 0 }));
const known = { asked: "[]", answer: comparisonOf(3), problem: null };

test("the first visit shows the default model and the first example with nothing pinned", () => {
  const store = ready();
  assert.deepEqual(asked(store), { model: "both", text: "first example" });
  assert.deepEqual(store.state.pins, []);
});

test("what a link says is not overwritten by the defaults, an empty text included", () => {
  const store = createStore();
  store.actions.restore({ ...emptyView(), model: "single", text: "" });
  store.actions.describe(models, config);
  assert.equal(store.state.text, "");
  assert.equal(store.state.model, "single");
  assert.equal(asked(store), null);
});

test("a second sentence that this model does not take comes back with the next that does", () => {
  const store = ready();
  store.actions.editPair("second");
  store.actions.chooseModel("single");
  assert.equal(asked(store).text_pair, undefined);
  store.actions.chooseModel("both");
  assert.equal(asked(store).text_pair, "second");
});

test("typing makes the maps on screen stale until the new run starts", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.toggleLock(focus([1], [2]));
  store.actions.editText("changed");
  assert.equal(isStale(store.state), true);
  assert.equal(store.state.lock, null, "token numbers of another text mean nothing");
  answer(store, start(4));
  assert.equal(isStale(store.state), false);
  assert.equal(store.state.analysis.layers.size, 0);
});

test("only what is typed waits for a pause", () => {
  const store = ready();
  const typing = (act) => {
    act(store.actions);
    return store.state.typing;
  };
  assert.equal(typing((actions) => actions.editText("a")), true);
  assert.equal(typing((actions) => actions.chooseModel("single")), false);
  assert.equal(typing((actions) => actions.editPair("b")), true);
  assert.equal(typing((actions) => actions.editPair(null)), false);
  assert.equal(typing((actions) => actions.compareWith({ text: "c" })), true);
  assert.equal(typing((actions) => actions.compareWith({ model: "both" })), false);
  assert.equal(typing((actions) => actions.compareWith({ text_pair: "d" })), true);
  assert.equal(typing((actions) => actions.chooseExample(config.examples[0])), false);
});

test("half a surrogate pair is typed as the replacement character, on both sides", () => {
  const store = ready();
  store.actions.editText("a\ud800");
  store.actions.editPair("\udc00");
  store.actions.compareWith({ text: "\ud800", text_pair: "b\udc00" });
  const { text, text_pair, against } = store.state;
  assert.deepEqual([text, text_pair], ["a\ufffd", "\ufffd"]);
  assert.deepEqual(against, { model: null, text: "\ufffd", text_pair: "b\ufffd" });
});

test("another question forgets what was written on; writing on keeps what is locked before it", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.toggleLock(focus([0]));
  store.actions.continueWith([7, 0]);
  assert.deepEqual(asked(store).continuation, [7, 0]);
  assert.deepEqual(store.state.lock, focus([0]));
  store.actions.editText("other");
  assert.deepEqual(store.state.continuation, []);
});

test("a link to tokens or heads that the text on screen lacks shows no focus and is forgotten", () => {
  const store = ready();
  const view = { ...emptyView(), model: "both", text: "another" };
  for (const lock of [focus([9], [9]), focus([3]), focus([], [3]), focus([0], [3])]) {
    answer(store, start(3));
    const pins = [{ ...oneHead({ layer: 0, head: 99 }), mode: "heatmap" }];
    const detail = { side: "a", stack: 0, layer: 0, head: 99 };
    store.actions.receive(overview(0, 3));
    store.actions.restore({ ...view, text: `not ${store.state.text}`, lock, pins, detail });
    assert.equal(isStale(store.state), true);
    assert.equal(shownFocus(store.state), null, "the old maps are still on screen");
    assert.deepEqual([store.state.lock, store.state.pins], [lock, pins], "the answer may have them");
    answer(store, start(3));
    assert.equal(store.state.lock, null);
    store.actions.restore({ ...view, text: store.state.text, lock, pins, detail });
    assert.equal(store.state.lock, null, "no new answer will come for the same text");
    assert.deepEqual([store.state.pins, store.state.detail], [[], null]);
  }
});

test("a link is measured by the answers of both sides, each by its own", () => {
  const store = compared(3);
  const [a, b] = ["a", "b"].map((side) => ({ ...oneHead({ layer: 0, head: 99, side }), mode: "heatmap" }));
  const view = { ...viewOf(store.state), pins: [a, b], lock: focus([3], [], "b") };
  store.actions.restore(view);
  assert.deepEqual([store.state.pins, store.state.lock], [[], focus([3], [], "b")], "side b has a fourth token");
  store.actions.restore({ ...view, against: { ...view.against, text: "more words" } });
  assert.deepEqual(store.state.pins, [b], "side b has still to answer");
});

test("a link without a second side says nothing of one", () => {
  const store = ready();
  const b = oneHead({ layer: 0, head: 0, side: "b" });
  const pins = [b, { kind: "difference", one: oneHead({ layer: 0, head: 0 }), other: b }].map((what) => ({ ...what, mode: "heatmap" }));
  const view = { ...emptyView(), text: "a", pins, lock: focus([0], [], "b"), detail: { side: "b", stack: 0, layer: 0, head: 0 } };
  store.actions.restore({ ...view, grid_side: "difference", color_by: "change" });
  assert.deepEqual(viewOf(store.state), { ...emptyView(), model: "both", text: "a" });
});

test("side b is as side a in all that is not said", () => {
  const store = ready();
  const { actions } = store;
  actions.editPair("second");
  actions.continueWith([5]);
  actions.compareWith({});
  assert.deepEqual(asked(store, "b"), asked(store));
  actions.compareWith({ model: "single" });
  assert.deepEqual(asked(store, "b"), { model: "single", text: "first example" }, "ids of tokens mean nothing to it");
  actions.compareWith({ model: null, text: "other" });
  assert.deepEqual(asked(store, "b"), { model: "both", text: "other" }, "the second sentence belongs to the first");
  actions.compareWith({ text_pair: "third" });
  assert.deepEqual(asked(store, "b"), { model: "both", text: "other", text_pair: "third" });
  assert.deepEqual(asked(store), { model: "both", text: "first example", text_pair: "second", continuation: [5] });
});

test("one text of side b that is typed keeps the other, however quickly it follows", () => {
  const store = ready();
  store.actions.editPair("second of a");
  store.actions.compareWith({});
  store.actions.editAgainst({ text: "first" });
  assert.deepEqual(store.state.against, { model: null, text: "first", text_pair: "second of a" });
  store.actions.editAgainst({ text_pair: "second" });
  assert.deepEqual(store.state.against, { model: null, text: "first", text_pair: "second" });
});

test("what the server says again changes nothing; what it says anew does", () => {
  const store = ready();
  const heard = [];
  store.subscribe((_, changed) => heard.push([...changed]));
  const { metrics_catalogue } = store.state;
  store.actions.describe(structuredClone(models), structuredClone(config), metrics_catalogue);
  assert.deepEqual(heard, []);
  store.actions.describe([...models, { ...models[0], id: "third" }], structuredClone(config), metrics_catalogue);
  assert.deepEqual(heard, [["models"]]);
});

test("changing side b leaves side a, its answer and its lock, and forgets what is locked on b", () => {
  const store = compared(3);
  const { analysis } = store.state;
  store.actions.toggleLock(focus([0]));
  store.actions.compareWith({ text: "changed" });
  assert.deepEqual([store.state.analysis, store.state.lock], [analysis, focus([0])]);
  assert.equal(isStale(store.state), false);
  assert.equal(isStale(seenFrom(store.state, { side: "b", stack: 0 })), true);
  answer(store, start(3), "b");
  store.actions.toggleLock(focus([0], [], "b"));
  store.actions.compareWith({ text: "changed again" });
  assert.equal(store.state.lock, null);
});

test("a minimal pair fills both sides at once and leaves side b its model", () => {
  const store = compared(3);
  store.actions.compareWith({ model: "single", text: "own words" });
  let updates = 0;
  store.subscribe(() => (updates += 1));
  store.actions.choosePair({ text: "too tired", text_pair: null, against: "too wide" });
  const { text, against, typing } = store.state;
  assert.deepEqual([updates, text, typing], [1, "too tired", false]);
  assert.deepEqual(against, { model: "single", text: "too wide", text_pair: null });
});

test("swapping gives each side the other's question, and swapping again gives both back", () => {
  const random = generator(51);
  for (let round = 0; round < 300; round += 1) {
    const store = ready();
    const { pick } = random;
    const words = () => pick([null, "", "some", "more"]);
    store.actions.chooseExample({ text: pick(["one", "two"]), text_pair: words() });
    store.actions.chooseModel(pick(["both", "single"]));
    store.actions.compareWith({ model: pick([null, "both", "single"]), text: words(), text_pair: words() });
    const before = [asked(store), asked(store, "b")];
    store.actions.swapSides();
    assert.deepEqual([asked(store, "b"), asked(store)], before);
    store.actions.swapSides();
    assert.deepEqual([asked(store), asked(store, "b")], before);
  }
});

test("without a second side there is nothing to swap", () => {
  const store = ready();
  const { state } = store;
  store.actions.swapSides();
  assert.equal(store.state, state);
});

test("ending a comparison takes away all that is of side b and nothing else", () => {
  const store = compared(3);
  const { actions } = store;
  const [a, b] = ["a", "b"].map((side) => oneHead({ layer: 0, head: 0, side }));
  const mean = { kind: "mean", side: "b", stack: 0, cells: [] };
  for (const what of [a, b, mean, { kind: "difference", one: a, other: b }, { kind: "agreement", one: a, other: a }]) actions.pin(what);
  actions.look({ grid_side: "difference", scale: "log" });
  actions.chooseColor("change");
  actions.chooseTab("compare");
  actions.toggleLock(focus([0], [], "b"));
  actions.openDetail({ side: "b", stack: 0, layer: 0, head: 0 });
  actions.pointAt({ side: "b", layer: 0, head: 0 });
  actions.receiveComparison(known);
  actions.compareWith(null);
  const { state } = store;
  assert.deepEqual(state.pins.map(({ kind }) => kind), ["head", "agreement"]);
  assert.deepEqual([state.against, state.comparison, state.other.analysis, state.cursor], [null, null, null, null]);
  assert.deepEqual([state.grid_side, state.color_by, state.tab, state.lock, state.detail], ["a", "map", "pinned", null, null]);
  assert.equal(state.scale, "log");
  assert.equal(isStale(state), false);
  assert.equal(state.analysis.id, "a1");
});

test("ending a comparison keeps side a's lock, tab, colour and detail, and what is known of the other model", () => {
  const store = compared(3);
  const { actions } = store;
  const detail = { side: "a", stack: 0, layer: 0, head: 0 };
  const atlas = { model: "single", record: null, problem: null };
  actions.toggleLock(focus([0]));
  actions.openDetail(detail);
  actions.chooseColor("entropy");
  actions.chooseTab("ask");
  actions.b.receiveAtlas(atlas);
  actions.compareWith(null);
  const { state } = store;
  assert.deepEqual([state.lock, state.detail, state.color_by, state.tab], [focus([0]), detail, "entropy", "ask"]);
  assert.equal(state.other.atlas, atlas, "it is asked for once");
});

test("a comparison is forgotten when a question or the values change, and kept when only the look does", () => {
  const changes = [
    (actions) => actions.editText("a"),
    (actions) => actions.chooseModel("single"),
    (actions) => actions.continueWith([0]),
    (actions) => actions.compareWith({ text: "c" }),
    (actions) => actions.look({ values: "weighted" }),
    (actions) => actions.setWeighted(true),
  ];
  for (const change of changes) {
    const store = compared(3);
    store.actions.receiveComparison(known);
    change(store.actions);
    assert.equal(store.state.comparison, null, String(change));
  }
  const store = compared(3);
  store.actions.receiveComparison(known);
  store.actions.look({ scale: "log", values: "raw" });
  store.actions.restore({ ...viewOf(store.state), hide: "first" });
  assert.equal(store.state.comparison, known);
  store.actions.restore({ ...viewOf(store.state), text: "another" });
  assert.equal(store.state.comparison, null, "its tokens are those of another text");
});

test("a look changes what it names and asks nothing", () => {
  const store = compared(3);
  const before = [asked(store), asked(store, "b")];
  const look = { scale: "rank", range: "head", hide: "both", renormalise: true, words: true, mass: 0, layout: "horizontal", grid_side: "b" };
  store.actions.look(look);
  assert.deepEqual(viewOf(store.state), { ...viewOf(store.state), ...look });
  assert.deepEqual([asked(store), asked(store, "b")], before);
});
