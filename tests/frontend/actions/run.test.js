// The run of a question: a changed question never keeps an old answer, and what the answer lacks is forgotten.

import assert from "node:assert/strict";
import { test } from "node:test";

import { oneHead } from "../../../frontend/state/pins.js";
import { fitting } from "../../../frontend/actions/run.js";
import { isStale } from "../../../frontend/state/selectors.js";
import { seenFrom } from "../../../frontend/state/side.js";
import { emptyView, viewOf } from "../../../frontend/state/view.js";
import { answer, compared, overview, ready, start, threeStacks } from "../small_answer.js";

const focus = (queries, keys, side = "a") => ({ side, queries, keys });
const source = (weights) => ({ weights, exact: true, block: 1, queries: [], keys: [] });
const measures = (layer, previous, more = {}) => ({ layer, raw: { previous }, weighted: null, labels: [[], []], ...more });

test("an answer that starts while somebody types on is the answer to what was asked, not to what is typed", () => {
  const store = ready();
  store.actions.pend();
  store.actions.editText("typed on");
  store.actions.begin(start(3));
  assert.equal(isStale(store.state), true);
  store.actions.editText("first example");
  assert.equal(isStale(store.state), false);
});

test("a run waits, brings layers, and ends; progress is told until the first layer is here", () => {
  const held = ready();
  held.actions.pend();
  assert.equal(held.state.run.phase, "pending");
  held.actions.progress({ message: "Loading", done: 1, total: 2 });
  assert.deepEqual(held.state.run.progress, { message: "Loading", done: 1, total: 2 });
  held.actions.begin(start(2));
  assert.deepEqual([held.state.run.phase, held.state.run.layers], ["streaming", 0]);
  held.actions.receive(overview(0, 2));
  held.actions.receive(overview(1, 2));
  assert.deepEqual([held.state.run.progress, held.state.run.layers], [null, 2]);
  held.actions.finish({ total_ms: 5 });
  assert.deepEqual([held.state.run.phase, held.state.run.timing], ["done", { total_ms: 5 }]);
});

test("a new answer begins without layers, pointers and refusals of the one before", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.receive(overview(0, 3));
  store.actions.refuseExact(store.state.analysis, "raw 0.0", "why");
  store.actions.hover(focus([0], []));
  store.actions.pointAt({ layer: 0, head: 0 });
  answer(store, start(3, { id: "a2" }));
  const { analysis, refused, hover, cursor } = store.state;
  assert.deepEqual([analysis.layers.size, analysis.exact.size, refused.size, hover, cursor], [0, 0, 0, null, null]);
});

test("the same answer once more, or one of the other side, leaves the pointers where they are", () => {
  const store = compared(3);
  const [hover, cursor] = [focus([0], []), { layer: 0, head: 0, side: "a", stack: 0 }];
  store.actions.hover(hover);
  store.actions.pointAt(cursor);
  const { tokens } = store.state.analysis;
  answer(store, start(3));
  answer(store, start(4, { id: "b2" }), "b");
  store.actions.b.fail({ code: "x", message: "", details: null });
  assert.deepEqual([store.state.hover, store.state.cursor], [hover, cursor]);
  assert.equal(store.state.analysis.tokens, tokens, "whoever shows them need not begin anew");
  store.actions.fail({ code: "x", message: "", details: null });
  assert.deepEqual([store.state.hover, store.state.cursor], [null, null]);
});

test("an answer during which somebody typed on, and took it back, still says what heads there are", () => {
  const store = ready();
  store.actions.pin(oneHead({ layer: 7, head: 0 }));
  store.actions.pend();
  store.actions.editText("first examples");
  store.actions.begin(start(3));
  assert.equal(store.state.pins.length, 1, "it answers another text than the one in the boxes");
  store.actions.editText("first example");
  store.actions.finish({ total_ms: 1 });
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
  actions.b.pend();
  const pins = [{ ...oneHead({ layer: 7, head: 0, side: "b" }), mode: "heatmap" }];
  actions.restore({ ...viewOf(store.state), pins, lock: focus([9], [], "b"), against: { model: null, text: "changed since", text_pair: null } });
  actions.b.begin(start(4, { id: "b2" }));
  assert.deepEqual([store.state.pins, store.state.lock], [pins, focus([9], [], "b")]);
  answer(store, start(4, { id: "b3" }), "b");
  assert.deepEqual([store.state.pins, store.state.lock], [[], null], "the answer to this one does");
});

