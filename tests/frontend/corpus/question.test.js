import assert from "node:assert/strict";
import { test } from "node:test";

import { corpusMeans, corpusQuestion, isMeasuring, linesOf } from "../../../frontend/corpus/question.js";
import { ServerError, answerQuestions } from "../../../frontend/requests/answer_questions.js";
import { ready } from "../small_answer.js";
import { answer } from "../small_corpus.js";

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A store whose texts are measured by the test. */
function asking() {
  const store = ready();
  const calls = [];
  answerQuestions(store, [corpusMeans], ({ body }, question, signal) => {
    return new Promise((resolve, reject) => calls.push({ body: body(question), signal, resolve, reject }));
  });
  store.actions.draftCorpus({ text: "one" });
  return { store, calls };
}

test("lines keep their numbers, however they end", () => {
  assert.deepEqual(linesOf("one\r\n\r\ntwo\rthree\n"), ["one", "", "two", "three"]);
  assert.deepEqual(linesOf(""), []);
});

test("what is typed becomes a question once nothing is missing", () => {
  const store = ready();
  const asked = (draft) => {
    store.actions.draftCorpus(draft);
    const question = corpusQuestion(store.state);
    return question && JSON.parse(JSON.stringify(corpusMeans.body(question)));
  };
  assert.equal(asked({ text: " \n " }), null);
  const plain = { model: "both", texts: ["one", "two"], values: "raw" };
  assert.deepEqual(asked({ text: "one\ntwo" }), plain);
  assert.deepEqual(asked({ link: "marked" }), { ...plain, link: { marked: true } });
  assert.equal(asked({ link: "words", from_word: "it" }), null);
  assert.equal(asked({ to_word: " " }), null);
  assert.deepEqual(asked({ to_word: " cat " }), { ...plain, link: { from_word: "it", to_word: "cat" } });
  store.actions.connect("lost");
  assert.equal(corpusQuestion(store.state), null);
});

test("a run asks once, and a cancelled one is aborted and never answered", async () => {
  const { store, calls } = asking();
  assert.equal(calls.length, 0);
  store.actions.runCorpus();
  store.actions.chooseTab("ask");
  assert.equal(calls.length, 1);
  assert.deepEqual(calls[0].body.texts, ["one"]);
  assert.ok(isMeasuring(store.state));
  store.actions.cancelCorpus();
  assert.equal(calls[0].signal.aborted, true);
  calls[0].resolve(answer);
  await settled();
  assert.equal(corpusMeans.latest(store.state), null);
  store.actions.runCorpus();
  calls[1].resolve(answer);
  await settled();
  assert.equal(corpusMeans.of(store.state).answer, answer);
  assert.ok(!isMeasuring(store.state));
});

test("the same texts are measured anew by each run, also after one that failed", async () => {
  const { store, calls } = asking();
  store.actions.runCorpus();
  calls[0].reject(new ServerError({ code: "out_of_memory", message: "No room.", details: null }));
  await settled();
  assert.equal(corpusMeans.of(store.state).problem.message, "No room.");
  store.actions.runCorpus();
  assert.ok(isMeasuring(store.state));
  calls[1].resolve(answer);
  await settled();
  store.actions.runCorpus();
  assert.equal(calls.length, 3);
});

test("the last answer stays while the next is measured, and when that is cancelled", async () => {
  const { store, calls } = asking();
  store.actions.runCorpus();
  calls[0].resolve(answer);
  await settled();
  store.actions.draftCorpus({ text: "two" });
  store.actions.runCorpus();
  assert.equal(corpusMeans.latest(store.state).answer, answer);
  store.actions.cancelCorpus();
  assert.equal(corpusMeans.latest(store.state).answer, answer);
  assert.equal(corpusMeans.latest(store.state).question.draft.text, "one", "what was measured is known with it");
});
