// The ranking by a chosen link as it is drawn: its title, what it says, and its rows.

import assert from "node:assert/strict";
import { test } from "node:test";

import { edges } from "../../../../frontend/maps/edges.js";
import { createLinkRanking } from "../../../../frontend/tabs/pinned/link_ranking.js";
import { answer, ready, start, tell } from "../../small_answer.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";

const edge = (head, weight, by_position = null) => ({ stack: "encoder", layer: 0, head, weight, by_position, by_others: null, weighted: null });
const ranking = (queries, keys, heads) => ({ queries, keys, uniform: 0.1, elsewhere: 3, others: 0, heads });

/** The ranking of a text of five tokens, drawn after every change. */
function open() {
  const store = ready();
  answer(store, start(5));
  newPage();
  const { root, views } = createLinkRanking(store);
  drawOn(store, views);
  const find = (name) => ofClass(root, name);
  const choose = (...tokens) => tokens.forEach((token) => store.actions.chooseToken("a", token));
  const press = (label) => find("plain").find((button) => button.textContent === label).click();
  return { store, root, find, choose, press, title: () => root.querySelector("h3").textContent, text: (name) => find(name)[0].textContent };
}

test("it appears with the second token and is gone with it", () => {
  const { store, root, choose, title } = open();
  assert.equal(root.hidden, true);
  choose(1);
  assert.equal(root.hidden, true);
  choose(0);
  assert.deepEqual([root.hidden, title()], [false, "“t1” → “t0”"]);
  store.actions.chooseToken("a", 4, true);
  assert.equal(title(), "“t1” → “t0” and “t4”");
  store.actions.editText("typed");
  assert.deepEqual([root.hidden, title()], [true, ""], "another text has other tokens");
});

test("it waits for the ranking, shows it, and forgets it when another link is chosen", () => {
  const { store, find, text, choose } = open();
  assert.equal(text("ranking-said"), "");
  choose(1, 0);
  assert.equal(text("ranking-said"), "Ranking all heads…");
  assert.equal(find("ranking-list")[0].hidden, true);
  tell(store, edges, ranking([1], [0], [edge(0, 0.4, 0.2), edge(1, 0.3)]));
  assert.match(text("ranking-said"), /^Attention from “t1” to “t0”/);
  assert.equal(find("ranking-list")[0].hidden, false);
  assert.deepEqual(find("edge-fill").map(({ style }) => style.width), ["80%", "60%"]);
  assert.deepEqual(find("edge-tick").map(({ style }) => style.left), ["40%"]);
  store.actions.hover({ side: "a", queries: [3], keys: [] });
  assert.match(text("ranking-said"), /^Attention/, "what is pointed at is no other link");
  store.actions.chooseToken("a", 3, true);
  assert.equal(text("ranking-said"), "Ranking all heads…");
  assert.equal(find("ranking-list")[0].hidden, true);
});

test("of a link that a causal model cannot have it says why and what helps", () => {
  const { store, text, choose, press } = open();
  answer(store, start(5, { stacks: [{ stack: "decoder", n_layers: 2, n_heads: 3, queries: [0, 5], keys: [0, 5], causal: true }] }));
  choose(0, 2);
  assert.match(text("ranking-said"), /only to earlier tokens.* Swap turns it round/);
  press("Swap");
  assert.equal(text("ranking-said"), "Ranking all heads…");
});

test("the first heads are listed, then all, and pinning one keeps them and the link", () => {
  const { store, find, choose } = open();
  choose(1, 0);
  tell(store, edges, ranking([1], [0], Array.from({ length: 20 }, (_, head) => edge(head, 0.5 - head / 50))));
  assert.equal(find("act").length, 12);
  find("more")[0].click();
  assert.equal(find("act").length, 20);
  find("act")[0].childNodes[0].click();
  assert.equal(find("act").length, 20);
  assert.equal(find("act")[0].textContent, "Pinned");
  assert.deepEqual(store.state.lock, { side: "a", queries: [1], keys: [0] });
  find("act")[0].childNodes[0].click();
  assert.deepEqual(store.state.pins, []);
});

test("a link that a causal model cannot see is explained, and Swap turns it round", () => {
  const { store, find, text, choose, press, title } = open();
  choose(1, 4);
  tell(store, edges, null, undefined, { code: "not_visible", message: "It looks only back.", details: null });
  assert.deepEqual([text("ranking-problem"), text("ranking-said")], ["It looks only back.", ""]);
  press("Swap");
  assert.deepEqual([title(), find("ranking-problem")[0].hidden], ["“t4” → “t1”", true]);
  assert.equal(text("ranking-said"), "Ranking all heads…");
});

test("Clear releases both ends", () => {
  const { store, root, choose, press } = open();
  choose(1, 4);
  press("Clear");
  assert.deepEqual([store.state.lock, root.hidden], [null, true]);
});
