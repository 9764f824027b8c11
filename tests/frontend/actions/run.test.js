// The run of a question: a changed question never keeps an old answer, and what the answer lacks is forgotten.

import assert from "node:assert/strict";
import { test } from "node:test";

import { oneHead } from "../../../frontend/state/pins.js";
import { fitting } from "../../../frontend/actions/run.js";
import { isStale } from "../../../frontend/state/selectors.js";
import { onSide } from "../../../frontend/state/sides.js";
import { answer, compared, overview, ready, start, threeStacks, viewWith } from "../small_answer.js";

const focus = (queries, keys, side = "a") => ({ side, queries, keys });
const on = (store, side = "a") => onSide(store.state, side);
const measures = (layer, previous, more = {}) => ({ layer, raw: { previous }, weighted: null, labels: [[], []], ...more });

test("an answer that starts while somebody types on is the answer to what was asked, not to what is typed", () => {
  const store = ready();
  store.actions.sides.a.pend();
  store.actions.editText("typed on");
  store.actions.sides.a.begin(start(3));
  assert.equal(isStale(on(store)), true);
  store.actions.editText("first example");
  assert.equal(isStale(on(store)), false);
});

test("a run waits, brings layers, and ends; progress is told until the first layer is here", () => {
  const held = ready();
  held.actions.sides.a.pend();
  assert.equal(on(held).run.phase, "pending");
  held.actions.sides.a.progress({ message: "Loading", done: 1, total: 2 });
  assert.deepEqual(on(held).run.progress, { message: "Loading", done: 1, total: 2 });
  held.actions.sides.a.begin(start(2));
  assert.deepEqual([on(held).run.phase, on(held).run.layers], ["streaming", 0]);
  held.actions.sides.a.receive(overview(0, 2));
  held.actions.sides.a.receive(overview(1, 2));
  assert.deepEqual([on(held).run.progress, on(held).run.layers], [null, 2]);
  held.actions.sides.a.finish({ total_ms: 5 });
  assert.deepEqual([on(held).run.phase, on(held).run.timing], ["done", { total_ms: 5 }]);
});

test("a new answer begins without layers and pointers of the one before", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.sides.a.receive(overview(0, 3));
  store.actions.hover(focus([0], []));
  store.actions.pointAt({ layer: 0, head: 0 });
  answer(store, start(3, { id: "a2" }));
  const { hover, cursor } = store.state;
  assert.deepEqual([on(store).analysis.layers.size, hover, cursor], [0, null, null]);
});

test("the same answer once more, or one of the other side, leaves the pointers where they are", () => {
  const store = compared(3);
  const [hover, cursor] = [focus([0], []), { layer: 0, head: 0, side: "a", stack: 0 }];
  store.actions.hover(hover);
  store.actions.pointAt(cursor);
  const { tokens } = on(store).analysis;
  answer(store, start(3));
  answer(store, start(4, { id: "b2" }), "b");
  store.actions.sides.b.fail({ code: "x", message: "", details: null });
  assert.deepEqual([store.state.hover, store.state.cursor], [hover, cursor]);
  assert.equal(on(store).analysis.tokens, tokens, "whoever shows them need not begin anew");
  store.actions.sides.a.fail({ code: "x", message: "", details: null });
  assert.deepEqual([store.state.hover, store.state.cursor], [null, null]);
});

test("an answer during which somebody typed on, and took it back, still says what heads there are", () => {
  const store = ready();
  store.actions.pin(oneHead({ layer: 7, head: 0 }));
  store.actions.sides.a.pend();
  store.actions.editText("first examples");
  store.actions.sides.a.begin(start(3));
  assert.equal(store.state.pins.length, 1, "it answers another text than the one in the boxes");
  store.actions.editText("first example");
  store.actions.sides.a.finish({ total_ms: 1 });
  assert.deepEqual(store.state.pins, []);
});

test("a pointer on any attention of side b goes with its answer", () => {
  const store = compared(3);
  store.actions.pointAt({ layer: 0, head: 0, side: "b", stack: 1 });
  answer(store, start(4, { id: "b2" }), "b");
  assert.equal(store.state.cursor, null);
});

test("a late answer to an older question takes nothing from the view that is there now", () => {
  const store = compared(3);
  const { actions } = store;
  actions.sides.b.pend();
  const pins = [{ ...oneHead({ layer: 7, head: 0, side: "b" }), mode: "heatmap" }];
  const against = { text: "changed since" };
  actions.restore(viewWith({ model: "both", text: "first example", pins, lock: focus([9], [], "b"), against }));
  actions.sides.b.begin(start(4, { id: "b2" }));
  assert.deepEqual([store.state.pins, store.state.lock], [pins, focus([9], [], "b")]);
  answer(store, start(4, { id: "b3" }), "b");
  assert.deepEqual([store.state.pins, store.state.lock], [[], null], "the answer to this one does");
});

test("a failure takes the maps of its own question away", () => {
  const store = ready();
  store.actions.sides.a.pend();
  store.actions.sides.a.begin(start(3));
  store.actions.sides.a.fail({ code: "out_of_memory", message: "too little", details: {} });
  assert.equal(on(store).analysis, null);
  assert.equal(on(store).run.problem.message, "too little");
  store.actions.sides.a.receive(overview(0, 3));
  store.actions.sides.a.receiveMeasures(measures(0, [0, 0]));
  assert.equal(on(store).analysis, null, "what comes late brings nothing back");
});

