// What every head looks at from the position that predicts, from a step's own rows or from the maps on screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { next } from "../../../frontend/generate/next.js";
import { lookInWords, onSinks, sharesOf, shortWeight, stepOf, strongestLook, watchedToken } from "../../../frontend/generate/step_rows.js";
import { weightOfCode } from "../../../frontend/requests/wire.js";
import { tell } from "../small_answer.js";
import { read, rowsBefore, writerStore, written } from "../small_writer.js";

const DIM = { hide: "none", sinks: "dim" };
const lock = (queries, keys, side = "a") => ({ side, queries, keys });

/** A store that writes and has come to its second token. */
function writing() {
  const store = writerStore(3);
  store.actions.beginWriting();
  store.actions.startWriting(store.state.sides.a.analysis.tokens);
  store.actions.write(written(3, 8), rowsBefore(3));
  store.actions.write(written(4, 9), rowsBefore(4));
  return store;
}

test("while tokens are written the rows are those that led to the last one", () => {
  const step = stepOf(writing().state);
  assert.deepEqual([step.position, step.tokens.length, step.exact], [3, 4, true]);
  assert.equal(step.tokens[3].text, "t8", "the token before it looks");
  assert.deepEqual([1, 2].map((head) => strongestLook(step, 0, head, DIM).key), [1, 2]);
  assert.deepEqual(strongestLook(step, 0, 0, DIM), { key: 1, weight: 0 }, "the first token is no answer while there are others");
  assert.deepEqual(strongestLook(step, 1, 0, DIM), { key: 3, weight: 1 }, "layer 1 comes after all heads of layer 0");
});

test("otherwise they are the last rows of the maps on screen", () => {
  const store = writerStore(3);
  const step = stepOf(store.state);
  assert.deepEqual([step.position, step.exact], [2, false]);
  const frame = store.state.sides.a.analysis.layers.get(1);
  const codes = [6, 7, 8].map((at) => frame.values[2 * 9 + at]);
  assert.deepEqual([...step.row(1, 2)], codes.map((code) => Math.fround(weightOfCode(code))));
});

test("a layer that has not come has no rows", () => {
  const store = writerStore(3);
  store.state.sides.a.analysis.layers.delete(1);
  const step = stepOf(store.state);
  assert.equal(step.row(1, 0), null);
  assert.equal(strongestLook(step, 1, 0, DIM), null);
  assert.equal(onSinks(step, 1, 0), null);
  store.state.sides.a.analysis.layers.delete(0);
  assert.equal(stepOf(store.state), null, "nor is there anything to show before the first");
});

test("an end token that a template adds predicts nothing: the token before it does", () => {
  const store = writerStore(3);
  tell(store, next, { n_tokens: 2 });
  assert.equal(stepOf(store.state).position, 1);
});

test("pooled maps have no rows of single tokens: those of the last step stay while its text does", () => {
  const store = writerStore(3);
  read(store, 4, { rows: 2, cols: 2 });
  assert.equal(stepOf(store.state), null);
  store.actions.beginWriting();
  store.actions.startWriting(store.state.sides.a.analysis.tokens);
  store.actions.write(written(4, 8), rowsBefore(4));
  store.actions.endWriting({ reason: "length", problem: null, ms: null });
  store.actions.continueWith([8]);
  assert.equal(stepOf(store.state), null, "the maps on screen are of the shorter text");
  read(store, 5, { rows: 3, cols: 3 });
  assert.equal(stepOf(store.state).position, 3);
  store.actions.continueWith([9]);
  read(store, 5, { rows: 3, cols: 3 });
  assert.equal(stepOf(store.state), null);
});

test("nothing is said of a text that is not the one in the boxes", () => {
  const store = writerStore();
  store.actions.editText("other");
  assert.equal(stepOf(store.state), null);
});

test("hidden tokens are not looked at, dimmed sinks only where there is no other", () => {
  const tokens = [{ kind: "word_start" }, { kind: "word_start" }, { kind: "special" }, { kind: "word_start" }];
  const step = { tokens, row: () => [0.4, 0.1, 0.3, 0.2] };
  const keys = (sinks) => ["none", "first", "special", "both"].map((hide) => strongestLook(step, 0, 0, { hide, sinks }).key);
  assert.deepEqual(keys("show"), [0, 2, 0, 3]);
  assert.deepEqual(keys("dim"), [3, 3, 3, 3]);
  assert.equal(Math.round(10 * onSinks(step, 0, 0)), 7, "the first and the special one");
  const alone = { tokens: [tokens[0], tokens[2]], row: () => [0.75, 0.25] };
  assert.deepEqual(strongestLook(alone, 0, 0, DIM), { key: 0, weight: 0.75 });
});

test("each token has its mean weight in all heads whose rows are here, and the head that gives it most", () => {
  const rows = [[0.5, 0.25, 0.25], [0.75, 0, 0.25], null, [0.25, 0.5, 0.25]];
  const step = { tokens: Array(3).fill({}), n_layers: 2, n_heads: 2, row: (layer, head) => rows[2 * layer + head] };
  const shares = sharesOf(step);
  assert.deepEqual(shares.map(({ share }) => share), [0.5, 0.25, 0.25]);
  assert.deepEqual(shares.map(({ layer, head, weight }) => [layer, head, weight]), [[0, 1, 0.75], [1, 1, 0.5], [0, 0, 0.25]]);
  assert.deepEqual(sharesOf({ ...step, row: () => null }), []);
});

test("the token in focus is watched, as a key or by itself, unless it is the one that looks", () => {
  const step = { position: 4, tokens: Array(5) };
  assert.equal(watchedToken({ lock: null, hover: null }, step), null);
  assert.equal(watchedToken({ lock: lock([4], [0]), hover: null }, step), 0);
  assert.equal(watchedToken({ lock: lock([2], []), hover: lock([1], []) }, step), 1, "what is pointed at comes first");
  assert.equal(watchedToken({ lock: lock([4], []), hover: null }, step), null);
  assert.equal(watchedToken({ lock: null, hover: lock([1], []) }, step), 1);
  assert.equal(watchedToken({ lock: lock([1], [], "b"), hover: null }, step), null);
  assert.equal(watchedToken({ lock: lock([], [7]), hover: null }, step), null);
});

test("a look in words is short, and says when it is about", () => {
  const tokens = [{ text: "The" }, { text: "tired" }];
  assert.equal(lookInWords({ tokens, exact: true }, { key: 1, weight: 0.714 }), "→ tired ·1 .71");
  assert.equal(lookInWords({ tokens, exact: false }, { key: 0, weight: 1 }), "→ The ·0 about 1.00");
  assert.equal(shortWeight(0), ".00");
});
