// What is asked on both sides: links and defaults, typing, comparing, swapping, and ending it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { oneHead } from "../../../frontend/state/pins.js";
import { isStale, question, shownFocus } from "../../../frontend/state/selectors.js";
import { onSide } from "../../../frontend/state/sides.js";
import { NO_QUESTION } from "../../../frontend/state/view.js";
import { generator } from "../random.js";
import { answer, compared, comparisonOf, config, models, newStore, overview, ready, start, tell, views } from "../small_answer.js";
import { writerStore } from "../small_writer.js";

const focus = (queries, keys = [], side = "a") => ({ side, queries, keys });
const asked = ({ state }, side = "a") => question(onSide(state, side));
const staleA = ({ state }) => isStale(onSide(state, "a"));
/** A view that asks something of side a, or of both, and shows it as given. */
const viewOn = (a, shown = {}, b = null) => ({ ...views.usual(), sides: { a: { ...NO_QUESTION, ...a }, b: b && { ...NO_QUESTION, ...b } }, ...shown });
const textsOf = ({ model, text, text_pair }) => ({ model, text, text_pair });

test("the first visit shows the default model and the first example with nothing pinned", () => {
  const store = ready();
  assert.deepEqual(asked(store), { model: "both", text: "first example" });
  assert.deepEqual(store.state.pins, []);
});

test("what a link says is not overwritten by the defaults, an empty text included", () => {
  const store = newStore();
  store.actions.restore(viewOn({ model: "single", text: "" }));
  store.actions.describe(models, config);
  const { text, model } = store.state.sides.a;
  assert.deepEqual([text, model], ["", "single"]);
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

test("a text is wrapped by the next model that has a template, and not asked for of one without", () => {
  const store = writerStore();
  store.actions.continueWith([3]);
  store.actions.wrapText(true);
  assert.deepEqual(asked(store), { model: "writer", text: "first example", chat: true }, "other tokens follow a wrapped text");
  store.actions.chooseModel("single");
  assert.deepEqual(asked(store), { model: "single", text: "first example" });
  store.actions.chooseModel("writer");
  assert.equal(asked(store).chat, true);
  store.actions.compareWith({});
  assert.equal(asked(store, "b").chat, true);
  store.actions.compareWith({ chat: false });
  assert.equal("chat" in asked(store, "b"), false);
  store.actions.wrapText(false);
  assert.deepEqual(asked(store), { model: "writer", text: "first example" });
});

test("an example that is for a model and a tab opens both, where the server has that model", () => {
  const example = { text: "It continues", text_pair: null, hint: "", against: null, model: "writer", tab: "generate" };
  const store = writerStore();
  store.actions.chooseModel("single");
  store.actions.setView({ tab: "heads" });
  store.actions.chooseExample({ ...example, model: "absent" });
  assert.deepEqual([asked(store), store.state.tab], [{ model: "single", text: "It continues" }, "heads"]);
  store.actions.wrapText(true);
  store.actions.chooseExample(example);
  assert.deepEqual([asked(store), store.state.tab], [{ model: "writer", text: "It continues" }, "generate"]);
  store.actions.chooseModel("single");
  store.actions.chooseExample({ ...example, model: null, tab: null });
  assert.equal(asked(store).model, "single");
});

test("typing makes the maps on screen stale until the new run starts", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.toggleLock(focus([1], [2]));
  store.actions.editText("changed");
  assert.equal(staleA(store), true);
  assert.equal(store.state.lock, null, "token numbers of another text mean nothing");
  answer(store, start(4));
  assert.equal(staleA(store), false);
  assert.equal(store.state.sides.a.analysis.layers.size, 0);
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
  const { a, b } = store.state.sides;
  assert.deepEqual([a.text, a.text_pair], ["a\ufffd", "\ufffd"]);
  assert.deepEqual(textsOf(b), { model: null, text: "\ufffd", text_pair: "b\ufffd" });
});

test("another question forgets what was written on; writing on keeps what is locked before it", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.toggleLock(focus([0]));
  store.actions.continueWith([7, 0]);
  assert.deepEqual(asked(store).continuation, [7, 0]);
  assert.deepEqual(store.state.lock, focus([0]));
  store.actions.editText("other");
  assert.deepEqual(store.state.sides.a.continuation, []);
});