test("a failure takes the old maps away", () => {
  const store = ready();
  store.actions.begin(start(3));
  store.actions.fail({ code: "text_too_long", message: "too long", details: {} });
  assert.equal(store.state.analysis, null);
  assert.equal(store.state.run.problem.message, "too long");
  store.actions.receive(overview(0, 3));
  store.actions.receiveMeasures(measures(0, [0, 0]));
  assert.equal(store.state.analysis, null, "what comes late brings nothing back");
});

test("exact values and refusals of an analysis that is gone are ignored", () => {
  const store = ready();
  store.actions.begin(start(2));
  const old = store.state.analysis;
  store.actions.begin(start(2));
  store.actions.receiveExact(old, "raw 0.0", source(new Float32Array(4)));
  store.actions.refuseExact(old, "raw 0.0", "why");
  assert.deepEqual([store.state.analysis.exact.size, old.exact.size, store.state.refused.size], [0, 0, 0]);
});

test("exact values and refusals are announced and found under their names", () => {
  const store = ready();
  store.actions.begin(start(2));
  const heard = [];
  store.subscribe((_, changed) => heard.push(...changed));
  const exact = source(Float32Array.from([1, 0, 0.3, 0.7]));
  store.actions.receiveExact(store.state.analysis, "raw 0.0", exact);
  store.actions.refuseExact(store.state.analysis, "raw 0.1", "Not enough memory.");
  assert.equal(store.state.analysis.exact.get("raw 0.0"), exact);
  assert.equal(store.state.refused.get("raw 0.1"), "Not enough memory.");
  assert.deepEqual(heard, ["exact", "refused"]);
});

test("layers and measures go to the attention they are of", () => {
  const store = ready();
  store.actions.begin(start(5, { stacks: threeStacks(3, 2) }));
  const { analysis } = store.state;
  store.actions.receive(overview(0, 3));
  store.actions.receive(overview(0, 2, { stack: "cross", heads: 2, cols: 3, n_keys: 3 }));
  store.actions.receiveMeasures(measures(0, [0, null], { stack: "decoder" }));
  store.actions.receiveMeasures(measures(1, [1, 1, 1]));
  assert.deepEqual(analysis.stacks.map(({ layers }) => layers.size), [1, 0, 1]);
  assert.deepEqual(analysis.stacks.map((stack) => [...stack.measures.keys()]), [[1], [0], []]);
  assert.equal(store.state.run.layers, 2, "of all of them together");
  assert.equal(analysis.layers, analysis.stacks[0].layers, "an analysis is seen at its first attention");
});

test("each attention has the opportunities of its own text, and what joins two texts has none", () => {
  const [opportunities, decoder_opportunities] = [5, 2].map((n) => ({ previous: { n, baseline: 0.5, ceiling: 1 } }));
  const store = ready();
  answer(store, start(5, { opportunities, decoder_opportunities, stacks: threeStacks(3, 2) }));
  const seen = [0, 1, 2].map((stack) => seenFrom(store.state, { side: "a", stack }).analysis.opportunities);
  assert.deepEqual(seen, [opportunities, decoder_opportunities, null]);
  const whole = { stack: "decoder", n_layers: 2, n_heads: 3, queries: [0, 3], keys: [0, 3], causal: true };
  answer(store, start(3, { opportunities, decoder_opportunities: null, stacks: [whole] }));
  assert.equal(store.state.analysis.opportunities, opportunities, "a decoder alone reads the one text there is");
});

