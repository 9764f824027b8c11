// A model that writes on: tokens become part of the text all at once, none is shown for another text.

import assert from "node:assert/strict";
import { test } from "node:test";

import { branchesOf, idsOf } from "../../../frontend/generate/branches.js";
import { Generation, isWriting, nextQuestion, shownNext } from "../../../frontend/generate/generation.js";
import { writes } from "../../../frontend/state/selectors.js";
import { viewOf } from "../../../frontend/state/view.js";
import { percentText } from "../../../frontend/tabs/generate/candidates.js";
import { numberWithin, samplingInWords } from "../../../frontend/tabs/generate/sampling.js";
import { read, rowsBefore, writerStore, written } from "../small_writer.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const timing = { total_ms: 30, load_ms: 10 };

/** A writer whose socket and candidates are the test's. */
function setUp(store = writerStore()) {
  const [sent, fetched] = [[], []];
  let handlers = null;
  class StreamClass {
    constructor(_, given) {
      handlers = given;
    }
    open() {
      sent.push("open");
    }
    ask(question) {
      sent.push(question);
    }
    cancel() {
      sent.push("cancel");
    }
  }
  const fetchOne = (wish, signal) => new Promise((resolve, reject) => fetched.push({ wish, signal, resolve, reject }));
  const generation = new Generation("ws://x", { state: () => store.state, actions: store.actions }, { fetchOne, StreamClass });
  store.subscribe(() => generation.want());
  generation.want();
  const say = (type, more = {}) => handlers.message({ type, ...more });
  const token = (index, id) => {
    say("token", written(index, id));
    handlers.frame(rowsBefore(index));
  };
  return { store, generation, sent, fetched, say, token };
}

test("only causal models write", () => {
  const { state } = writerStore();
  assert.ok(writes(state));
  assert.ok(!writes({ ...state, model: "both" }));
});

test("as many tokens as are chosen at that moment are asked for", () => {
  const { store, generation, sent } = setUp();
  store.actions.sample({ n: 5 });
  generation.write();
  assert.equal(sent[1].n, 5);
});

test("the text goes to the socket with how to choose, a temperature of 0 and a seed of 0 included", () => {
  const { store, generation, sent } = setUp();
  generation.write(7);
  const asked = { model: "writer", text: "first example", n: 7, temperature: 0, top_k: null, seed: 0 };
  assert.deepEqual(sent, ["open", asked]);
  assert.ok(isWriting(store.state));
  generation.write(7);
  assert.equal(sent.length, 2, "one text at a time");
});

test("tokens are shown as they come and become part of the text when all are there", () => {
  const { store, generation, say, token } = setUp();
  const questions = [];
  store.subscribe((state) => questions.push(state.continuation));
  generation.write(2);
  say("start", { tokens: store.state.analysis.tokens });
  token(3, 8);
  token(4, 0);
  assert.deepEqual(store.state.writing.tokens.map(({ id }) => id), [8, 0]);
  assert.ok(questions.every((ids) => ids.length === 0), "the analysis is not asked again for each token");
  say("done", { reason: "length", timing });
  assert.deepEqual(store.state.continuation, [8, 0]);
  assert.deepEqual([store.state.writing.reason, store.state.writing.ms], ["length", 20]);
  assert.ok(!isWriting(store.state));
});

test("a token waits for the rows that led to it", () => {
  const { store, generation, say } = setUp();
  generation.write(2);
  say("start", { tokens: [] });
  say("token", written(3, 8));
  assert.deepEqual(store.state.writing.tokens, []);
  generation.stop();
  assert.deepEqual(store.state.continuation, []);
});

test("stopping keeps what is written, after what was written before", () => {
  const store = writerStore();
  store.actions.continueWith([5]);
  read(store, 4);
  const { generation, sent, say, token } = setUp(store);
  generation.write(20);
  say("start", { tokens: [] });
  token(4, 8);
  generation.stop();
  assert.equal(sent.at(-1), "cancel");
  assert.deepEqual(store.state.continuation, [5, 8]);
  assert.equal(store.state.writing.reason, "stopped");
});

test("a change of text, model or continuation stops the writing, and what was written is kept as a branch of the old text", () => {
  for (const change of [(actions) => actions.editText("other"), (actions) => actions.chooseModel("both"), (actions) => actions.continueWith([9])]) {
    const { store, generation, sent, say, token } = setUp();
    const before = viewOf(store.state);
    generation.write(20);
    say("start", { tokens: store.state.analysis.tokens });
    token(3, 8);
    token(4, 6);
    change(store.actions);
    assert.equal(sent.at(-1), "cancel");
    assert.equal(store.state.writing, null);
    assert.ok(!store.state.continuation.includes(8));
    store.actions.restore(before);
    assert.deepEqual(branchesOf(store.state).map(idsOf), [[8, 6]], String(change));
  }
});

