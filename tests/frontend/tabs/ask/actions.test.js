// The link that is asked for: which click goes where, and what it survives.

import assert from "node:assert/strict";
import { test } from "node:test";

import { askActions } from "../../../../frontend/tabs/ask/actions.js";
import { askChoice } from "../../../../frontend/tabs/ask/choice.js";
import { edges } from "../../../../frontend/tabs/ask/edges.js";
import { TABS } from "../../../../frontend/tabs/index.js";
import { answer, newStore, ready, start, tell } from "../../small_answer.js";

/** A store, what can be done with its link, and the link in words. */
function asking(store = newStore()) {
  const asked = () => {
    const { queries, keys, end } = askChoice.of(store.state);
    return `${queries}/${keys} ${end}`;
  };
  return { store, asked, ...askActions(store) };
}

test("the first token fills From, the next one To, and further ones add to To", () => {
  const { chooseToken, asked } = asking();
  chooseToken(10);
  assert.equal(asked(), "10/ keys");
  chooseToken(0);
  assert.equal(asked(), "10/0 keys");
  chooseToken(3);
  chooseToken(2);
  assert.equal(asked(), "10/0,2,3 keys");
});

test("a click on a slot makes it take the next tokens and stays there", () => {
  const { askFor, chooseEnd, chooseToken, asked } = asking();
  askFor([10], [2]);
  chooseEnd("queries");
  chooseToken(7);
  chooseToken(0);
  assert.equal(asked(), "0,7,10/2 queries");
});

test("a click on a chosen token takes it out, token 0 too, and an emptied slot is the next to be filled", () => {
  const { askFor, chooseToken, asked } = asking();
  askFor([0], [2, 3]);
  chooseToken(3);
  assert.equal(asked(), "0/2 keys");
  chooseToken(0);
  assert.equal(asked(), "/2 queries");
  chooseToken(5);
  assert.equal(asked(), "5/2 queries", "both ends have tokens: the slot stays");
});

test("swapping turns the link round, clearing forgets it", () => {
  const { askFor, swapEnds, clear, asked } = asking();
  askFor([1, 2], [7]);
  swapEnds();
  assert.equal(asked(), "7/1,2 keys");
  clear();
  assert.equal(asked(), "/ queries");
});

test("another active slot is the same question and keeps its answer, another token is another one", () => {
  const { store, askFor, chooseEnd, chooseToken } = asking(ready());
  askFor([10], [2]);
  const ranking = { queries: [10], keys: [2], uniform: 0.1, heads: [] };
  tell(store, edges, ranking);
  chooseEnd("queries");
  assert.equal(edges.of(store.state).answer, ranking);
  chooseToken(4);
  assert.equal(edges.of(store.state), null);
});

test("another text forgets what was asked of the old one", () => {
  const { store, askFor, asked } = asking(ready());
  askFor([10], [2]);
  store.actions.editText("other words");
  assert.equal(asked(), "/ queries");
});

test("tokens of a text that is no longer in the box cannot be chosen", () => {
  const { store, asked, chooseToken, askFor, lockLink } = asking(ready());
  answer(store, start(9));
  chooseToken(3);
  assert.equal(asked(), "3/ keys");
  store.actions.editText("first and more");
  chooseToken(3);
  askFor([3], [2]);
  assert.equal(asked(), "/ queries");
  lockLink();
  assert.equal(store.state.lock, null);
});

test("the asked link becomes the focus of the pinned heads, of one pair or of several tokens", () => {
  const { store, askFor, lockLink } = asking();
  askFor([0], [2, 3]);
  lockLink();
  assert.deepEqual(store.state.lock, { side: "a", queries: [0], keys: [2, 3] });
  askFor([0], [0]);
  lockLink();
  assert.deepEqual(store.state.lock, { side: "a", queries: [0], keys: [0] });
});

test("each tab opens, and opening one asks nothing", () => {
  const { store, askFor, asked } = asking();
  askFor([0], [2]);
  for (const { id } of TABS) {
    store.actions.chooseTab(id);
    assert.equal(store.state.tab, id);
  }
  assert.equal(asked(), "0/2 keys");
});
