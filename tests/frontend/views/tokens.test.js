// The strip of tokens and its hint: what they show while somebody types, asks, locks and compares.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { TABS } from "../../../frontend/tabs/index.js";
import { createTokens } from "../../../frontend/views/tokens.js";
import { answer, compared, comparisonOf, config, models, newStore, overview, start, tell } from "../small_answer.js";
import { drawOn, newPage, ofClass } from "../small_dom.js";

const HINT = "Which head links “t1” to “t0”?";
const example = { ...config.examples[0], hint: HINT };

/** A page that draws the tokens of a store after every change. */
function shown(store, tabs = TABS) {
  const page = newPage("tokens", "tokens-b", "tokens-hint");
  drawOn(store, createTokens(store, tabs));
  const chips = (side = "a") => ofClass(side === "a" ? page.tokens : page["tokens-b"], "token");
  const marked = (name, side) => chips(side).flatMap((chip, at) => (chip.classes.has(name) ? [at] : []));
  const pressed = (side) => chips(side).flatMap((chip, at) => (chip.getAttribute("aria-pressed") === "true" ? [at] : []));
  return { page, chips, marked, pressed, hint: () => page["tokens-hint"].textContent };
}

/** A store whose example speaks of a link between its tokens. */
function exampleStore() {
  const store = newStore();
  store.actions.describe(models, { ...config, examples: [example] }, { metrics: [], shapes: [] });
  answer(store, start(3));
  return store;
}

test("the hint names the link of the example, and while another text is typed no link of the old one", () => {
  const store = exampleStore();
  const { page, hint } = shown(store);
  assert.equal(hint(), `${HINT} Open Ask, click “t1”, then “t0”. Or point at a token to follow it through the heads; a click locks it.`);
  store.actions.editText("first exampl");
  const usual = "Point at a token to follow it through the heads; click to lock it, with Shift to add more.";
  assert.equal(hint(), usual);
  store.actions.editText("first example");
  assert.match(hint(), /click “t1”, then “t0”/);
  store.actions.chooseModel("single");
  assert.equal(hint(), `${HINT} ${usual}`, "the other model may cut the text into other tokens");
  store.actions.sides.a.fail({ code: "x", message: "", details: null });
  assert.equal(page["tokens-hint"].hidden, true, "there are no tokens");
});

test("the hint opens Ask where there is such a tab, and then says what each click does", () => {
  const store = exampleStore();
  const { page, chips, hint } = shown(store);
  ofClass(page["tokens-hint"], "inline")[0].click();
  assert.equal(hint(), `${HINT} Click the token that looks.`);
  chips()[1].click();
  assert.equal(hint(), `${HINT} Now click the token it looks at.`);
  chips()[0].click();
  assert.equal(hint(), `${HINT} More tokens go to “To”; click a chosen one to take it out.`);
  assert.doesNotMatch(shown(exampleStore(), []).hint(), /Open Ask/);
});

test("a click goes to the open tab that takes tokens, else it locks, with Shift it adds", () => {
  const store = exampleStore();
  const { chips, marked, pressed } = shown(store);
  chips()[2].click();
  chips()[0].click({ shiftKey: true });
  assert.deepEqual([store.state.lock, pressed()], [{ side: "a", queries: [0, 2], keys: [] }, [0, 2]]);
  store.actions.chooseTab("ask");
  assert.deepEqual(pressed(), [], "what is locked is not what is asked");
  chips()[1].click();
  chips()[2].click();
  assert.deepEqual([marked("asked-from"), marked("asked-to"), pressed()], [[1], [2], [1, 2]]);
  store.actions.chooseTab("heads");
  assert.deepEqual([marked("asked-from"), pressed()], [[], [0, 2]]);
});

test("the tokens of an older text are dimmed, and none of them is marked", () => {
  const store = exampleStore();
  const { page, chips, marked } = shown(store);
  store.actions.hover({ side: "a", queries: [1], keys: [2] });
  assert.deepEqual([marked("is-query"), marked("is-key")], [[1], [2]]);
  const before = chips();
  store.actions.editText("typed");
  assert.equal(page.tokens.classes.has("stale"), true);
  assert.deepEqual([marked("is-query"), marked("is-key")], [[], []]);
  assert.deepEqual(chips(), before);
  answer(store, start(4));
  assert.deepEqual([page.tokens.classes.has("stale"), chips().length], [false, 4]);
});

test("what is pressed stays in place while layers come", () => {
  const store = exampleStore();
  const { chips } = shown(store);
  const before = chips();
  store.actions.sides.a.pend();
  store.actions.sides.a.begin(start(3));
  for (const layer of [0, 1]) store.actions.sides.a.receive(overview(layer, 3));
  store.actions.sides.a.finish({ total_ms: 1 });
  chips().forEach((chip, at) => assert.equal(chip, before[at]));
});

test("two sides have a strip each, with marks on what differs, and one side's focus shows on the other", () => {
  const store = compared(3);
  const { page, chips, marked } = shown(store);
  assert.deepEqual([page["tokens-b"].hidden, page.tokens.getAttribute("aria-label"), chips("b").length], [false, "Tokens of A", 4]);
  store.actions.hover({ side: "b", queries: [2], keys: [] });
  assert.deepEqual([marked("is-query"), marked("is-query", "b")], [[], [2]], "what stands opposite is not known yet");
  tell(store, comparison, comparisonOf(3));
  assert.deepEqual([marked("is-query"), marked("alone", "b"), chips("b")[3].title], [[2], [3], "t3 · id 3 · nothing opposite in A"]);
  chips("b")[3].click();
  assert.deepEqual(store.state.lock, { side: "b", queries: [3], keys: [] });
  store.actions.chooseTab("ask");
  chips("b")[3].click();
  assert.equal(store.state.lock, null, "tokens of B are locked and released, not asked for");
  store.actions.compareWith(null);
  assert.deepEqual([page["tokens-b"].hidden, page.tokens.getAttribute("aria-label")], [true, "Tokens"]);
});
