// Exact values: each map once per analysis, both kinds where both are shown, none for what is gone or not in the boxes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { exactMaps, exactOf, mapQuestion, shownValues } from "../../../frontend/maps/exact.js";
import { sourceOf } from "../../../frontend/maps/sources.js";
import { ServerError, answerQuestions } from "../../../frontend/requests/answer_questions.js";
import { oneHead } from "../../../frontend/state/pins.js";
import { questionKey } from "../../../frontend/state/selectors.js";
import { answer, compared, ready, start, threeStacks } from "../small_answer.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const head = (layer, number, place = {}) => oneHead({ layer, head: number, ...place });
const words = { model: "both", text: "first example" };
const rollout = { kind: "rollout", side: "a", stack: 0, layer: 0 };
const exact = (...weights) => ({ weights: Float32Array.from(weights), exact: true });

/** A store whose questions are kept until the test answers them. */
function setUp(store = answered()) {
  const asked = [];
  answerQuestions(store, [exactMaps], (_, wish, signal) => new Promise((resolve, reject) => asked.push({ wish, signal, resolve, reject })));
  const cells = () => asked.map(({ wish }) => `${wish.combine} ${wish.cells?.map(({ layer, head }) => `${layer}.${head}`) ?? ""}`.trim());
  return { store, actions: store.actions, asked, cells };
}

function answered(n = 2) {
  const store = ready();
  answer(store, start(n));
  return store;
}

test("each pinned map is fetched once, and only when the run is over", async () => {
  const store = ready();
  const { actions, asked, cells } = setUp(store);
  actions.togglePin({ layer: 0, head: 1 });
  actions.sides.a.pend();
  actions.sides.a.begin(start(2));
  assert.equal(asked.length, 0);
  actions.sides.a.finish({});
  actions.togglePin({ layer: 0, head: 2 });
  actions.setMode("lines");
  actions.hover({ side: "a", queries: [0], keys: [] });
  assert.deepEqual(cells(), ["head 0.1", "head 0.2"]);
  const map = exact(1, 0, 0.5, 0.5);
  asked[0].resolve(map);
  await settled();
  assert.equal(exactOf(store.state, head(0, 1), "raw").answer, map);
  assert.equal(sourceOf(store.state, head(0, 1), "raw").weights, map.weights);
  assert.equal(sourceOf(store.state, head(0, 2), "raw"), null, "the other is still on its way");
});

test("the head in focus is fetched while the pointer rests elsewhere and nothing is pinned", () => {
  const { actions, cells } = setUp();
  actions.pointAt({ layer: 0, head: 1 });
  assert.deepEqual(cells(), [], "while the pointer moves over the grid the overview is enough");
  actions.pointAt(null);
  assert.deepEqual(cells(), ["head 0.1"]);
  actions.togglePin({ layer: 1, head: 0 });
  actions.pointAt({ layer: 0, head: 2 });
  actions.pointAt(null);
  assert.deepEqual(cells(), ["head 0.1", "head 1.0"], "pinned heads take its place");
});

test("a map that stands alone and in pairs is fetched once", () => {
  const { actions, cells } = setUp();
  const [one, other] = [head(0, 0), head(0, 1)];
  actions.pin({ kind: "difference", one, other });
  actions.pin({ kind: "agreement", one: other, other: one });
  actions.pin(one);
  actions.unpin(one);
  actions.pin(one);
  assert.deepEqual(cells(), ["head 0.0", "head 0.1"]);
});

test("both kinds of values are fetched where both are shown, each when it is wanted first", async () => {
  const { actions, asked } = setUp();
  actions.togglePin({ layer: 0, head: 0 });
  const kinds = () => asked.map(({ wish }) => wish.values ?? "raw");
  assert.deepEqual(kinds(), ["raw"]);
  actions.setView({ values: "both" });
  assert.deepEqual(kinds(), ["raw", "weighted"]);
  for (const { resolve } of asked) resolve(exact(1, 0, 0, 1));
  await settled();
  for (const values of ["weighted", "raw", "both"]) actions.setView({ values });
  assert.deepEqual(kinds(), ["raw", "weighted"]);
});

test("the same question asked again keeps what is known; another one starts anew", async () => {
  const { store, actions, asked, cells } = setUp();
  actions.togglePin({ layer: 0, head: 0 });
  actions.togglePin({ layer: 0, head: 1 });
  asked[0].resolve(exact(1, 0, 0.5, 0.5));
  await settled();
  answer(store, start(2));
  assert.equal(sourceOf(store.state, head(0, 0), "raw").exact, true);
  assert.deepEqual(cells(), ["head 0.0", "head 0.1", "head 0.1"], "only what was still on its way is fetched again");
  actions.editText("another text");
  answer(store, { ...start(2), id: "another" });
  assert.deepEqual(cells().slice(3), ["head 0.0", "head 0.1"]);
  assert.equal(sourceOf(store.state, head(0, 0), "raw"), null);
});

test("a map that was not to be had is asked for again when it is pinned again, and not before", async () => {
  const { store, actions, asked } = setUp();
  actions.togglePin({ layer: 0, head: 0 });
  asked[0].reject(new Error("lost on the way"));
  await settled();
  assert.match(exactOf(store.state, head(0, 0), "raw").problem.message, /lost on the way/);
  actions.togglePin({ layer: 0, head: 1 });
  actions.togglePin({ layer: 0, head: 1 });
  assert.equal(asked.length, 2);
  actions.togglePin({ layer: 0, head: 0 });
  actions.togglePin({ layer: 0, head: 0 });
  assert.deepEqual(asked[2].wish, asked[0].wish);
  assert.equal(exactOf(store.state, head(0, 0), "raw"), null, "what was said of the first time is no longer true");
});

