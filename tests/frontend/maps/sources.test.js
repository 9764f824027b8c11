// The maps behind panels: exact as soon as they are here, the overview until then, and sheets made once.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { exactMaps, mapQuestion } from "../../../frontend/maps/exact.js";
import { stackTokens } from "../../../frontend/maps/map_lines.js";
import { allowedOn, isComparable, sheetOf, sourceOf, whyIncomparable } from "../../../frontend/maps/sources.js";
import { weightOfCode } from "../../../frontend/requests/wire.js";
import { oneHead } from "../../../frontend/state/pins.js";
import { atPlace } from "../../../frontend/state/sides.js";
import { answer, compared, comparisonOf, overview, ready, start, tell, threeStacks } from "../small_answer.js";

const head = (layer, number, place = {}) => oneHead({ layer, head: number, ...place });
const A = head(1, 2);
const B = head(1, 2, { side: "b" });
const difference = (one, other) => ({ kind: "difference", one, other });

/** Exact values of something on a side arrive. */
function arrive(store, what, weights, values = "raw") {
  const answered = { weights: Float32Array.from(weights), exact: true };
  tell(store, exactMaps, answered, mapQuestion(store.state.sides[what.side].analysis, what, values));
  return answered;
}
const uniform = (n) => Array(n * n).fill(1 / n);

test("a head shows its overview until its exact values are here", () => {
  const store = ready();
  store.actions.sides.a.begin(start(2));
  assert.equal(sourceOf(store.state, A, "raw"), null);
  store.actions.sides.a.receive(overview(1, 2));
  const rough = sourceOf(store.state, A, "raw");
  assert.deepEqual([rough.exact, rough.block], [false, 1]);
  assert.equal(rough.weights[2], Math.fround(weightOfCode(10)), "third head, second row");
  const { weights } = arrive(store, A, [1, 0, 0.3, 0.7]);
  const exact = sourceOf(store.state, A, "raw");
  assert.deepEqual([exact.weights, exact.exact, exact.block, exact.causal], [weights, true, 1, false]);
  assert.equal(exact.queries, store.state.sides.a.analysis.tokens);
  assert.equal(sourceOf(store.state, A, "raw"), exact);
  assert.equal(sheetOf(store.state, A, "raw").weights[2], weights[2]);
  assert.equal(sourceOf(store.state, head(1, 1), "raw").exact, false, "another head of the layer");
});

test("an overview is of raw or of value-weighted maps, whichever was asked, never of both", () => {
  const store = ready();
  store.actions.sides.a.begin(start(2), "weighted");
  store.actions.sides.a.receive(overview(1, 2));
  assert.equal(sourceOf(store.state, A, "raw"), null);
  assert.equal(sourceOf(store.state, A, "weighted").exact, false);
  arrive(store, A, uniform(2));
  assert.equal(sourceOf(store.state, A, "raw").exact, true);
  assert.equal(sourceOf(store.state, A, "weighted").exact, false);
});

test("there is no overview of several heads, of rollout, of a head that the frame or the model lacks", () => {
  const store = ready();
  store.actions.sides.a.begin(start(2));
  store.actions.sides.a.receive(overview(0, 2));
  const place = { side: "a", stack: 0 };
  const whats = [{ kind: "mean", ...place, cells: [] }, { kind: "rollout", ...place, layer: 0 }, head(0, 3), head(0, 99), head(0, 0, { stack: 2 }), B];
  for (const what of whats) assert.equal(sourceOf(store.state, what, "raw"), null, JSON.stringify(what));
});

test("the overview of a head is decoded once", () => {
  const store = ready();
  store.actions.sides.a.begin(start(2));
  store.actions.sides.a.receive(overview(1, 2));
  assert.equal(sourceOf(store.state, A, "raw"), sourceOf(store.state, { ...A, mode: "lines" }, "raw"));
  assert.notEqual(sourceOf(store.state, A, "raw"), sourceOf(store.state, head(1, 0), "raw"));
});

