// Side a against side b: asked once for each two questions, focus carried both ways, numbers for the grid.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Comparisons, comparedHeads, comparisonQuestion, focusOn } from "../../../frontend/compare/comparison.js";
import { ServerError } from "../../../frontend/requests/api.js";
import { seenFrom } from "../../../frontend/state/side.js";
import { viewOf } from "../../../frontend/state/view.js";
import { generator } from "../random.js";
import { answer, compared, comparisonOf, config, ready, start, threeStacks } from "../small_answer.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const focus = (queries, keys = [], side = "a") => ({ side, queries, keys });
const B = { side: "b", stack: 0 };
const told = (state, answer) => ({ ...state, comparison: { asked: "", answer, problem: null } });

/** A store whose comparisons are kept until the test answers them. */
function setUp(store = compared()) {
  const asked = [];
  const fetchComparison = (wish, signal) => new Promise((resolve, reject) => asked.push({ wish, signal, resolve, reject }));
  const comparisons = new Comparisons(store.actions, fetchComparison);
  store.subscribe((state) => comparisons.want(state));
  comparisons.want(store.state);
  return { store, actions: store.actions, asked };
}

test("the two questions go along with whose maps are compared", () => {
  const { state } = compared();
  const one = { model: "both", text: "first example" };
  const asked = { one, other: { ...one, text: "other words" }, values: "raw" };
  assert.deepEqual(comparisonQuestion(state), asked);
  assert.deepEqual(comparisonQuestion({ ...state, values: "weighted" }), { ...asked, values: "weighted" });
  assert.deepEqual(comparisonQuestion({ ...state, values: "both" }), asked);
});

test("nothing is asked without a second side, while a side runs, fails or has another text in its boxes, or the server is away", () => {
  const { state } = compared();
  const streaming = { ...state.run, phase: "streaming" };
  const changes = [
    { against: null },
    { run: streaming },
    { other: { ...state.other, run: streaming } },
    { analysis: null },
    { other: { ...state.other, analysis: null } },
    { text: "typed" },
    { against: { ...state.against, text: "typed" } },
    { against: { ...state.against, text: "" } },
    { connection: "lost" },
  ];
  for (const change of changes) assert.equal(comparisonQuestion({ ...state, ...change }), null, JSON.stringify(Object.keys(change)));
});

test("each two questions are compared once, whatever else changes", async () => {
  const { store, actions, asked } = setUp();
  assert.equal(asked.length, 1);
  actions.hover(focus([0]));
  actions.togglePin({ layer: 0, head: 0 });
  assert.equal(asked.length, 1);
  const found = comparisonOf(3);
  asked[0].resolve(found);
  await settled();
  assert.equal(store.state.comparison.answer, found);
  actions.look({ scale: "log", values: "raw" });
  actions.restore({ ...viewOf(store.state), hide: "first" });
  assert.equal(asked.length, 1);
});

test("another question aborts the request before it, whose answer is dropped", async () => {
  const { store, actions, asked } = setUp();
  actions.compareWith({ text: "changed" });
  assert.equal(asked[0].signal.aborted, true);
  asked[0].resolve(comparisonOf(3));
  answer(store, start(4), "b");
  assert.equal(asked[1].wish.other.text, "changed");
  await settled();
  assert.equal(store.state.comparison, null);
});

test("what was forgotten is asked again, also when the questions turn out to be the same", async () => {
  const again = [
    (actions) => actions.look({ values: "both" }),
    (actions) => actions.chooseExample(config.examples[0]),
    (actions) => actions.compareWith({ text_pair: " " }),
  ];
  for (const act of again) {
    const { store, actions, asked } = setUp();
    asked[0].resolve(comparisonOf(3));
    await settled();
    act(actions);
    assert.equal(store.state.comparison, null);
    assert.equal(asked.length, 2, String(act));
    asked[1].resolve(comparisonOf(2));
    await settled();
    assert.equal(store.state.comparison.answer.units.length, 3);
    assert.equal(asked.length, 2);
  }
});

test("other values are another comparison", async () => {
  const { actions, asked } = setUp();
  asked[0].resolve(comparisonOf(3));
  await settled();
  actions.setWeighted(true);
  assert.equal(asked[1].wish.values, "weighted");
});

test("a refusal comes as the server words it and is not asked for again", async () => {
  const { store, actions, asked } = setUp();
  const problem = { code: "too_much_to_compare", message: "Shorten one of the texts.", details: {} };
  asked[0].reject(new ServerError(problem));
  await settled();
  assert.deepEqual([store.state.comparison.answer, store.state.comparison.problem], [null, problem]);
  actions.hover(focus([0]));
  assert.equal(asked.length, 1);
});