test("a branch of writing that was left has what was written before it", () => {
  const { store, generation, say, token } = setUp();
  store.actions.continueWith([5]);
  read(store, 4);
  generation.write(20);
  say("start", { tokens: store.state.analysis.tokens });
  token(4, 8);
  const { model, text } = store.state;
  store.actions.editText("other");
  assert.deepEqual(branchesOf(store.state), []);
  assert.deepEqual(branchesOf({ ...store.state, model, text }).map(idsOf), [[3, 8]], "the made-up answer numbers its tokens by their places");
  generation.write(20);
  store.actions.editText("a third");
  assert.equal(store.state.branches.size, 1, "where nothing was written there is no branch");
});

test("the end of writing asks for the next token once, of the text with what was written", () => {
  const { store, generation, fetched, say, token } = setUp();
  generation.write(1);
  say("start", { tokens: store.state.analysis.tokens });
  token(3, 7);
  say("done", { reason: "length", timing });
  read(store, 4);
  assert.deepEqual(fetched.map(({ wish }) => wish.continuation ?? []), [[], [7]]);
});

test("a look at other things does not stop it", () => {
  const { store, generation, sent, say, token } = setUp();
  generation.write(20);
  say("start", { tokens: [] });
  token(3, 8);
  store.actions.look({ scale: "log", tab: "heads" });
  store.actions.sample({ temperature: 1 });
  assert.ok(!sent.includes("cancel"));
  assert.equal(store.state.writing.tokens.length, 1);
});

test("a connection that was lost writes the same text again from its beginning", () => {
  const { store, generation, say, token } = setUp();
  generation.write(20);
  say("start", { tokens: [] });
  token(3, 8);
  say("start", { tokens: [] });
  token(3, 8);
  say("done", { reason: "end", timing });
  assert.deepEqual(store.state.continuation, [8]);
});

test("a refusal is told, and what was written before it stays", () => {
  const { store, generation, say, token } = setUp();
  generation.write(20);
  say("progress", { message: "Loading" });
  assert.equal(store.state.writing.message, "Loading");
  say("start", { tokens: [] });
  token(3, 8);
  say("error", { error: { code: "out_of_memory", message: "No room.", details: null } });
  assert.deepEqual(store.state.continuation, [8]);
  assert.equal(store.state.writing.problem.message, "No room.");
});

test("candidates are asked for once a text, only where they are looked at", async () => {
  const { store, fetched } = setUp();
  assert.deepEqual(fetched[0].wish, { model: "writer", text: "first example", top: 20 });
  store.actions.look({ scale: "log" });
  assert.equal(fetched.length, 1);
  fetched[0].resolve({ n_tokens: 3 });
  await settled();
  assert.equal(shownNext(store.state).answer.n_tokens, 3);
  store.actions.continueWith([0]);
  assert.equal(shownNext(store.state), null, "what was said of the shorter text is not shown");
  read(store, 4);
  assert.deepEqual(fetched[1].wish.continuation, [0]);
  for (const change of [{ tab: "heads" }, { model: "both" }, { connection: "lost" }, { text: "x" }, { analysis: null }]) {
    assert.equal(nextQuestion({ ...store.state, ...change }), null);
  }
});

test("a late answer about the next token is dropped", async () => {
  const { store, fetched } = setUp();
  store.actions.continueWith([0]);
  read(store, 4);
  fetched[0].resolve("older");
  fetched[1].resolve("newer");
  await settled();
  assert.equal(store.state.next.answer, "newer");
});

test("what the answers on screen show as written is kept as branches", () => {
  const { store } = setUp();
  store.actions.continueWith([8]);
  read(store, 4);
  store.actions.continueWith([]);
  read(store, 3);
  store.actions.continueWith([9]);
  assert.equal(branchesOf(store.state).length, 1, "what has no answer yet may be no text at all");
  read(store, 4);
  assert.deepEqual(branchesOf(store.state).map(idsOf), [[3]], "tokens of the made-up answer are numbered by their places");
});

test("numbers that are typed are brought within what the server takes", () => {
  const temperature = { min: 0, max: 10, step: 0.1 };
  assert.deepEqual(["0", "0.7", "-1", "11", "1e-9", " ", "x", "0.12345"].map((typed) => numberWithin(typed, temperature)), [0, 0.7, 0, 10, 0, null, null, 0.123]);
  assert.equal(numberWithin("2.6", { min: 1, max: 200, step: 1 }), 3);
});

test("how tokens are chosen is said", () => {
  const sampling = { temperature: 0, top_k: 5, seed: 3, n: 20 };
  assert.match(samplingInWords(sampling), /most probable token each time/);
  assert.match(samplingInWords({ ...sampling, temperature: 1 }), /5 most probable ones; seed 3/);
  assert.match(samplingInWords({ ...sampling, temperature: 1, top_k: null }), /all tokens/);
});

test("percentages have two decimals and are not zero where there is something", () => {
  assert.deepEqual([0, 0.00001, 0.77253, 1].map(percentText), ["0.00 %", "<0.01 %", "77.25 %", "100.00 %"]);
});