test("the tokens of an attention are its part of the list, the same lists each time", () => {
  const store = ready();
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  const { analysis } = store.state.sides.a;
  const ofStack = (at) => stackTokens(analysis, analysis.stacks[at]);
  const indices = ({ queries, keys }) => [queries, keys].map((tokens) => tokens.map(({ index }) => index));
  assert.deepEqual([0, 1, 2].map((at) => indices(ofStack(at))), [
    [[0, 1, 2], [0, 1, 2]],
    [[3, 4], [3, 4]],
    [[3, 4], [0, 1, 2]],
  ]);
  assert.equal(ofStack(2).queries, ofStack(2).queries);
  answer(store, start(3, { id: "a2" }));
  assert.equal(stackTokens(store.state.sides.a.analysis, store.state.sides.a.analysis.stacks[0]).queries, store.state.sides.a.analysis.tokens);
});

test("a sheet is the same object while nothing about it changes, and another when the treatment or the map does", () => {
  const store = ready();
  answer(store, start(3));
  arrive(store, A, uniform(3));
  arrive(store, A, uniform(3), "weighted");
  const now = (values = "raw") => sheetOf(store.state, A, values);
  const first = now();
  store.actions.hover({ side: "a", queries: [0], keys: [] });
  store.actions.setView({ mass: 10, layout: "horizontal", values: "both" });
  now("weighted");
  sheetOf(store.state, { ...A, mode: "lines" }, "raw");
  assert.equal(now(), first);
  for (const change of [{ scale: "log" }, { range: "head" }, { hide: "first" }, { renormalise: true }, { words: true }]) {
    const before = now();
    store.actions.setView(change);
    assert.notEqual(now(), before, JSON.stringify(change));
    assert.equal(now(), now());
  }
  const before = now();
  arrive(store, A, [1, 0, 0, 1, 0, 0, 1, 0, 0]);
  assert.notEqual(now(), before);
});

test("words are written as they were typed, in a rough map and in an exact one", () => {
  const store = ready();
  store.actions.editText("né");
  const piece = (text, index, start, end) => ({ index, text, kind: "continuation", word: 0, start, end, segment: 0 });
  const tokens = [piece("n", 0, 0, 1), piece("⟨C3⟩", 1, 1, 2), piece("⟨A9⟩", 2, 1, 2)];
  answer(store, start(3, { tokens }));
  store.actions.sides.a.receive(overview(1, 3));
  store.actions.setView({ words: true });
  assert.deepEqual(sheetOf(store.state, A, "raw").keys, { labels: ["né"], groups: [[0, 1, 2]] });
  arrive(store, A, uniform(3));
  assert.deepEqual(sheetOf(store.state, A, "raw").keys.labels, ["né"]);
});

test("a pair of two sides waits for both maps and for what stands opposite what", () => {
  const store = compared(3);
  const pair = difference(A, B);
  assert.equal(sheetOf(store.state, pair, "raw"), null);
  arrive(store, A, uniform(3));
  assert.equal(sheetOf(store.state, pair, "raw"), null);
  arrive(store, B, uniform(4));
  assert.equal(sheetOf(store.state, pair, "raw"), null);
  tell(store, comparison, null, undefined, { code: "x", message: "", details: null });
  assert.equal(sheetOf(store.state, pair, "raw"), null);
  tell(store, comparison, comparisonOf(3));
  const sheet = sheetOf(store.state, pair, "raw");
  assert.deepEqual([sheet.signed, sheet.exact, sheet.queries.labels], [true, true, ["t0", "t1", "t2"]]);
  assert.ok(Math.abs(sheet.weights[0] - (1 / 3 - 1 / 4)) < 1e-6);
});

test("seen from b a difference is the opposite, of the same tokens", () => {
  const store = compared(3);
  arrive(store, A, [1, 0, 0, 0, 1, 0, 0.5, 0.25, 0.25]);
  arrive(store, B, uniform(4));
  const units = comparisonOf(3).units.map((unit) => ({ ...unit, text: `${unit.text}a`, other_text: `${unit.other_text}b` }));
  tell(store, comparison, comparisonOf(3, { units }));
  const [one, other] = [difference(A, B), difference(B, A)].map((pair) => sheetOf(store.state, pair, "raw"));
  assert.deepEqual([...other.weights], [...one.weights].map((weight) => 0 - weight));
  assert.deepEqual([one.queries.labels[0], other.queries.labels[0]], ["t0a / t0b", "t0b / t0a"]);
});