test("a link to tokens or heads that the text on screen lacks shows no focus and is forgotten", () => {
  const store = ready();
  const restore = (text, shown) => store.actions.restore(viewOn({ model: "both", text }, shown));
  for (const lock of [focus([9], [9]), focus([3]), focus([], [3]), focus([0], [3])]) {
    answer(store, start(3));
    const pins = [{ ...oneHead({ layer: 0, head: 99 }), mode: "heatmap" }];
    const detail = { side: "a", stack: 0, layer: 0, head: 99 };
    store.actions.sides.a.receive(overview(0, 3));
    restore(`not ${store.state.sides.a.text}`, { lock, pins, detail });
    assert.equal(staleA(store), true);
    assert.equal(shownFocus(store.state), null, "the old maps are still on screen");
    assert.deepEqual([store.state.lock, store.state.pins], [lock, pins], "the answer may have them");
    answer(store, start(3));
    assert.equal(store.state.lock, null);
    restore(store.state.sides.a.text, { lock, pins, detail });
    assert.equal(store.state.lock, null, "no new answer will come for the same text");
    assert.deepEqual([store.state.pins, store.state.detail], [[], null]);
  }
});

test("a link is measured by the answers of both sides, each by its own", () => {
  const store = compared(3);
  const [a, b] = ["a", "b"].map((side) => ({ ...oneHead({ layer: 0, head: 99, side }), mode: "heatmap" }));
  const view = { ...views.pick(store.state), pins: [a, b], lock: focus([3], [], "b") };
  store.actions.restore(view);
  assert.deepEqual([store.state.pins, store.state.lock], [[], focus([3], [], "b")], "side b has a fourth token");
  store.actions.restore({ ...view, sides: { ...view.sides, b: { ...view.sides.b, text: "more words" } } });
  assert.deepEqual(store.state.pins, [b], "side b has still to answer");
});

test("a link without a second side says nothing of one", () => {
  const store = ready();
  const b = oneHead({ layer: 0, head: 0, side: "b" });
  const pins = [b, { kind: "difference", one: oneHead({ layer: 0, head: 0 }), other: b }].map((what) => ({ ...what, mode: "heatmap" }));
  const shown = { pins, lock: focus([0], [], "b"), detail: { side: "b", stack: 0, layer: 0, head: 0 }, grid_side: "difference", color_by: "change" };
  store.actions.restore(viewOn({ text: "a" }, shown));
  assert.deepEqual(views.pick(store.state), viewOn({ model: "both", text: "a" }));
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
  assert.deepEqual(textsOf(store.state.sides.b), { model: null, text: "first", text_pair: "second of a" });
  store.actions.editAgainst({ text_pair: "second" });
  assert.deepEqual(textsOf(store.state.sides.b), { model: null, text: "first", text_pair: "second" });
});

test("a link without a text opens the first example, both of its sentences", () => {
  const store = newStore();
  const pair = { ...config.examples[0], text: "one", text_pair: "two" };
  store.actions.describe(models, { ...config, examples: [pair] }, { metrics: [], shapes: [] });
  store.actions.restore(viewOn({ model: "both", text: "typed" }));
  store.actions.restore(viewOn({ model: "both" }));
  assert.deepEqual(textsOf(store.state.sides.a), { model: "both", text: "one", text_pair: "two" });
});

test("what the server says again changes nothing; what it says anew does", () => {
  const store = ready();
  const before = store.state;
  const { metrics_catalogue } = before;
  store.actions.describe(structuredClone(models), structuredClone(config), structuredClone(metrics_catalogue));
  assert.equal(store.state, before);
  store.actions.describe([...models, { ...models[0], id: "third" }], structuredClone(config), metrics_catalogue);
  const changed = Object.keys(before).filter((key) => store.state[key] !== before[key]);
  assert.deepEqual(changed, ["models"]);
});

test("changing side b leaves side a, its answer and its lock, and forgets what is locked on b", () => {
  const store = compared(3);
  const { a } = store.state.sides;
  store.actions.toggleLock(focus([0]));
  store.actions.compareWith({ text: "changed" });
  assert.equal(store.state.sides.a, a);
  assert.deepEqual(store.state.lock, focus([0]));
  assert.equal(staleA(store), false);
  assert.equal(isStale(onSide(store.state, "b")), true);
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
  const { sides, typing } = store.state;
  assert.deepEqual([updates, sides.a.text, typing], [1, "too tired", false]);
  assert.deepEqual(textsOf(sides.b), { model: "single", text: "too wide", text_pair: null });
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
  actions.setView({ grid_side: "difference", scale: "log" });
  actions.chooseColor("change");
  actions.chooseTab("compare");
  actions.toggleLock(focus([0], [], "b"));
  actions.openDetail({ side: "b", stack: 0, layer: 0, head: 0 });
  actions.pointAt({ side: "b", layer: 0, head: 0 });
  tell(store, comparison, comparisonOf(3));
  actions.compareWith(null);
  const { state } = store;
  assert.deepEqual(state.pins.map(({ kind }) => kind), ["head", "agreement"]);
  assert.deepEqual([state.sides.b, comparison.of(state), state.cursor], [null, null, null]);
  assert.deepEqual([state.grid_side, state.color_by, state.tab, state.lock, state.detail], ["a", "map", "pinned", null, null]);
  assert.equal(state.scale, "log");
  assert.equal(staleA(store), false);
  assert.equal(state.sides.a.analysis.id, "a1");
});