test("what failed is asked again once both sides are answered anew, or the server is back, and never by itself", async () => {
  const anew = [
    (store) => answer(store, start(3)),
    (store) => answer(store, start(4), "b"),
    ({ actions }) => ["lost", "open"].forEach((connection) => actions.connect(connection)),
  ];
  for (const act of anew) {
    const { store, actions, asked } = setUp();
    asked[0].reject(new TypeError("Failed to fetch"));
    await settled();
    assert.equal(store.state.comparison.problem.code, "unreachable");
    actions.hover(focus([0]));
    await settled();
    assert.equal(asked.length, 1);
    act(store);
    assert.equal(asked.length, 2, String(act));
    asked[1].resolve(comparisonOf(3));
    await settled();
    assert.equal(store.state.comparison.problem, null);
    act(store);
    assert.equal(asked.length, 2, "what is known is not asked again");
  }
});

test("ending the comparison aborts it", async () => {
  const { store, actions, asked } = setUp();
  actions.compareWith(null);
  assert.equal(asked[0].signal.aborted, true);
  asked[0].resolve(comparisonOf(3));
  await settled();
  assert.equal(store.state.comparison, null);
});

test("a focus is carried to the other side and back, and stays as it is on its own", () => {
  const units = [
    { one: [0], other: [0], text: "", other_text: "", same: true },
    { one: [1, 2], other: [1], text: "", other_text: "", same: true },
    { one: [3], other: [], text: "", other_text: "", same: false },
    { one: [], other: [2], text: "", other_text: "", same: false },
    { one: [4], other: [3, 4], text: "", other_text: "", same: false },
  ];
  const state = told(compared().state, comparisonOf(0, { units }));
  const own = focus([0], [4]);
  assert.equal(focusOn(state, own, "a"), own);
  assert.deepEqual(focusOn(state, own, "b"), focus([0], [3, 4], "b"));
  assert.deepEqual(focusOn(state, focus([1]), "b"), focus([1], [], "b"));
  assert.deepEqual(focusOn(state, focus([1], [], "b"), "a"), focus([1, 2]), "all tokens that stand opposite");
  assert.deepEqual(focusOn(state, focus([], [3], "b"), "a"), focus([], [4]));
  assert.deepEqual(focusOn(state, focus([0, 3]), "b"), focus([0], [], "b"), "of several those with something opposite");
});

test("where nothing stands opposite there is no focus, and a link does not become a row", () => {
  const state = told(compared(3).state, comparisonOf(3));
  assert.equal(focusOn(state, focus([3], [], "b"), "a"), null);
  assert.equal(focusOn(state, focus([0], [3], "b"), "a"), null);
  assert.equal(focusOn(state, focus([3], [0], "b"), "a"), null);
  assert.equal(focusOn(state, null, "b"), null);
  assert.equal(focusOn({ ...state, comparison: null }, focus([0]), "b"), null, "nothing is known yet");
});

test("where every token has one opposite it, there and back again is the same focus", () => {
  const random = generator(81);
  const state = told(compared(9).state, comparisonOf(9));
  for (let round = 0; round < 100; round += 1) {
    const tokens = () => Array.from({ length: 9 }, (_, at) => at).filter(() => random.below(3) === 0);
    const one = focus(tokens(), tokens());
    assert.deepEqual(focusOn(state, focusOn(state, one, "b"), "a"), one);
  }
});

test("heads of the same model are told by how much they changed, on both sides, zero included", () => {
  const heads = [{ layer: 1, head: 2, other_layer: 1, other_head: 2, change: 0.75, similarity: 0.5 }, { layer: 0, head: 0, other_layer: 0, other_head: 0, change: 0, similarity: 1 }];
  const state = told(compared().state, comparisonOf(3, { heads }));
  for (const seen of [state, seenFrom(state, B)]) {
    const quantity = comparedHeads(seen);
    assert.deepEqual(quantity.values, [0, null, null, null, null, 0.75]);
    assert.deepEqual([quantity.label, quantity.low, quantity.high], ["Change", 0, 1]);
  }
});

test("heads of two models are told by their likeness, on side a alone", () => {
  const heads = [{ layer: 0, head: 1, other_layer: 5, other_head: 8, change: 0.75, similarity: 0.5 }];
  const state = told(compared().state, comparisonOf(3, { heads, same_model: false }));
  assert.deepEqual(comparedHeads(state).values, [null, 0.5, null, null, null, null]);
  assert.equal(comparedHeads(state).label, "Likeness");
  assert.equal(comparedHeads(seenFrom(state, B)), null);
});

test("without a comparison or an answer there is nothing to tell, nor of an attention that is not compared", () => {
  const { state } = compared();
  assert.equal(comparedHeads(state), null);
  assert.equal(comparedHeads(told(state, null)), null);
  assert.equal(comparedHeads(told({ ...state, analysis: null }, comparisonOf(3))), null);
  const store = ready();
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  const whole = told(store.state, comparisonOf(3));
  assert.notEqual(comparedHeads(seenFrom(whole, { side: "a", stack: 0 })), null);
  assert.equal(comparedHeads(seenFrom(whole, { side: "a", stack: 1 })), null);
});
