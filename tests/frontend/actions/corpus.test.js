import assert from "node:assert/strict";
import { test } from "node:test";

import { corpusMeans } from "../../../frontend/corpus/question.js";
import { rankingOf } from "../../../frontend/corpus/ranking.js";
import { ready, tell } from "../small_answer.js";
import { answer } from "../small_corpus.js";

/** A store with something typed. */
function typed() {
  const store = ready();
  store.actions.draftCorpus({ text: "one" });
  return store;
}

/** @returns what heads are ranked by after another run */
function run(store, given) {
  store.actions.draftCorpus({ link: given.link ? "marked" : "none" });
  store.actions.runCorpus();
  tell(store, corpusMeans, given);
  return rankingOf(store.state).by;
}

test("an answer is ranked by its link when one is new, and by what was chosen after that", () => {
  const store = typed();
  assert.equal(run(store, { ...answer, link: null }), "previous");
  assert.equal(run(store, answer), "link");
  store.actions.rankCorpus("similarity");
  store.actions.turnCorpus();
  assert.equal(rankingOf(store.state).falling, false);
  assert.equal(run(store, answer), "similarity");
  assert.equal(rankingOf(store.state).falling, true);
  store.actions.turnCorpus();
  const chosen = rankingOf(store.state);
  store.actions.runCorpus();
  assert.deepEqual(rankingOf(store.state), chosen, "the old answer stays as it is until the next one comes");
  store.actions.cancelCorpus();
  assert.deepEqual(rankingOf(store.state), chosen);
  assert.equal(run(store, answer), "similarity", "a run that was cancelled made no link new");
  store.actions.rankCorpus("link");
  assert.deepEqual(rankingOf(store.state), { by: "link", falling: true });
  assert.equal(run(store, { ...answer, link: null }), "previous");
});

test("an answer knows what was typed when it was asked for", () => {
  const store = typed();
  const { draft } = store.state.corpus;
  store.actions.runCorpus();
  store.actions.draftCorpus({ text: "two" });
  tell(store, corpusMeans, answer);
  assert.equal(corpusMeans.latest(store.state).question.draft, draft);
  assert.notEqual(store.state.corpus.draft, draft);
});

test("a problem keeps the last answer and goes when something is typed", () => {
  const store = typed();
  run(store, answer);
  const problem = { code: "bad_marks", message: "Line 1", details: null };
  store.actions.runCorpus();
  tell(store, corpusMeans, null, undefined, problem);
  assert.equal(corpusMeans.of(store.state).problem, problem);
  assert.equal(corpusMeans.latest(store.state).answer, answer);
  store.actions.draftCorpus({ text: "two" });
  assert.equal(corpusMeans.of(store.state), null);
  store.actions.refuseCorpus(problem);
  assert.equal(store.state.corpus.problem, problem);
  store.actions.draftCorpus({ text: "three" });
  assert.equal(store.state.corpus.problem, null);
});

test("typing neither stops a run nor forgets its answer", () => {
  const store = typed();
  store.actions.runCorpus();
  const { asked } = store.state.corpus;
  store.actions.draftCorpus({ text: "two" });
  assert.equal(store.state.corpus.asked, asked);
  tell(store, corpusMeans, answer);
  store.actions.draftCorpus({ text: "three" });
  assert.equal(corpusMeans.of(store.state).answer, answer);
});

test("without a text nothing runs", () => {
  const store = ready();
  store.actions.runCorpus();
  assert.equal(store.state.corpus.asked, null);
});