test("ending a comparison keeps side a's lock, tab, colour and detail", () => {
  const store = compared(3);
  const { actions } = store;
  const detail = { side: "a", stack: 0, layer: 0, head: 0 };
  actions.toggleLock(focus([0]));
  actions.openDetail(detail);
  actions.chooseColor("entropy");
  actions.chooseTab("ask");
  actions.compareWith(null);
  const { state } = store;
  assert.deepEqual([state.lock, state.detail, state.color_by, state.tab], [focus([0]), detail, "entropy", "ask"]);
});

test("a comparison is forgotten when a question or the values change, and kept when only the view does", () => {
  const changes = [
    (actions) => actions.editText("a"),
    (actions) => actions.chooseModel("single"),
    (actions) => actions.continueWith([0]),
    (actions) => actions.compareWith({ text: "c" }),
    (actions) => actions.setView({ values: "weighted" }),
    (actions) => actions.setWeighted(true),
  ];
  const known = () => {
    const store = compared(3);
    tell(store, comparison, comparisonOf(3));
    return store;
  };
  for (const change of changes) {
    const store = known();
    change(store.actions);
    assert.equal(comparison.of(store.state), null, String(change));
  }
  const store = known();
  const told = comparison.of(store.state);
  store.actions.setView({ scale: "log", values: "raw" });
  const view = views.pick(store.state);
  store.actions.restore({ ...view, hide: "first" });
  assert.equal(comparison.of(store.state), told);
  store.actions.restore({ ...view, sides: { ...view.sides, a: { ...view.sides.a, text: "another" } } });
  assert.equal(comparison.of(store.state), null, "its tokens are those of another text");
});

test("a change of the view changes what it names and asks nothing", () => {
  const store = compared(3);
  const before = [asked(store), asked(store, "b")];
  const view = { scale: "rank", range: "head", hide: "both", renormalise: true, words: true, mass: 0, layout: "horizontal", grid_side: "b" };
  store.actions.setView(view);
  assert.deepEqual(views.pick(store.state), { ...views.pick(store.state), ...view });
  assert.deepEqual([asked(store), asked(store, "b")], before);
});

test("what is pinned of B goes with B's model, not with its text; what is pinned of A with a model of another size", () => {
  const store = ready();
  const { models, config: known } = store.state;
  const [own] = models;
  const others = [{ ...own, id: "a third" }, { ...own, id: "larger", n_layers: own.n_layers + 1 }];
  store.actions.describe([...models, ...others], known, null);
  store.actions.compareWith({ text: "changed" });
  const head = { kind: "head", stack: 0, layer: 1, head: 2 };
  const [mine, theirs] = [{ ...head, side: "a" }, { ...head, side: "b" }];
  const pins = [mine, theirs, { kind: "difference", one: mine, other: theirs }].map((what) => ({ ...what, mode: "heatmap" }));
  store.actions.setView({ pins });
  store.actions.compareWith({ text: "changed again" });
  assert.equal(store.state.pins, pins);
  store.actions.compareWith({ model: store.state.sides.a.model });
  assert.equal(store.state.pins, pins, "the same model by its name");
  store.actions.compareWith({ model: "another" });
  assert.deepEqual(store.state.pins, pins.slice(0, 1));
  store.actions.setView({ pins });
  store.actions.chooseModel("a third");
  assert.equal(store.state.pins, pins, "B has a model of its own");
  store.actions.compareWith({ model: null });
  store.actions.setView({ pins });
  store.actions.chooseModel("both");
  assert.deepEqual(store.state.pins, pins.slice(0, 1), "B's model is A's");
  store.actions.chooseModel("larger");
  assert.deepEqual(store.state.pins, [], "its heads are others, whatever their numbers");
});
