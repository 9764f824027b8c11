// Two sides in one state: seen under the same names, changed without touching each other.

import assert from "node:assert/strict";
import { test } from "node:test";

import { question, questionKey } from "../../../frontend/state/selectors.js";
import { STANDING, analysisOf, atStack, holderOfB, seenFrom } from "../../../frontend/state/side.js";
import { initialStanding, initialState } from "../../../frontend/state/state.js";
import { answer, compared, overview, ready, start, threeStacks } from "../small_answer.js";

const A = { side: "a", stack: 0 };
const B = { side: "b", stack: 0 };
/** All of a side's standing, and how much is in the lists that are filled in place. */
const standing = (state) => ({
  ...Object.fromEntries(STANDING.map((key) => [key, state[key]])),
  filled: state.analysis && ["layers", "measures", "exact"].map((name) => state.analysis[name].size),
});
const problem = { code: "x", message: "", details: null };
const metrics = { layer: 0, raw: {}, weighted: null, labels: [] };

/** Everything that can happen to a run. */
const EVENTS = [
  (run) => run.pend(),
  (run) => run.progress({ message: "", done: 0, total: 1 }),
  (run) => run.begin(start(4, { id: "new" })),
  (run) => run.receive(overview(0, 4)),
  (run) => run.receiveMeasures(metrics),
  (run) => run.finish({ total_ms: 1 }),
  (run, analysis) => run.receiveExact(analysis, "raw 0.0", { weights: new Float32Array(16) }),
  (run, analysis) => run.refuseExact(analysis, "raw 0.1", "why"),
  (run) => run.receiveAtlas({ model: "both", record: null, problem }),
  (run) => run.fail(problem),
];

test("what changes with a side is all of its standing and nothing else", () => {
  assert.deepEqual([...STANDING].sort(), Object.keys(initialStanding()).sort());
});

test("whatever happens on side b, side a stands as it stood, and the other way round", () => {
  for (const [acting, resting] of [["b", "a"], ["a", "b"]]) {
    const store = compared(3);
    const run = acting === "b" ? store.actions.b : store.actions;
    for (const event of EVENTS) {
      const before = standing(seenFrom(store.state, { side: resting, stack: 0 }));
      const moved = standing(seenFrom(store.state, { side: acting, stack: 0 }));
      event(run, analysisOf(store.state, acting));
      assert.deepEqual(standing(seenFrom(store.state, { side: resting, stack: 0 })), before, String(event));
      assert.notDeepEqual(standing(seenFrom(store.state, { side: acting, stack: 0 })), moved, String(event));
    }
  }
});

test("a holder of side b hands on what both sides share", () => {
  const patches = [];
  const state = { ...initialState(), other: { ...initialStanding(), exact: 4 } };
  const holder = holderOfB({ state, update: (patch) => patches.push(patch) });
  holder.update({ pins: [], hover: null, exact: 5 });
  holder.update({ hover: null });
  assert.deepEqual(patches[0], { pins: [], hover: null, other: { ...state.other, exact: 5 } });
  assert.deepEqual(patches[1], { hover: null, other: state.other });
});

test("seen from b the other question, answer and run have the names of the first", () => {
  const { state } = compared(3);
  const seen = seenFrom(state, B);
  assert.deepEqual([seen.seen_from, seen.text, seen.analysis.id, seen.analysis.n_tokens], ["b", "other words", "b1", 4]);
  assert.equal(seen.analysis.question, questionKey(question(seen)));
  const first = seenFrom(state, A);
  assert.deepEqual([first.seen_from, first.text, first.analysis], ["a", "first example", state.analysis]);
});

test("what is null of the other side is as on side a; a second text and what was written on belong to its text", () => {
  const state = { ...initialState(), model: "m", text: "t", text_pair: "p", continuation: [0] };
  const seen = (against) => {
    const { model, text, text_pair, continuation } = seenFrom({ ...state, against }, B);
    return [model, text, text_pair, continuation];
  };
  const none = { model: null, text: null, text_pair: null };
  assert.deepEqual(seen(none), ["m", "t", "p", [0]]);
  assert.deepEqual(seen({ ...none, model: "n" }), ["n", "t", "p", []]);
  assert.deepEqual(seen({ ...none, model: "m" }), ["m", "t", "p", [0]], "the same model by its name");
  assert.deepEqual(seen({ ...none, text: "u" }), ["m", "u", null, []]);
  assert.deepEqual(seen({ ...none, text: "" }), ["m", "", null, []], "an empty text is a text");
  assert.deepEqual(seen({ ...none, text_pair: "q" }).slice(0, 3), ["m", "t", "q"]);
  assert.deepEqual(seen({ ...none, text_pair: "" }).slice(0, 3), ["m", "t", ""]);
});

test("without a comparison side b has no answer, whatever is left of one", () => {
  const { state } = compared(3);
  assert.equal(analysisOf({ ...state, against: null }, "b"), null);
  assert.equal(analysisOf(state, "b"), state.other.analysis);
  assert.equal(analysisOf(state, "a"), state.analysis);
});

test("at each attention of a model its own shape, layers and measures are seen, one it lacks is none", () => {
  const store = ready();
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  store.actions.receive(overview(0, 2, { stack: "decoder", heads: 2 }));
  const { analysis } = store.state;
  const shapes = [0, 1, 2].map((stack) => seenFrom(store.state, { side: "a", stack }).analysis);
  assert.deepEqual(shapes.map(({ n_layers, n_heads }) => [n_layers, n_heads]), [[2, 3], [1, 2], [1, 2]]);
  assert.deepEqual(shapes.map(({ layers }) => layers.size), [0, 1, 0]);
  assert.equal(shapes[0], analysis);
  for (const seen of shapes) assert.deepEqual([seen.id, seen.exact, seen.tokens], [analysis.id, analysis.exact, analysis.tokens]);
  assert.equal(atStack(analysis, 3), null);
});

test("the same view is the same object while nothing changes, also an analysis over changes of the rest", () => {
  const store = compared(3);
  assert.equal(seenFrom(store.state, B), seenFrom(store.state, B));
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  const cross = { side: "a", stack: 2 };
  const before = seenFrom(store.state, cross).analysis;
  store.actions.look({ scale: "log" });
  assert.equal(seenFrom(store.state, cross).analysis, before);
  store.actions.receive(overview(0, 2, { stack: "cross", heads: 2, cols: 3 }));
  assert.equal(before.layers.size, 1, "and it has what comes later");
});

test("the cursor is seen only where it is", () => {
  const store = compared(3);
  store.actions.pointAt({ ...B, layer: 0, head: 0 });
  assert.equal(seenFrom(store.state, A).cursor, null);
  assert.equal(seenFrom(store.state, { side: "b", stack: 1 }).cursor, null);
  assert.deepEqual(seenFrom(store.state, B).cursor, { ...B, layer: 0, head: 0 });
});
