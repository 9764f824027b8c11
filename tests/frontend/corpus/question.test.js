import assert from "node:assert/strict";
import { test } from "node:test";

import { CorpusRun, corpusQuestion, linesOf } from "../../../frontend/corpus/question.js";
import { ready } from "../small_answer.js";
import { answer } from "../small_corpus.js";

test("lines keep their numbers, however they end", () => {
  assert.deepEqual(linesOf("one\r\n\r\ntwo\rthree\n"), ["one", "", "two", "three"]);
  assert.deepEqual(linesOf(""), []);
});

test("what is typed becomes a question once nothing is missing", () => {
  const store = ready();
  const asked = (draft) => {
    store.actions.draftCorpus(draft);
    return corpusQuestion(store.state);
  };
  assert.equal(asked({ text: " \n " }), null);
  const plain = { model: "both", texts: ["one", "two"], values: "raw" };
  assert.deepEqual(asked({ text: "one\ntwo" }), plain);
  assert.deepEqual(asked({ link: "marked" }), { ...plain, link: { marked: true } });
  assert.equal(asked({ link: "words", from_word: "it" }), null);
  assert.deepEqual(asked({ to_word: " cat " }), { ...plain, link: { from_word: "it", to_word: "cat" } });
  store.actions.connect("lost");
  assert.equal(corpusQuestion(store.state), null);
});

test("a run asks once, and a cancelled one is aborted and never answered", async () => {
  const store = ready();
  /** @type {{asked: object, signal: AbortSignal, resolve: (answer: object) => void}[]} */
  const calls = [];
  const run = new CorpusRun(store.actions, (asked, signal) => new Promise((resolve) => calls.push({ asked, signal, resolve })));
  store.subscribe((state) => run.want(state));
  store.actions.draftCorpus({ text: "one" });
  assert.equal(calls.length, 0);
  store.actions.runCorpus();
  store.actions.chooseTab("ask");
  assert.equal(calls.length, 1);
  assert.deepEqual(calls[0].asked.texts, ["one"]);
  store.actions.cancelCorpus();
  assert.equal(calls[0].signal.aborted, true);
  calls[0].resolve(answer);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(store.state.corpus.known, null);
  store.actions.runCorpus();
  calls[1].resolve(answer);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(store.state.corpus.known.answer, answer);
  assert.equal(store.state.corpus.asked, null);
});
