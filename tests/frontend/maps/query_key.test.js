// The steps behind one weight: which pair is meant, when they are asked for, and what is said of the numbers.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { exactMaps } from "../../../frontend/maps/exact.js";
import {
  largest,
  largestInWords,
  numberInFull,
  pairOf,
  queryKey,
  queryKeyQuestion,
  refusalOf,
  runningSums,
  scaleInWords,
  sharesOfKeys,
  strongestPair,
} from "../../../frontend/maps/query_key.js";
import { generator } from "../random.js";
import { answer, compared, comparisonOf, ready, start, tell, threeStacks } from "../small_answer.js";

const place = { side: "a", stack: 0, layer: 1, head: 2 };
const lock = (queries, keys, side = "a") => ({ side, queries, keys });

/** A store with the detail of a head open, and its exact map here. */
function opened(weights, { stacks, causal = false, n = 3, where = place } = {}) {
  const store = ready();
  const message = start(n, stacks ? { stacks } : {});
  answer(store, { ...message, stacks: message.stacks.map((stack) => ({ ...stack, causal })) });
  store.actions.openDetail(where);
  tell(store, exactMaps, { weights: Float32Array.from(weights), exact: true });
  return store;
}

const MAP = [0.5, 0.3, 0.2, 0.1, 0.1, 0.8, 0.6, 0.2, 0.2];

test("a locked query and key are the pair, tokens 0 included", () => {
  const { state } = opened(MAP);
  assert.deepEqual(pairOf({ ...state, lock: lock([0], [0]) }), { query: 0, key: 0 });
  assert.deepEqual(pairOf({ ...state, lock: lock([2], [1]) }), { query: 2, key: 1 });
  assert.deepEqual(pairOf({ ...state, hover: lock([2], [1]) }), { query: 2, key: 1 });
});

test("where the focus leaves a choice the strongest link within it is taken", () => {
  const { state } = opened(MAP);
  assert.deepEqual(pairOf(state), { query: 1, key: 2 });
  assert.deepEqual(pairOf({ ...state, lock: lock([2], []) }), { query: 2, key: 0 });
  assert.deepEqual(pairOf({ ...state, lock: lock([], [1]) }), { query: 0, key: 1 });
  assert.deepEqual(pairOf({ ...state, lock: lock([0, 2], [1, 2]) }), { query: 0, key: 1 });
});

test("the strongest link of a causal head is of a query that has a choice", () => {
  const causal = [1, 0, 0, 0.4, 0.6, 0, 0.7, 0.2, 0.1];
  assert.deepEqual(pairOf(opened(causal, { causal: true }).state), { query: 2, key: 0 });
  const alone = { weights: Float32Array.of(1), causal: true, queries: [{ index: 0 }], keys: [{ index: 0 }] };
  assert.deepEqual(strongestPair(alone, [], []), { query: 0, key: 0 });
});

test("without exact weights no link is taken for the strongest", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.openDetail(place);
  assert.equal(pairOf(store.state), null);
  assert.equal(queryKeyQuestion(store.state), null);
  assert.equal(pairOf({ ...store.state, detail: null }), null);
});

test("the strongest pair has the largest weight of all", () => {
  const random = generator(31);
  for (let round = 0; round < 50; round += 1) {
    const [rows, cols] = [1 + random.below(6), 1 + random.below(6)];
    const weights = Float32Array.from({ length: rows * cols }, random.next);
    const tokens = (count, from) => Array.from({ length: count }, (_, at) => ({ index: from + at }));
    const source = { weights, causal: false, queries: tokens(rows, 4), keys: tokens(cols, 9) };
    const { query, key } = strongestPair(source, [], []);
    assert.equal(weights[(query - 4) * cols + key - 9], Math.max(...weights));
  }
});

test("a stack of several is named, and tokens outside of it are no focus", () => {
  const where = { side: "a", stack: 2, layer: 0, head: 1 };
  const { state } = opened([0.1, 0.9, 0.8, 0.2], { n: 4, stacks: threeStacks(2, 2), where });
  assert.deepEqual(pairOf({ ...state, lock: lock([0], [1]) }), { query: 2, key: 1 }, "token 0 never looks in this stack");
  assert.deepEqual(queryKeyQuestion({ ...state, lock: lock([3], [0]) }), {
    ...{ model: "both", text: "first example", stack: "cross" },
    ...{ layer: 0, head: 1, query: 3, key: 0 },
  });
});

