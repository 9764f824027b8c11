// Rows of the token in focus: asked for in long texts alone, once each, the latest alone while the pointer moves.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { exactRows, exactRowsOf } from "../../../frontend/maps/exact_rows.js";
import { answerQuestions } from "../../../frontend/requests/answer_questions.js";
import { sendQuestion } from "../../../frontend/requests/api.js";
import { answer, compared, comparisonOf, overview, ready, start, threeStacks } from "../small_answer.js";

const LONG = 129;
const place = { side: "a", stack: 0 };
const words = { model: "both", text: "first example" };
const settled = () => new Promise((resolve) => setImmediate(resolve));
const token = (query, side = "a") => ({ side, queries: [query], keys: [] });
const rows = { layers: 2, heads: 3, n_keys: LONG, weights: new Float32Array(2 * 3 * LONG) };

/** The first layer of each attention, pooled where it has more tokens than an overview has cells. */
function showMaps({ actions, state }, side = "a") {
  for (const { stack, queries, keys } of state.sides[side].analysis.stacks) {
    const [n_queries, n_keys] = [queries, keys].map(([first, end]) => end - first);
    const [rows, cols] = [n_queries, n_keys].map((n) => Math.ceil(n / Math.ceil(n / 128)));
    actions.sides[side].receive(overview(0, 1, { stack, rows, cols, n_queries, n_keys, pooled: rows < n_queries || cols < n_keys }));
  }
}

function answered(n = LONG, more = {}) {
  const store = ready();
  answer(store, start(n, more));
  showMaps(store);
  return store;
}

/** A store whose questions are kept until the test answers them. */
function setUp(store = answered()) {
  const asked = [];
  answerQuestions(store, [exactRows], (_, wish, signal) => new Promise((resolve, reject) => asked.push({ wish, signal, resolve, reject })));
  return { store, actions: store.actions, asked, queries: () => asked.map(({ wish }) => wish.query) };
}

test("the hovered token is asked for once, token 0 included, and its answer found again", async () => {
  const { store, actions, asked } = setUp();
  assert.equal(asked.length, 0);
  actions.hover(token(0));
  actions.setMode("lines");
  assert.deepEqual(asked.map(({ wish }) => wish), [{ ...words, query: 0 }]);
  assert.equal(exactRowsOf(store.state, place, 0), null);
  asked[0].resolve(rows);
  await settled();
  assert.equal(exactRowsOf(store.state, place, 0), rows);
  assert.equal(exactRowsOf(store.state, place, 1), null);
  actions.hover(null);
  actions.hover(token(0));
  assert.equal(asked.length, 1);
});

test("while the pointer moves quickly only the latest token is under way", async () => {
  const { store, actions, asked, queries } = setUp();
  for (let query = 0; query < 40; query += 1) actions.hover(token(query));
  assert.deepEqual(asked.filter(({ signal }) => !signal.aborted).map(({ wish }) => wish.query), [39]);
  asked[3].resolve(rows);
  asked[39].resolve(rows);
  await settled();
  assert.equal(exactRowsOf(store.state, place, 3), null, "what was left behind is dropped");
  assert.equal(exactRowsOf(store.state, place, 39), rows);
  actions.hover(null);
  assert.equal(queries().length, 40);
});

test("answers of the last tokens are kept, older ones are not", async () => {
  const { store, actions, asked } = setUp();
  for (let query = 0; query < 20; query += 1) {
    actions.hover(token(query));
    asked[query].resolve(rows);
    await settled();
  }
  actions.hover(null);
  const known = Array.from({ length: 20 }, (_, query) => exactRowsOf(store.state, place, query) !== null);
  assert.deepEqual(known, [...Array(4).fill(false), ...Array(16).fill(true)]);
});

test("a token that is pointed at is asked for, then the locked one again", () => {
  const { actions, queries } = setUp();
  actions.toggleLock(token(5));
  assert.deepEqual(queries(), [5]);
  actions.hover(token(7));
  assert.deepEqual(queries().at(-1), 7);
});

test("several tokens, a key or a link ask nothing", () => {
  const { actions, asked } = setUp();
  for (const [queries, keys] of [[[1, 2], []], [[], [3]], [[1], [2]]]) actions.hover({ side: "a", queries, keys });
  actions.toggleLock({ side: "a", queries: [1, 2], keys: [] });
  assert.equal(asked.length, 0);
});

test("a text whose overview shows every token asks nothing", () => {
  const { actions, asked } = setUp(answered(128));
  actions.hover(token(3));
  assert.equal(asked.length, 0);
});