test("an answer knows what was typed, in the characters its tokens count", () => {
  const store = ready();
  store.actions.editText("a👍");
  store.actions.editPair("né");
  answer(store, start(3));
  assert.deepEqual(store.state.analysis.typed, [["a", "👍"], ["n", "é"]]);
  store.actions.editPair(null);
  answer(store, start(3));
  assert.deepEqual(store.state.analysis.typed, [["a", "👍"], []]);
});

test("a locked focus and what is asked survive the start, unless they point past the last token", () => {
  const store = ready();
  const ask = { queries: [0], keys: [2], side: "queries" };
  store.actions.restore({ ...emptyView(), model: "both", text: "a", lock: focus([0], [2]), ask });
  store.actions.pend();
  store.actions.begin(start(3));
  assert.deepEqual(store.state.lock, focus([0], [2]));
  assert.deepEqual(store.state.ask, ask);
  store.actions.begin(start(2));
  assert.equal(store.state.lock, null);
  assert.deepEqual(store.state.ask, emptyView().ask);
});

test("panels that the next model lacks go, in whatever they stand, and an open detail with them", () => {
  const store = ready();
  const { actions } = store;
  const [zero, far] = [oneHead({ layer: 0, head: 0 }), oneHead({ layer: 7, head: 0 })];
  const kept = [zero, { kind: "mean", side: "a", stack: 0, cells: [] }, { kind: "difference", one: zero, other: zero }];
  const cross = { kind: "max", side: "a", stack: 2, cells: [] };
  for (const what of [...kept, far, cross, { kind: "difference", one: zero, other: far }]) actions.pin(what);
  actions.openDetail({ side: "a", stack: 0, layer: 7, head: 0 });
  actions.pend();
  actions.begin(start(2));
  assert.deepEqual(store.state.pins, kept.map((what) => ({ ...what, mode: "heatmap" })));
  assert.equal(store.state.detail, null);
  const { pins } = store.state;
  actions.begin(start(2));
  assert.equal(store.state.pins, pins, "the same list when none has to go");
});

test("an answer of one side says nothing of what is chosen on the other", () => {
  const [a, b] = ["a", "b"].map((side) => oneHead({ layer: 7, head: 7, side }));
  const view = { ...emptyView(), pins: [a, b], lock: focus([9], [], "b"), detail: { ...b }, ask: { queries: [9], keys: [9], side: "keys" } };
  const analysis = start(3);
  assert.deepEqual(fitting(view, analysis, "a"), { pins: [b], lock: view.lock, detail: view.detail, ask: emptyView().ask });
  assert.deepEqual(fitting(view, analysis, "b"), { pins: [a], lock: null, detail: null, ask: view.ask });
});

test("the answer of side b leaves side a's answer, question and ranking as they are", () => {
  const store = compared(3);
  const { analysis, run, asked } = store.state;
  store.actions.askFor([0], [1]);
  store.actions.receiveEdges({ ask: store.state.ask, answer: "ranking", problem: null });
  answer(store, start(9, { id: "b2" }), "b");
  store.actions.b.fail({ code: "x", message: "", details: null });
  assert.deepEqual([store.state.analysis, store.state.run, store.state.asked], [analysis, run, asked]);
  assert.equal(store.state.edges.answer, "ranking");
  assert.equal(store.state.other.analysis, null);
});

test("an answer keeps whose maps its overview is of", () => {
  const store = ready();
  store.actions.begin(start(2));
  assert.equal(store.state.analysis.values, "raw");
  store.actions.begin(start(2), "weighted");
  assert.equal(store.state.analysis.values, "weighted");
});

test("what is known of a model from a corpus is kept beside its answer", () => {
  const store = compared(3);
  store.actions.b.receiveAtlas({ model: "single", record: null, problem: null });
  assert.equal(store.state.atlas, null);
  assert.equal(store.state.other.atlas.model, "single");
});