test("on side b the other text is asked, and a focus on side a counts for what stands opposite", () => {
  const store = compared(3);
  tell(store, comparison, comparisonOf(3));
  store.actions.openDetail({ ...place, side: "b" });
  const state = { ...store.state, lock: lock([1], [2]) };
  const asked = { model: "both", text: "other words", layer: 1, head: 2, query: 1, key: 2 };
  assert.deepEqual(queryKeyQuestion(state), asked);
  assert.deepEqual(queryKeyQuestion({ ...state, lock: lock([3], [0], "b") }), { ...asked, query: 3, key: 0 });
});

test("nothing is asked of a text that is not the one in the boxes, nor while it runs", () => {
  const { state } = opened(MAP);
  const changed = (change) => queryKeyQuestion({ ...state, sides: { ...state.sides, a: { ...state.sides.a, ...change } } });
  assert.notEqual(changed({}), null);
  assert.equal(changed({ text: "other" }), null);
  assert.equal(changed({ continuation: [1] }), null);
  assert.equal(changed({ run: { ...state.sides.a.run, phase: "streaming" } }), null);
});

test("an answer is shown for its own pair alone, and none for another text", () => {
  const store = opened(MAP);
  store.actions.setView({ lock: lock([0], [1]) });
  tell(store, queryKey, "steps");
  assert.equal(queryKey.of(store.state).answer, "steps");
  store.actions.setView({ scale: "log" });
  assert.equal(queryKey.of(store.state).answer, "steps");
  store.actions.setView({ lock: lock([0], [2]) });
  assert.equal(queryKey.of(store.state), null);
  store.actions.editText("another text");
  assert.deepEqual([queryKey.of(store.state), pairOf(store.state)], [null, null]);
});

test("where the exact map is refused it is said why the strongest link will not be known", () => {
  const store = ready();
  answer(store, start(3));
  assert.equal(refusalOf(store.state), null);
  store.actions.openDetail(place);
  tell(store, exactMaps, null, undefined, { code: "out_of_memory", message: "Too long.", details: null });
  assert.equal(refusalOf(store.state), "Too long.");
});

test("the running sum ends in the dot product and grows by each product", () => {
  const product = [1, -2, 0, 3.5];
  assert.deepEqual(runningSums(product), [1, -1, -1, 2.5]);
  assert.deepEqual(runningSums([]), []);
});

test("the largest products count by size, whatever their sign, and are told with their numbers", () => {
  const product = [0.5, -3, 0, 2, -0.1, 1, 0.7];
  assert.deepEqual(largest(product, 3), [{ dimension: 1, value: -3 }, { dimension: 3, value: 2 }, { dimension: 5, value: 1 }]);
  const words = largestInWords({ product, dot: 1.1 });
  assert.equal(
    words,
    "The largest products are those of dimensions 1 (−3.0000), 3 (+2.0000), 5 (+1.0000), 6 (+0.7000), 0 (+0.5000): together +1.2000 of +1.1000.",
  );
});

test("small numbers are not written as zero", () => {
  assert.equal(numberInFull(0), "0.0000");
  assert.equal(numberInFull(-1.23456), "−1.2346");
  assert.equal(numberInFull(0.0000123), "1.23e−5");
});

test("the scale is explained", () => {
  const q = new Array(64).fill(0);
  assert.equal(scaleInWords({ scale: 0.125, q }), "The scale is 1 / √64, for 64 dimensions.");
  assert.equal(scaleInWords({ scale: 1, q }), "This model does not scale its scores.");
  assert.equal(scaleInWords({ scale: 0.3, q }), "The scale is this model's own.");
});

test("the chosen key is always listed, all shares sum to one, and hidden keys are counted apart", () => {
  const steps = { weights: [0.1, 0.5, 0.05, 0.35, 0], scores: [1, 2, 0, 1.5, null], keys: [10, 15], key: 12 };
  assert.deepEqual(sharesOfKeys(steps, 2), {
    shown: [{ key: 11, weight: 0.5 }, { key: 12, weight: 0.05 }],
    others: 2,
    rest: 0.44999999999999996,
    hidden: 1,
  });
  const unseen = sharesOfKeys({ ...steps, key: 14 }, 8);
  assert.deepEqual(unseen.shown.map(({ key }) => key), [11, 13, 10, 12, 14]);
  assert.deepEqual([unseen.others, unseen.rest, unseen.hidden], [0, 0, 0]);
});