test("nothing is asked before the run is over, nor of an older text, nor of a token that is not there", () => {
  const store = ready();
  const { actions, asked, queries } = setUp(store);
  actions.sides.a.pend();
  actions.sides.a.begin(start(LONG));
  showMaps(store);
  actions.hover(token(3));
  assert.equal(asked.length, 0);
  actions.sides.a.finish({});
  assert.deepEqual(queries(), [3]);
  actions.editText("typed on");
  assert.equal(asked[0].signal.aborted, true);
  actions.toggleLock(token(4));
  assert.equal(asked.length, 1);
  answer(store, start(LONG));
  showMaps(store);
  actions.hover(token(LONG));
  assert.equal(asked.length, 1);
  actions.hover(token(LONG - 1));
  assert.deepEqual(asked.slice(1).map(({ wish }) => [wish.text, wish.query]), [["typed on", LONG - 1]]);
});

test("value-weighted rows are asked for where the grid shows value-weighted maps", async () => {
  const { store, actions, asked } = setUp();
  actions.setView({ values: "weighted" });
  actions.hover(token(1));
  asked[0].resolve(rows);
  await settled();
  assert.equal(asked[0].wish.values, "weighted");
  assert.equal(exactRowsOf(store.state, place, 1), rows);
  actions.setView({ values: "both" });
  assert.equal(exactRowsOf(store.state, place, 1), null);
  assert.equal("values" in asked[1].wish, false);
});

test("of an encoder-decoder every pooled attention that looks from the token is asked, by name", () => {
  const { actions, asked } = setUp(answered(LONG + 5, { stacks: threeStacks(LONG, 5) }));
  const told = () => asked.splice(0).map(({ wish }) => [wish.stack, wish.query]);
  actions.hover(token(2));
  assert.deepEqual(told(), [["encoder", 2]]);
  actions.hover(token(LONG));
  assert.deepEqual(told(), [["cross", LONG]], "the decoder's own maps are short and show every token");
});

test("of two sides each is asked for its own token", () => {
  const store = compared(LONG);
  for (const side of ["a", "b"]) showMaps(store, side);
  const units = comparisonOf(LONG).units;
  const { actions, asked } = setUp(store);
  const [question] = comparison.questions(store.state);
  actions.keepAnswers(comparison, new Map([[JSON.stringify(question), { question, answer: { units, same_model: true, heads: [] }, problem: null }]]));
  actions.hover(token(6));
  assert.deepEqual(asked.map(({ wish }) => [wish.text, wish.query]), [["first example", 6], ["other words", 6]]);
});

test("an attention that this model does not have, and a refusal, give no rows", async () => {
  const { store, actions, asked } = setUp();
  actions.hover(token(1));
  asked[0].reject(new Error("lost on the way"));
  await settled();
  assert.equal(exactRowsOf(store.state, place, 1), null);
  assert.equal(exactRowsOf(store.state, { side: "a", stack: 2 }, 1), null);
  assert.equal(exactRowsOf(store.state, { side: "b", stack: 0 }, 1), null);
});

test("the server's frame of rows is read as rows", async (t) => {
  const buffer = new ArrayBuffer(32 + 4 * 6);
  const view = new DataView(buffer);
  [..."HSCP"].forEach((letter, at) => view.setUint8(at, letter.charCodeAt(0)));
  [1, 3, 2, 0].forEach((value, at) => view.setUint8(4 + at, value));
  [[8, 3], [12, 3]].forEach(([at, value]) => view.setUint16(at, value, true));
  [1, 2, 1, 2].forEach((value, at) => view.setUint32(16 + 4 * at, value, true));
  [1, 0, 0.5, 0.5, 0.25, 0.75].forEach((weight, at) => view.setFloat32(32 + 4 * at, weight, true));
  const sent = [];
  t.mock.method(globalThis, "fetch", async (...parts) => sent.push(parts) && new Response(buffer));
  const question = { ...words, query: 1 };
  const answer = await sendQuestion(exactRows, question, new AbortController().signal);
  assert.deepEqual(answer, { layers: 3, heads: 1, n_keys: 2, weights: Float32Array.of(1, 0, 0.5, 0.5, 0.25, 0.75) });
  const [address, { headers, body }] = sent[0];
  assert.equal(address, "/api/v1/rows");
  assert.equal(headers.Accept, "application/vnd.headscope.frame");
  assert.deepEqual(JSON.parse(body), question);
});
