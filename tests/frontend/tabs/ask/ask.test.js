// The tab Ask as it is drawn: its slots, what it says, and the ranking.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { askActions } from "../../../../frontend/tabs/ask/actions.js";
import { createAsk } from "../../../../frontend/tabs/ask/ask.js";
import { edges } from "../../../../frontend/tabs/ask/edges.js";
import { answer, overview, ready, start, tell } from "../../small_answer.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";

const edge = (head, weight, by_position = null) => ({ stack: "encoder", layer: 0, head, weight, by_position, weighted: null });
const ranking = (queries, keys, heads) => ({ queries, keys, uniform: 0.1, heads });

let frames = [];
beforeEach(() => {
  frames = [];
  globalThis.requestAnimationFrame = (act) => frames.push(act);
});

/** The open tab, drawn after every change. */
function shown(store = ready()) {
  const { root, tokens } = newPage("root", "tokens");
  drawOn(store, createAsk(store, root));
  const find = (name) => ofClass(root, name);
  const chosen = () => find("slot-tokens").map((slot) => slot.textContent);
  return { store, asking: askActions(store), tokens, find, chosen, text: (name) => find(name)[0].textContent };
}

/** A tab on a text of five tokens. */
function open() {
  const store = ready();
  answer(store, start(5));
  store.actions.chooseTab("ask");
  return shown(store);
}

test("the tokens of a slot stay the same buttons while layers come and while the other end changes", () => {
  const { store, asking, find } = open();
  asking.askFor([1], [0, 2]);
  const before = find("slot-token");
  assert.equal(before.length, 3);
  const run = store.actions.sides.a;
  run.pend();
  run.begin(start(5));
  for (const layer of [0, 1]) run.receive(overview(layer, 5));
  run.finish({ total_ms: 1 });
  asking.chooseEnd("queries");
  find("slot-token").forEach((button, at) => assert.equal(button, before[at]));
  asking.chooseToken(3);
  const after = find("slot-token");
  assert.notEqual(after[0], before[0]);
  assert.deepEqual(after.slice(2), before.slice(1));
  before[2].click();
  assert.deepEqual(find("slot-token").map((button) => button.getAttribute("aria-label")), ["Remove “t1”", "Remove “t3”", "Remove “t0”"]);
});

test("a slot shows its tokens or what belongs there, and a click makes it the active one", () => {
  const { store, asking, find, chosen } = open();
  assert.deepEqual(chosen(), ["the token that looks", "the token it looks at"]);
  asking.askFor([0], [2]);
  assert.deepEqual(chosen(), ["t0 ×", "t2 ×"]);
  const active = () => find("slot").map((slot) => slot.classes.has("active"));
  assert.deepEqual(active(), [false, true]);
  find("slot")[0].click();
  assert.deepEqual(active(), [true, false]);
  store.actions.editText("typed");
  assert.deepEqual(chosen(), ["the token that looks", "the token it looks at"]);
});

test("it waits for the ranking, shows it, and forgets it when another link is asked", () => {
  const { store, asking, find, text } = open();
  assert.equal(text("ask-said"), "");
  assert.equal(find("ask-empty")[0].hidden, false);
  asking.askFor([1], [0]);
  assert.equal(text("ask-said"), "Asking all heads…");
  assert.deepEqual(["ask-empty", "ranking-card"].map((name) => find(name)[0].hidden), [true, true]);
  tell(store, edges, ranking([1], [0], [edge(0, 0.4, 0.2), edge(1, 0.3)]));
  assert.match(text("ask-said"), /^Attention from “t1” to “t0”/);
  assert.equal(find("ranking-card")[0].hidden, false);
  assert.deepEqual(find("edge-fill").map(({ style }) => style.width), ["80%", "60%"]);
  assert.deepEqual(find("edge-tick").map(({ style }) => style.left), ["40%"]);
  asking.chooseEnd("queries");
  assert.match(text("ask-said"), /^Attention/, "another active slot is the same question");
  asking.chooseToken(3);
  assert.equal(text("ask-said"), "Asking all heads…");
});

test("the first heads are listed, then all, and pinning one keeps them and locks the link", () => {
  const { store, asking, find } = open();
  asking.askFor([1], [0]);
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

test("a link that a causal model cannot see is explained, with a way to turn it round", () => {
  const { store, asking, find } = open();
  asking.askFor([1], [4]);
  tell(store, edges, null, undefined, { code: "not_visible", message: "It looks only back.", details: null });
  assert.equal(find("ask-problem")[0].textContent, "It looks only back.Swap From and To");
  ofClass(find("ask-problem")[0], "chip")[0].click();
  assert.equal(find("ask-problem")[0].hidden, true);
});

test("whoever opens the tab sees the tokens, one that a link opens stays where it is", () => {
  const store = ready();
  const { tokens } = shown(store);
  let scrolled = 0;
  Object.assign(tokens, { getBoundingClientRect: () => ({ top: -5, bottom: 5 }), scrollIntoView: () => (scrolled += 1) });
  store.actions.chooseTab("ask");
  frames.forEach((act) => act());
  assert.equal(scrolled, 0, "there is nothing to click yet");
  answer(store, start(5));
  store.actions.chooseTab("pinned");
  store.actions.chooseTab("ask");
  frames.forEach((act) => act());
  assert.equal(scrolled, 1);
});
