// The tabs beside the grid: which click goes where, and answers that come too late.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createStore } from "../../../frontend/actions/store.js";
import { emptyView } from "../../../frontend/state/view.js";
import { start } from "../small_answer.js";

const asked = ({ state }) => `${state.ask.queries}/${state.ask.keys} ${state.ask.side}`;
const answer = { queries: [10], keys: [2], uniform: 0.1, heads: [] };

test("the first token fills From, the next one To, and further ones add to To", () => {
  const store = createStore();
  store.actions.chooseToken(10);
  assert.equal(asked(store), "10/ keys");
  store.actions.chooseToken(0);
  assert.equal(asked(store), "10/0 keys");
  store.actions.chooseToken(3);
  store.actions.chooseToken(2);
  assert.equal(asked(store), "10/0,2,3 keys");
});

test("a click on a slot makes it take the next tokens and stays there", () => {
  const store = createStore();
  store.actions.askFor([10], [2]);
  store.actions.chooseSlot("queries");
  store.actions.chooseToken(7);
  store.actions.chooseToken(0);
  assert.equal(asked(store), "0,7,10/2 queries");
});

test("a click on a chosen token takes it out, token 0 too, and an emptied slot is the next to be filled", () => {
  const store = createStore();
  store.actions.askFor([0], [2, 3]);
  store.actions.chooseToken(3);
  assert.equal(asked(store), "0/2 keys");
  store.actions.chooseToken(0);
  assert.equal(asked(store), "/2 queries");
  store.actions.chooseToken(5);
  assert.equal(asked(store), "5/2 queries", "both sides have tokens: the slot stays");
});

test("swapping turns the link round, clearing forgets it", () => {
  const store = createStore();
  store.actions.askFor([1, 2], [7]);
  store.actions.swapAsked();
  assert.equal(asked(store), "7/1,2 keys");
  store.actions.clearAsked();
  assert.equal(asked(store), "/ queries");
});

test("an answer to what is no longer asked is dropped, and another question forgets the answer", () => {
  const store = createStore();
  store.actions.askFor([10], [2]);
  const { ask } = store.state;
  store.actions.chooseToken(3);
  store.actions.receiveEdges({ ask, answer, problem: null });
  assert.equal(store.state.edges, null);
  store.actions.receiveEdges({ ask: store.state.ask, answer, problem: null });
  assert.equal(store.state.edges.answer, answer);
  store.actions.chooseSlot("queries");
  assert.equal(store.state.edges.ask, store.state.ask, "another active slot is the same question");
  store.actions.chooseToken(4);
  assert.equal(store.state.edges, null);
});

test("another text forgets what was asked of the old one", () => {
  const store = createStore();
  store.actions.askFor([10], [2]);
  store.actions.receiveEdges({ ask: store.state.ask, answer, problem: null });
  store.actions.editText("other words");
  assert.equal(asked(store), "/ queries");
  assert.equal(store.state.edges, null);
});

test("tokens of a text that is no longer in the box cannot be chosen", () => {
  const store = createStore();
  store.actions.restore({ ...emptyView(), model: "m", text: "first" });
  store.actions.pend();
  store.actions.begin(start(9));
  store.actions.chooseToken(3);
  assert.equal(asked(store), "3/ keys");
  store.actions.editText("first and more");
  store.actions.chooseToken(3);
  store.actions.askFor([3], [2]);
  assert.equal(asked(store), "/ queries");
  store.actions.lockAsked();
  assert.equal(store.state.lock, null);
});

test("the asked link becomes the focus of the pinned heads, of one pair or of several tokens", () => {
  const store = createStore();
  store.actions.askFor([0], [2, 3]);
  store.actions.lockAsked();
  assert.deepEqual(store.state.lock, { side: "a", queries: [0], keys: [2, 3] });
  store.actions.askFor([0], [0]);
  store.actions.lockAsked();
  assert.deepEqual(store.state.lock, { side: "a", queries: [0], keys: [0] });
});

test("each tab opens, and opening one asks nothing", () => {
  const store = createStore();
  store.actions.askFor([0], [2]);
  for (const tab of ["compare", "ask", "heads", "generate", "pinned"]) {
    store.actions.chooseTab(tab);
    assert.equal(store.state.tab, tab);
  }
  assert.equal(asked(store), "0/2 keys");
});

test("a column sorts numbers from the largest and names from the first; again it turns round", () => {
  const store = createStore();
  const order = () => `${store.state.table.by} ${store.state.table.falling ? "falling" : "rising"}`;
  store.actions.sortTable("entropy");
  assert.equal(order(), "entropy falling");
  store.actions.sortTable("entropy");
  assert.equal(order(), "entropy rising");
  store.actions.sortTable("head");
  assert.equal(order(), "head rising");
  store.actions.sortTable("roles");
  assert.equal(order(), "roles rising");
});

test("a choice for the chart leaves its other choices as they are", () => {
  const store = createStore();
  store.actions.chooseChart({ x: "first" });
  store.actions.chooseChart({ kind: "map" });
  assert.deepEqual(store.state.chart, { ...emptyView().chart, x: "first", kind: "map" });
});
