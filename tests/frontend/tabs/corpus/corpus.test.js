// The tab Corpus as it is drawn: what is typed, what is measured, and what stays meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";

import { corpusMeans } from "../../../../frontend/corpus/question.js";
import { createCorpus } from "../../../../frontend/tabs/corpus/corpus.js";
import { ready, tell } from "../../small_answer.js";
import { answer } from "../../small_corpus.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";

/** The open tab. */
function shown() {
  const store = ready();
  const { root } = newPage("root");
  drawOn(store, createCorpus(store, root));
  const find = (name) => ofClass(root, name)[0];
  const texts = (name) => ofClass(root, name).map(({ textContent }) => textContent);
  const hint = () => find("corpus-answer").childNodes[1].textContent;
  return { store, find, texts, hint };
}

/** A tab in which some texts were measured. */
function measured() {
  const page = shown();
  page.store.actions.draftCorpus({ text: "one\ntwo", link: "marked" });
  page.store.actions.runCorpus();
  tell(page.store, corpusMeans, answer);
  return page;
}

test("an empty tab says what it is for, one with a text does not", () => {
  const { store, find } = shown();
  assert.deepEqual([find("empty").hidden, find("corpus-answer").hidden, find("problem").hidden], [false, true, true]);
  store.actions.draftCorpus({ text: "one" });
  assert.ok(find("empty").hidden);
  assert.equal(find("count").textContent, "1 text");
});

test("a run waits, and its answer is said, ranked and listed with what was left out", () => {
  const { store, find, texts, hint } = shown();
  store.actions.draftCorpus({ text: "one\ntwo", link: "marked" });
  assert.equal(find("primary").disabled, false);
  store.actions.runCorpus();
  assert.deepEqual([find("corpus-said").textContent, find("corpus-waiting").hidden, find("primary").disabled], ["Measuring 2 lines in every head…", false, true]);
  tell(store, corpusMeans, answer);
  assert.deepEqual([find("corpus-said").textContent, find("corpus-waiting").hidden], ["both: 3 of 4 lines, 1,234 tokens, 1.3\u00a0s.", true]);
  assert.deepEqual(texts("corpus-head"), ["L0 H2", "L0 H0", "L0 H1"]);
  assert.equal(find("corpus-left").childNodes.length, 2);
  assert.equal(hint(), "");
  assert.deepEqual([find("edge-fill").style, find("edge-tick").style], [{ left: "0%", width: "80%" }, { left: "20%" }]);
});

test("the ranking turns round and follows its menu, and a click on a name pins the head", () => {
  const { store, find, texts } = measured();
  store.actions.turnCorpus();
  assert.deepEqual(texts("corpus-head"), ["L0 H0", "L0 H1", "L0 H2"]);
  store.actions.rankCorpus("previous");
  assert.deepEqual(texts("corpus-head"), ["L0 H1", "L0 H0", "L0 H2"]);
  find("corpus-head").click();
  assert.equal(find("corpus-head").getAttribute("aria-pressed"), "true");
  store.actions.chooseModel("single");
  assert.notEqual(find("corpus-head").getAttribute("disabled"), null, "the head is another model's");
});

test("an older answer stays, dimmed, until the next one is here, and after a cancelled run", () => {
  const { store, find, hint } = measured();
  store.actions.draftCorpus({ text: "three" });
  assert.match(hint(), /have changed since/);
  store.actions.runCorpus();
  assert.deepEqual([find("corpus-answer").hidden, find("corpus-answer").classes.has("stale")], [false, true]);
  store.actions.cancelCorpus();
  assert.equal(find("corpus-answer").classes.has("stale"), false);
  assert.match(find("corpus-said").textContent, /^both: 3 of 4 lines/);
  assert.match(hint(), /have changed since/);
  store.actions.chooseModel("single");
  assert.match(hint(), /heads of another model/);
});

test("a run that failed shows its problem until something is typed", () => {
  const { store, find } = measured();
  store.actions.runCorpus();
  tell(store, corpusMeans, null, undefined, { code: "bad_marks", message: "Line 2.", details: null });
  assert.deepEqual([find("problem").textContent, find("problem").hidden, find("corpus-answer").hidden], ["Line 2.", false, false]);
  store.actions.draftCorpus({ text: "three" });
  assert.ok(find("problem").hidden);
});
