// Two sides in one state: seen under the same names, changed without touching each other.

import assert from "node:assert/strict";
import { test } from "node:test";

import { question, questionKey } from "../../../frontend/state/selectors.js";
import { analysisOf, atPlace, onSide, sidesOf } from "../../../frontend/state/sides.js";
import { NOTHING_ASKED, initialState } from "../../../frontend/state/state.js";
import { NO_QUESTION } from "../../../frontend/state/view.js";
import { answer, compared, overview, ready, start, threeStacks, views } from "../small_answer.js";

/** How far a side is, and how much is in the lists that are filled in place. */
const progress = ({ sides }, side) => {
  const { asked, run, analysis, measured } = sides[side];
  return { asked, run, analysis, measured, filled: analysis && [analysis.layers.size, analysis.measures.size] };
};

/** Everything that can happen to a run. */
const EVENTS = [
  (run) => run.pend(),
  (run) => run.progress({ message: "", done: 0, total: 1 }),
  (run) => run.begin(start(4, { id: "new" })),
  (run) => run.receive(overview(0, 4)),
  (run) => run.receiveMeasures({ layer: 0, raw: {}, weighted: null, labels: [] }),
  (run) => run.finish({ total_ms: 1 }),
  (run) => run.fail({ code: "x", message: "", details: null }),
];

test("whatever happens on side b, side a stays as it is, and the other way round", () => {
  for (const [acting, resting] of [["b", "a"], ["a", "b"]]) {
    const store = compared(3);
    for (const event of EVENTS) {
      const [before, moved] = [progress(store.state, resting), progress(store.state, acting)];
      event(store.actions.sides[acting]);
      assert.deepEqual(progress(store.state, resting), before, String(event));
      assert.notDeepEqual(progress(store.state, acting), moved, String(event));
    }
  }
});

test("what arrives for side b after the comparison was ended changes nothing", () => {
  const store = compared(3);
  store.actions.compareWith(null);
  const { state } = store;
  for (const event of EVENTS) event(store.actions.sides.b);
  assert.equal(store.state, state);
});

test("on each side its question, answer and run have the same names", () => {
  const { state } = compared(3);
  const b = onSide(state, "b");
  assert.deepEqual([b.side, b.compared, b.text, b.analysis.id, b.analysis.n_tokens], ["b", true, "other words", "b1", 4]);
  assert.equal(b.analysis.question, questionKey(question(b)));
  const a = onSide(state, "a");
  assert.deepEqual([a.side, a.compared, a.text], ["a", true, "first example"]);
  assert.deepEqual([a.analysis, a.run], [state.sides.a.analysis, state.sides.a.run]);
});

test("what is null of the other side is as on side a; a second text and what was written on belong to its text", () => {
  const state = initialState(views);
  const a = { ...state.sides.a, model: "m", text: "t", text_pair: "p", continuation: [0] };
  const seen = (own) => {
    const sides = { a, b: { ...NO_QUESTION, ...NOTHING_ASKED, ...own } };
    const { model, text, text_pair, continuation } = onSide({ ...state, sides }, "b");
    return [model, text, text_pair, continuation];
  };
  assert.deepEqual(seen({}), ["m", "t", "p", [0]]);
  assert.deepEqual(seen({ model: "n" }), ["n", "t", "p", []]);
  assert.deepEqual(seen({ model: "m" }), ["m", "t", "p", [0]], "the same model by its name");
  assert.deepEqual(seen({ text: "u" }), ["m", "u", null, []]);
  assert.deepEqual(seen({ text: "" }), ["m", "", null, []], "an empty text is a text");
  assert.deepEqual(seen({ text_pair: "q" }).slice(0, 3), ["m", "t", "q"]);
  assert.deepEqual(seen({ text_pair: "" }).slice(0, 3), ["m", "t", ""]);
});

test("side b is wrapped as side a unless it says otherwise, and then what was written on is not its own", () => {
  const state = initialState(views);
  const a = { ...state.sides.a, model: "m", text: "t", continuation: [0] };
  const seen = (chat, own) => {
    const { chat: isWrapped, continuation } = onSide({ ...state, sides: { a: { ...a, chat }, b: { ...NO_QUESTION, ...NOTHING_ASKED, chat: own } } }, "b");
    return [isWrapped, continuation];
  };
  assert.deepEqual(seen(true, null), [true, [0]]);
  assert.deepEqual(seen(true, true), [true, [0]]);
  assert.deepEqual(seen(true, false), [false, []]);
  assert.deepEqual(seen(null, false), [false, [0]], "neither is wrapped");
  assert.deepEqual(seen(null, true), [true, []]);
});

test("without a comparison there is one side, and b is like a with no answer", () => {
  const store = compared(3);
  assert.deepEqual(sidesOf(store.state), ["a", "b"]);
  assert.equal(analysisOf(store.state, "b"), store.state.sides.b.analysis);
  store.actions.compareWith(null);
  assert.deepEqual(sidesOf(store.state), ["a"]);
  assert.equal(analysisOf(store.state, "b"), null);
  const b = onSide(store.state, "b");
  assert.deepEqual([b.compared, b.text, b.analysis, b.run.phase], [false, "first example", null, "idle"]);
  assert.equal(analysisOf(store.state, "a"), store.state.sides.a.analysis);
});

test("at each attention of a model its own shape, layers and measures are seen, one it lacks is none", () => {
  const store = ready();
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  store.actions.sides.a.receive(overview(0, 2, { stack: "decoder", heads: 2 }));
  const { analysis } = store.state.sides.a;
  const shapes = [0, 1, 2].map((stack) => onSide(store.state, "a", stack).analysis);
  assert.deepEqual(shapes.map(({ n_layers, n_heads }) => [n_layers, n_heads]), [[2, 3], [1, 2], [1, 2]]);
  assert.deepEqual(shapes.map(({ layers }) => layers.size), [0, 1, 0]);
  assert.equal(shapes[0], analysis);
  for (const seen of shapes) assert.deepEqual([seen.id, seen.tokens], [analysis.id, analysis.tokens]);
  assert.equal(onSide(store.state, "a", 3).analysis, null);
});

test("the same view is the same object while nothing changes, also an analysis over changes of the rest", () => {
  const store = compared(3);
  assert.equal(onSide(store.state, "b"), atPlace(store.state, { side: "b", stack: 0 }));
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  const before = onSide(store.state, "a", 2).analysis;
  store.actions.setView({ scale: "log" });
  assert.equal(onSide(store.state, "a", 2).analysis, before);
  store.actions.sides.a.receive(overview(0, 2, { stack: "cross", heads: 2, cols: 3 }));
  assert.equal(before.layers.size, 1, "and it has what comes later");
});

test("the cursor is seen only where it is", () => {
  const store = compared(3);
  const cursor = { side: "b", stack: 0, layer: 0, head: 0 };
  store.actions.pointAt(cursor);
  assert.equal(onSide(store.state, "a").cursor, null);
  assert.equal(onSide(store.state, "b", 1).cursor, null);
  assert.deepEqual(onSide(store.state, "b").cursor, cursor);
});
