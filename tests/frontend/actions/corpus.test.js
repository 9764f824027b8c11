import assert from "node:assert/strict";
import { test } from "node:test";

import { ready } from "../small_answer.js";
import { answer } from "../small_corpus.js";

function run(store, given) {
  store.actions.runCorpus();
  store.actions.receiveCorpus({ answer: given, problem: null });
  return store.state.corpus;
}

test("an answer is ranked by its link when one is new, and by what was chosen after that", () => {
  const store = ready();
  store.actions.draftCorpus({ text: "one" });
  assert.equal(run(store, { ...answer, link: null }).by, "previous");
  assert.equal(run(store, answer).by, "link");
  store.actions.rankCorpus("similarity");
  store.actions.turnCorpus();
  assert.equal(store.state.corpus.falling, false);
  assert.equal(run(store, answer).by, "similarity");
  store.actions.rankCorpus("link");
  assert.equal(run(store, { ...answer, link: null }).by, "previous");
});

test("an answer knows what was typed when it was asked for", () => {
  const store = ready();
  store.actions.draftCorpus({ text: "one" });
  const { draft } = store.state.corpus;
  store.actions.runCorpus();
  store.actions.draftCorpus({ text: "two" });
  store.actions.receiveCorpus({ answer, problem: null });
  assert.equal(store.state.corpus.known.draft, draft);
  assert.notEqual(store.state.corpus.draft, draft);
});

test("a problem ends the run, keeps the last answer and goes when something is typed", () => {
  const store = ready();
  store.actions.draftCorpus({ text: "one" });
  run(store, answer);
  const problem = { code: "bad_marks", message: "Line 1", details: null };
  store.actions.runCorpus();
  store.actions.receiveCorpus({ answer: null, problem });
  assert.equal(store.state.corpus.asked, null);
  assert.equal(store.state.corpus.problem, problem);
  assert.equal(store.state.corpus.known.answer, answer);
  store.actions.draftCorpus({ text: "two" });
  assert.equal(store.state.corpus.problem, null);
});

test("without a text nothing runs, and what was cancelled is not received", () => {
  const store = ready();
  store.actions.runCorpus();
  assert.equal(store.state.corpus.asked, null);
  store.actions.draftCorpus({ text: "one" });
  store.actions.runCorpus();
  store.actions.cancelCorpus();
  store.actions.receiveCorpus({ answer, problem: null });
  assert.equal(store.state.corpus.known, null);
});
