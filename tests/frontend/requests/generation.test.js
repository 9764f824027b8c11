// Tokens that a model writes: they become part of the text all at once, none is shown for another text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { branchesOf, idsOf } from "../../../frontend/generate/branches.js";
import { isWriting, next } from "../../../frontend/generate/next.js";
import { answerQuestions } from "../../../frontend/requests/answer_questions.js";
import { Generation } from "../../../frontend/requests/generation.js";
import { onSide } from "../../../frontend/state/sides.js";
import { samplingChoice } from "../../../frontend/tabs/generate/sampling_choice.js";
import { read, rowsBefore, writerStore, written } from "../small_writer.js";

const timing = { total_ms: 30, load_ms: 10 };
const seen = ({ state }) => onSide(state, "a");
const continuationOf = ({ state }) => state.sides.a.continuation;

/** A writer whose socket is the test's. */
function setUp(store = writerStore()) {
  const sent = [];
  const generation = new Generation("ws://x", store);
  const { stream } = generation;
  const { handlers } = stream;
  Object.assign(stream, { open: () => sent.push("open"), ask: (question) => sent.push(question), cancel: () => sent.push("cancel") });
  const say = (type, more = {}) => handlers.message({ type, ...more });
  const token = (index, id) => {
    say("token", written(index, id));
    handlers.frame(rowsBefore(index));
  };
  const write = (n = 20) => generation.write({ ...samplingChoice.of(store.state), n });
  return { store, generation, sent, say, token, write };
}

test("the text goes to the socket with how to choose, a temperature of 0 and a seed of 0 included", () => {
  const { store, sent, write } = setUp();
  write(7);
  const asked = { model: "writer", text: "first example", n: 7, temperature: 0, top_k: null, seed: 0 };
  assert.deepEqual(sent, ["open", asked]);
  assert.ok(isWriting(store.state));
  write(7);
  assert.equal(sent.length, 2, "one text at a time");
});

test("tokens are shown as they come and become part of the text when all are there", () => {
  const { store, say, token, write } = setUp();
  const questions = [];
  store.subscribe((state) => questions.push(state.sides.a.continuation));
  write(2);
  say("start", { tokens: seen(store).analysis.tokens });
  token(3, 8);
  token(4, 0);
  assert.deepEqual(store.state.writing.tokens.map(({ id }) => id), [8, 0]);
  assert.ok(questions.every((ids) => ids.length === 0), "the analysis is not asked again for each token");
  say("done", { reason: "length", timing });
  assert.deepEqual(continuationOf(store), [8, 0]);
  assert.deepEqual([store.state.writing.reason, store.state.writing.ms], ["length", 20]);
  assert.ok(!isWriting(store.state));
});

test("a token waits for the rows that led to it", () => {
  const { store, generation, say, write } = setUp();
  write(2);
  say("start", { tokens: [] });
  say("token", written(3, 8));
  assert.deepEqual(store.state.writing.tokens, []);
  generation.stop();
  assert.deepEqual(continuationOf(store), []);
});

test("stopping keeps what is written, after what was written before", () => {
  const store = writerStore();
  store.actions.continueWith([5]);
  read(store, 4);
  const { generation, sent, say, token, write } = setUp(store);
  write();
  say("start", { tokens: [] });
  token(4, 8);
  generation.stop();
  assert.equal(sent.at(-1), "cancel");
  assert.deepEqual(continuationOf(store), [5, 8]);
  assert.equal(store.state.writing.reason, "stopped");
});

test("a change of text, model or continuation stops the writing, and what was written is kept as a branch of the old text", () => {
  for (const change of [(actions) => actions.editText("other"), (actions) => actions.chooseModel("both"), (actions) => actions.continueWith([9])]) {
    const { store, sent, say, token, write } = setUp();
    const before = store.views.pick(store.state);
    write();
    say("start", { tokens: seen(store).analysis.tokens });
    token(3, 8);
    token(4, 6);
    change(store.actions);
    assert.equal(sent.at(-1), "cancel");
    assert.equal(store.state.writing, null);
    assert.ok(!continuationOf(store).includes(8));
    store.actions.restore(before);
    assert.deepEqual(branchesOf(seen(store)).map(idsOf), [[8, 6]], String(change));
  }
});

test("a branch of writing that was left has what was written before it", () => {
  const { store, say, token, write } = setUp();
  store.actions.continueWith([5]);
  read(store, 4);
  write();
  say("start", { tokens: seen(store).analysis.tokens });
  token(4, 8);
  const { model, text } = seen(store);
  store.actions.editText("other");
  assert.deepEqual(branchesOf(seen(store)), []);
  assert.deepEqual(branchesOf({ ...seen(store), model, text }).map(idsOf), [[3, 8]], "the made-up answer numbers its tokens by their places");
  write();
  store.actions.editText("a third");
  assert.equal(store.state.branches.size, 1, "where nothing was written there is no branch");
});

test("the end of writing asks for the next token once, of the text with what was written", () => {
  const { store, say, token, write } = setUp();
  const fetched = [];
  answerQuestions(store, [next], (_, question) => new Promise(() => fetched.push(question.continuation ?? [])));
  store.actions.setView({ scale: "log" });
  write(1);
  say("start", { tokens: seen(store).analysis.tokens });
  token(3, 7);
  say("done", { reason: "length", timing });
  read(store, 4);
  assert.deepEqual(fetched, [[], [7]]);
});

test("a look at other things does not stop it", () => {
  const { store, sent, say, token, write } = setUp();
  write();
  say("start", { tokens: [] });
  token(3, 8);
  store.actions.setView({ scale: "log", tab: "heads" });
  store.actions.choose(samplingChoice, { ...samplingChoice.usual, temperature: 1 });
  assert.ok(!sent.includes("cancel"));
  assert.equal(store.state.writing.tokens.length, 1);
});

test("a connection that was lost writes the same text again from its beginning", () => {
  const { store, say, token, write } = setUp();
  write();
  say("start", { tokens: [] });
  token(3, 8);
  say("start", { tokens: [] });
  token(3, 8);
  say("done", { reason: "end", timing });
  assert.deepEqual(continuationOf(store), [8]);
});

test("a refusal is told, and what was written before it stays", () => {
  const { store, say, token, write } = setUp();
  write();
  say("progress", { message: "Loading" });
  assert.equal(store.state.writing.message, "Loading");
  say("start", { tokens: [] });
  token(3, 8);
  say("error", { error: { code: "out_of_memory", message: "No room.", details: null } });
  assert.deepEqual(continuationOf(store), [8]);
  assert.equal(store.state.writing.problem.message, "No room.");
});