test("a failure keeps the last result, as it is", () => {
  const store = ready();
  answer(store, start(3));
  const { analysis } = on(store);
  store.actions.editText("far too long");
  store.actions.sides.a.pend();
  store.actions.sides.a.fail({ code: "text_too_long", message: "too long", details: {} });
  assert.equal(on(store).analysis, analysis);
  assert.ok(isStale(onSide(store.state, "a")), "it takes no clicks");
  const layers = analysis.layers.size;
  store.actions.sides.a.receive(overview(layers, 3));
  assert.equal(analysis.layers.size, layers, "what comes late adds nothing");
  store.actions.chooseModel("gone");
  store.actions.sides.a.fail({ code: "unknown_model", message: "", details: {} });
  assert.equal(on(store).analysis, null, "a model that is not there has no heads to show");
});

test("layers and measures go to the attention they are of", () => {
  const store = ready();
  store.actions.sides.a.begin(start(5, { stacks: threeStacks(3, 2) }));
  const { analysis } = on(store);
  store.actions.sides.a.receive(overview(0, 3));
  store.actions.sides.a.receive(overview(0, 2, { stack: "cross", heads: 2, cols: 3, n_keys: 3 }));
  store.actions.sides.a.receiveMeasures(measures(0, [0, null], { stack: "decoder" }));
  store.actions.sides.a.receiveMeasures(measures(1, [1, 1, 1]));
  assert.deepEqual(analysis.stacks.map(({ layers }) => layers.size), [1, 0, 1]);
  assert.deepEqual(analysis.stacks.map((stack) => [...stack.measures.keys()]), [[1], [0], []]);
  assert.equal(on(store).run.layers, 2, "of all of them together");
  assert.equal(analysis.layers, analysis.stacks[0].layers, "an analysis is seen at its first attention");
});

test("each attention has the opportunities of its own text, and what joins two texts has none", () => {
  const [opportunities, decoder_opportunities] = [5, 2].map((n) => ({ previous: { n, baseline: 0.5, ceiling: 1 } }));
  const store = ready();
  answer(store, start(5, { opportunities, decoder_opportunities, stacks: threeStacks(3, 2) }));
  const seen = [0, 1, 2].map((stack) => onSide(store.state, "a", stack).analysis.opportunities);
  assert.deepEqual(seen, [opportunities, decoder_opportunities, null]);
  const whole = { stack: "decoder", n_layers: 2, n_heads: 3, queries: [0, 3], keys: [0, 3], causal: true };
  answer(store, start(3, { opportunities, decoder_opportunities: null, stacks: [whole] }));
  assert.equal(on(store).analysis.opportunities, opportunities, "a decoder alone reads the one text there is");
});

test("an answer knows what was typed, in the characters its tokens count", () => {
  const store = ready();
  store.actions.editText("a👍");
  store.actions.editPair("né");
  answer(store, start(3));
  assert.deepEqual(on(store).analysis.typed, [["a", "👍"], ["n", "é"]]);
  store.actions.editPair(null);
  answer(store, start(3));
  assert.deepEqual(on(store).analysis.typed, [["a", "👍"], []]);
});

test("a locked focus survives the start, unless it points past the last token", () => {
  const store = ready();
  store.actions.restore(viewWith({ model: "both", text: "a", lock: focus([0], [2]) }));
  store.actions.sides.a.pend();
  store.actions.sides.a.begin(start(3));
  assert.deepEqual(store.state.lock, focus([0], [2]));
  store.actions.sides.a.begin(start(2));
  assert.equal(store.state.lock, null);
});

test("panels that the next model lacks go, in whatever they stand, and an open detail with them", () => {
  const store = ready();
  const { actions } = store;
  const [zero, far] = [oneHead({ layer: 0, head: 0 }), oneHead({ layer: 7, head: 0 })];
  const kept = [zero, { kind: "mean", side: "a", stack: 0, cells: [] }, { kind: "difference", one: zero, other: zero }];
  const cross = { kind: "max", side: "a", stack: 2, cells: [] };
  for (const what of [...kept, far, cross, { kind: "difference", one: zero, other: far }]) actions.pin(what);
  actions.openDetail({ side: "a", stack: 0, layer: 7, head: 0 });
  actions.sides.a.pend();
  actions.sides.a.begin(start(2));
  assert.deepEqual(store.state.pins, kept.map((what) => ({ ...what, mode: "heatmap" })));
  assert.equal(store.state.detail, null);
  const { pins } = store.state;
  actions.sides.a.begin(start(2));
  assert.equal(store.state.pins, pins, "the same list when none has to go");
});

test("an answer of one side says nothing of what is chosen on the other", () => {
  const [a, b] = ["a", "b"].map((side) => oneHead({ layer: 7, head: 7, side }));
  const view = viewWith({ pins: [a, b], lock: focus([9], [], "b"), detail: { ...b } });
  const analysis = start(3);
  assert.deepEqual(fitting(view, analysis, "a"), { pins: [b], lock: view.lock, detail: view.detail });
  assert.deepEqual(fitting(view, analysis, "b"), { pins: [a], lock: null, detail: null });
});

test("the answer of side b leaves side a's answer and question as they are", () => {
  const store = compared(3);
  const { a } = store.state.sides;
  answer(store, start(9, { id: "b2" }), "b");
  store.actions.sides.b.fail({ code: "x", message: "", details: null });
  assert.equal(store.state.sides.a, a);
  assert.equal(store.state.sides.b.analysis, null);
});

test("an answer keeps whose maps its overview is of", () => {
  const store = ready();
  store.actions.sides.a.begin(start(2));
  assert.equal(on(store).analysis.values, "raw");
  store.actions.sides.a.begin(start(2), "weighted");
  assert.equal(on(store).analysis.values, "weighted");
});
