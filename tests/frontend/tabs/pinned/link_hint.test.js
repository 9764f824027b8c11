// What to do with the tokens next: point, choose one, choose another; with an example the link that it is about.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createLinkHint } from "../../../../frontend/tabs/pinned/link_hint.js";
import { answer, config, models, newStore, start } from "../../small_answer.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";

const HINT = "Which head links “t1” to “t0”?";

/** The hint of a store whose example is about a link between its tokens, drawn after every change. */
function shown() {
  const store = newStore();
  store.actions.describe(models, { ...config, examples: [{ ...config.examples[0], hint: HINT }] }, { metrics: [], shapes: [] });
  newPage();
  const { root, view } = createLinkHint(store);
  drawOn(store, [view]);
  const said = () => root.childNodes.map((line) => line.textContent);
  return { store, root, said };
}

test("it says to point, then to click a second token, and nothing more once a link is chosen", () => {
  const { store, root, said } = shown();
  assert.equal(root.hidden, true, "there are no tokens");
  answer(store, start(3));
  assert.equal(root.hidden, false);
  assert.match(said()[0], /^Point at a token/);
  store.actions.chooseToken("a", 2);
  assert.match(said()[0], /Click a second token/);
  store.actions.chooseToken("a", 0);
  assert.equal(root.hidden, true);
  store.actions.release();
  assert.equal(root.hidden, false);
  assert.match(said()[0], /^Point at a token/);
});

test("it offers the link that the example is about, and a click on it chooses both ends", () => {
  const { store, root, said } = shown();
  answer(store, start(3));
  assert.equal(said()[1], `${HINT} “t1” → “t0”`);
  ofClass(root, "chip")[0].click();
  assert.deepEqual(store.state.lock, { side: "a", queries: [1], keys: [0] });
});

test("while another text is typed it is gone, and a text that is no example has no link to offer", () => {
  const { store, root, said } = shown();
  answer(store, start(3));
  store.actions.editText("first exampl");
  assert.equal(root.hidden, true);
  store.actions.editText("first example");
  assert.deepEqual([root.hidden, said().length], [false, 2]);
  store.actions.editText("typed");
  answer(store, start(3));
  assert.deepEqual([root.hidden, said().length], [false, 1]);
});