test("a pair of one side needs no comparison", () => {
  const store = ready();
  answer(store, start(3));
  arrive(store, A, uniform(3));
  arrive(store, head(0, 0), [1, 0, 0, 1, 0, 0, 1, 0, 0]);
  const sheet = sheetOf(store.state, { kind: "agreement", one: A, other: head(0, 0) }, "raw");
  assert.ok(Math.abs(sheet.weights[0] - 1 / 3) < 1e-6);
  assert.equal(sheet.weights[1], 0);
});

test("pairs that share a map, and the map itself, each keep their sheet", () => {
  const store = compared(3);
  for (const number of [0, 1, 2]) arrive(store, head(0, number), uniform(3));
  const [zero, one, two] = [0, 1, 2].map((number) => head(0, number));
  const whats = [zero, difference(zero, one), difference(zero, two), { kind: "agreement", one: zero, other: one }, difference(one, zero)];
  const sheets = whats.map((what) => sheetOf(store.state, what, "raw"));
  assert.equal(new Set(sheets).size, whats.length);
  whats.forEach((what, at) => assert.equal(sheetOf(store.state, what, "raw"), sheets[at]));
  store.actions.setView({ scale: "linear" });
  whats.forEach((what, at) => assert.notEqual(sheetOf(store.state, what, "raw"), sheets[at]));
});

test("another comparison makes another sheet of the same two maps", () => {
  const store = compared(3);
  arrive(store, A, uniform(3));
  arrive(store, B, uniform(4));
  const compare = (answer) => {
    tell(store, comparison, answer);
    return sheetOf(store.state, difference(A, B), "raw");
  };
  const [three, two] = [compare(comparisonOf(3)), compare(comparisonOf(2))];
  assert.deepEqual([three.queries.labels.length, two.queries.labels.length], [3, 2]);
});

test("a filter is that of the side whose tokens the sheet speaks of", () => {
  const store = compared(3);
  answer(store, start(3, { id: "a2", segmentOf: (at) => Number(at === 2) }));
  answer(store, start(4, { id: "b2" }), "b");
  store.actions.setView({ filter: "ab" });
  arrive(store, A, uniform(3));
  arrive(store, B, uniform(4));
  const shown = (what, n) => {
    const allowed = allowedOn(atPlace(store.state, what), sheetOf(store.state, what, "raw"));
    return Array.from({ length: n * n }, (_, at) => allowed(Math.floor(at / n), at % n)).filter(Boolean).length;
  };
  assert.equal(shown(A, 3), 2, "from two tokens to the third");
  assert.equal(shown(B, 4), 16, "one sentence: all of it");
});

test("two maps are comparable when they are of the same tokens, or of the first attentions of two sides", () => {
  const store = compared(5);
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  const { state } = store;
  assert.equal(isComparable(state, head(0, 0), head(1, 1)), true);
  assert.equal(isComparable(state, head(0, 0, { stack: 1 }), head(0, 1, { stack: 1 })), true);
  assert.equal(isComparable(state, head(0, 0), head(0, 0, { stack: 1 })), false, "other tokens");
  assert.equal(isComparable(state, head(0, 0, { stack: 1 }), head(0, 0, { stack: 2 })), false, "other keys");
  assert.equal(isComparable(state, A, B), true);
  assert.equal(isComparable(state, head(0, 0, { stack: 1 }), B), false);
  assert.equal(isComparable(state, A, head(0, 0, { side: "b", stack: 1 })), false, "side b has no such attention");
  assert.equal(isComparable({ ...state, sides: { ...state.sides, b: null } }, A, B), false);
});

test("a pair with no cells in common has no sheet and says why, not before its tokens are known", () => {
  const store = ready();
  const [one, other] = [head(0, 0), head(0, 0, { stack: 2 })];
  assert.equal(whyIncomparable(store.state, one, other), "");
  answer(store, start(6, { stacks: threeStacks(3, 3) }));
  for (const what of [one, other]) arrive(store, what, uniform(3));
  assert.equal(sheetOf(store.state, difference(one, other), "raw"), null, "as many tokens, but not the same");
  assert.match(whyIncomparable(store.state, one, other), /different tokens/);
  assert.equal(whyIncomparable(store.state, one, head(1, 1)), "");
});