test("rollout, alone or in a pair, is of raw maps whatever is shown", () => {
  for (const values of ["raw", "weighted", "both"]) {
    assert.deepEqual(shownValues({ values }, rollout), ["raw"]);
    assert.deepEqual(shownValues({ values }, { kind: "difference", one: head(0, 0), other: rollout }), ["raw"]);
    assert.deepEqual(shownValues({ values }, head(0, 0)), values === "both" ? ["raw", "weighted"] : [values]);
  }
  const { actions, asked } = setUp();
  actions.setView({ values: "weighted" });
  actions.pin(rollout);
  assert.deepEqual(asked.map(({ wish }) => wish), [{ ...words, combine: "rollout", up_to: 0 }]);
});

test("a map is asked for with the question, its heads and its attention, zeros and whole layers included", () => {
  const question = questionKey(words);
  const one = { question, stacks: start(2).stacks };
  const three = { question, stacks: threeStacks(3, 2) };
  const asked = (analysis, what, values = "raw") => mapQuestion(analysis, what, values);
  const place = { side: "a", stack: 0 };
  assert.deepEqual(asked(one, head(0, 0)), { ...words, combine: "head", cells: [{ layer: 0, head: 0 }] });
  assert.deepEqual(asked(one, head(0, 0), "weighted").values, "weighted");
  assert.deepEqual(asked(one, { kind: "mean", ...place, cells: [] }), { ...words, combine: "mean" });
  const cells = [{ layer: 0, head: null }, { layer: 1, head: 0 }];
  assert.deepEqual(asked(one, { kind: "max", ...place, cells }, "weighted"), { ...words, combine: "max", cells, values: "weighted" });
  assert.deepEqual(asked(one, rollout), { ...words, combine: "rollout", up_to: 0 });
  assert.equal("stack" in asked(one, head(0, 0)), false);
  assert.deepEqual([0, 1, 2].map((stack) => asked(three, head(0, 0, { stack })).stack), ["encoder", "decoder", "cross"]);
});

test("a second text and what was written on go along", () => {
  const store = ready();
  store.actions.editPair("second");
  store.actions.continueWith([0]);
  answer(store, start(2));
  const { actions, asked } = setUp(store);
  actions.togglePin({ layer: 0, head: 0 });
  assert.deepEqual([asked[0].wish.text_pair, asked[0].wish.continuation], ["second", [0]]);
});

test("another text aborts the fetches of the old one and their answers are ignored", async () => {
  const { store, actions, asked } = setUp();
  actions.togglePin({ layer: 0, head: 0 });
  actions.editText("another text");
  answer(store, start(2));
  assert.equal(asked.length, 2);
  assert.deepEqual([asked[0].signal.aborted, asked[1].signal.aborted], [true, false]);
  asked[0].resolve(exact(9, 9, 9, 9));
  asked[1].resolve(exact(1, 0, 0, 1));
  await settled();
  assert.deepEqual([...sourceOf(store.state, head(0, 0), "raw").weights], [1, 0, 0, 1]);
});

test("while another text is in the boxes nothing is fetched for the maps on screen", () => {
  const { store, actions, asked } = setUp();
  actions.editText("typed on");
  actions.togglePin({ layer: 0, head: 0 });
  actions.setView({ values: "both" });
  assert.equal(asked.length, 0);
  answer(store, start(3));
  assert.deepEqual(asked.map(({ wish }) => [wish.text, wish.values ?? "raw"]), [["typed on", "raw"], ["typed on", "weighted"]]);
});

test("a refusal is told once in the server's words, and not asked for again", async () => {
  const { store, actions, asked } = setUp();
  actions.togglePin({ layer: 0, head: 0 });
  asked[0].reject(new ServerError({ code: "no_values", message: "This family has none.", details: {} }));
  await settled();
  assert.equal(exactOf(store.state, head(0, 0), "raw").problem.message, "This family has none.");
  actions.setMode("lines");
  assert.equal(asked.length, 1);
  answer(store, start(2));
  assert.equal(asked.length, 2, "of a new answer it may be had");
  assert.equal(exactOf(store.state, head(0, 0), "raw"), null);
});

test("each side is asked for its own part of what is pinned, with its own question", () => {
  const { actions, asked } = setUp(compared(2));
  actions.pin({ kind: "difference", one: head(0, 0), other: head(0, 0, { side: "b" }) });
  assert.deepEqual(asked.map(({ wish }) => wish.text), ["first example", "other words"]);
  actions.pin(head(0, 0));
  actions.compareWith(null);
  assert.deepEqual(asked.map(({ signal }) => signal.aborted), [false, true]);
});

test("an attention that this model does not have is not asked for", () => {
  const { actions, asked } = setUp();
  actions.pin(head(0, 0, { stack: 2 }));
  assert.equal(asked.length, 0);
});

test("the head that is open in detail is fetched with its raw values, whatever the panels show", () => {
  const { actions, asked, cells } = setUp();
  actions.setView({ values: "weighted" });
  actions.openDetail({ side: "a", stack: 0, layer: 1, head: 2 });
  actions.openDetail(null);
  actions.openDetail({ side: "b", stack: 0, layer: 0, head: 0 });
  assert.deepEqual(cells(), ["head 1.2"]);
  assert.equal(asked[0].wish.values, undefined);
});
