// Changing places: each side's question, and all that was chosen of it, goes to the other letter.

import assert from "node:assert/strict";
import { test } from "node:test";

import { whyNoSwap } from "../../../frontend/actions/swap.js";
import { comparison } from "../../../frontend/compare/comparison.js";
import { eachOnce, partsOf, whatKey, writePin } from "../../../frontend/state/pins.js";
import { question } from "../../../frontend/state/selectors.js";
import { onSide } from "../../../frontend/state/sides.js";
import { chosenLink } from "../../../frontend/maps/edges.js";
import { generator } from "../random.js";
import { randomPin } from "../random_pins.js";
import { answer, compared, comparisonOf, ready, start, tell, views } from "../small_answer.js";
import { read, writerStore } from "../small_writer.js";

const asked = ({ state }) => ["a", "b"].map((side) => question(onSide(state, side)));

/** A page that a link was opened on. */
function opened(link) {
  const store = ready();
  store.actions.restore(views.read(link));
  return store;
}

test("pins, detail, focus and the grid's side go with their models", () => {
  const pins = "pins=3.1h,b:20.5l,mean(3.*)t,b:rollout(2)h,diff(3.1;b:20.5)h,same(b:1.2;b:3.4)h";
  const link = `v=2&model=both&text=one&against=&against_model=single&${pins}&detail=b:20.5&focus=2.1&grid=b`;
  const store = opened(link);
  store.actions.swapSides();
  const turned = "pins=b:3.1h,20.5l,b:mean(3.*)t,rollout(2)h,diff(20.5;b:3.1)h,same(1.2;3.4)h";
  const now = `v=2&model=single&text=one&against=&against_model=both&${turned}&detail=20.5&focus=b:2.1`;
  assert.equal(views.write(store.state), now);
  store.actions.swapSides();
  assert.equal(views.write(store.state), link);
});

test("a chat template stays with the text it wraps", () => {
  for (const [link, turned] of [
    ["v=2&model=both&text=one&chat=true&against=&against_text=two&against_chat=false", "v=2&model=both&text=two&against=&against_text=one&against_chat=true&grid=b"],
    ["v=2&model=both&text=one&chat=true&against=&against_text=two", "v=2&model=both&text=two&chat=true&against=&against_text=one&grid=b"],
  ]) {
    const store = opened(link);
    store.actions.swapSides();
    assert.equal(views.write(store.state), turned);
    store.actions.swapSides();
    assert.equal(views.write(store.state), link);
  }
});

test("whatever is pinned keeps its heads, and swapping twice brings all of it back", () => {
  const random = generator(53);
  const headsOf = (pins, letter) =>
    pins.flatMap(partsOf).filter(({ side }) => side === letter).map((part) => whatKey({ ...part, side: "a" })).sort();
  for (let round = 0; round < 300; round += 1) {
    const store = opened("model=both&text=one&against=&against_model=single");
    const pins = eachOnce(Array.from({ length: 5 }, () => randomPin(random)));
    store.actions.setView({ pins, grid_side: random.pick(["a", "b", "difference"]) });
    const before = views.pick(store.state);
    store.actions.swapSides();
    const now = store.state.pins;
    assert.deepEqual([headsOf(now, "a"), headsOf(now, "b")], [headsOf(pins, "b"), headsOf(pins, "a")]);
    store.actions.swapSides();
    assert.deepEqual(views.pick(store.state), before);
  }
});

test("the answers that come then have all that was pinned of their models", () => {
  const store = opened("model=both&text=one&against=&against_model=single&pins=1.2h,b:5.7h,diff(1.2;b:5.7)h");
  const whole = { stack: "encoder", n_layers: 6, n_heads: 8, queries: [0, 3], keys: [0, 3], causal: false };
  answer(store, start(3));
  answer(store, start(3, { id: "b1", stacks: [whole] }), "b");
  store.actions.swapSides();
  answer(store, start(3, { id: "a2", stacks: [whole] }));
  answer(store, start(3, { id: "b2" }), "b");
  assert.deepEqual(store.state.pins.map(writePin), ["b:1.2h", "5.7h", "diff(5.7;b:1.2)h"]);
});

test("a chosen link stays on its text, and is ranked again once it is known what stands opposite", () => {
  const store = compared(3);
  tell(store, comparison, comparisonOf(3));
  store.actions.chooseToken("a", 1);
  store.actions.chooseToken("a", 0);
  store.actions.swapSides();
  assert.deepEqual(store.state.lock, { side: "b", queries: [1], keys: [0] });
  answer(store, start(4, { id: "a2" }));
  answer(store, start(3, { id: "b2" }), "b");
  assert.equal(chosenLink(store.state), null);
  tell(store, comparison, comparisonOf(3));
  assert.deepEqual(chosenLink(store.state), { queries: [1], keys: [0] });
});

test("what was written goes along where both sides have it; else nothing is swapped, and it is said why", () => {
  const store = writerStore();
  store.actions.continueWith([5]);
  read(store, 4);
  assert.equal(whyNoSwap(store.state), "", "nothing is compared");
  store.actions.compareWith({});
  assert.equal(whyNoSwap(store.state), "");
  const before = asked(store);
  store.actions.swapSides();
  assert.deepEqual(asked(store), before);
  assert.deepEqual(store.state.sides.a.continuation, [5]);
  for (const patch of [{ model: "both" }, { model: null, text: "other" }]) {
    store.actions.compareWith(patch);
    assert.match(whyNoSwap(store.state), /generated tokens that B does not have/);
    const { state } = store;
    store.actions.swapSides();
    assert.equal(store.state, state);
  }
  store.actions.continueWith([]);
  store.actions.swapSides();
  assert.equal(store.state.sides.a.text, "other");
});
