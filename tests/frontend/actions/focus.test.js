// Which tokens are looked at: hovered before locked, several at once, released by Escape.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sameFocus } from "../../../frontend/actions/focus.js";
import { comparison } from "../../../frontend/compare/comparison.js";
import { shownFocus } from "../../../frontend/state/selectors.js";
import { answer, compared, comparisonOf, ready, start, tell, views } from "../small_answer.js";

const focus = (queries, keys = [], side = "a") => ({ side, queries, keys });

function begun(n = 9) {
  const store = ready();
  answer(store, start(n));
  return store;
}

test("a focus is the same with the same tokens at the same ends of the same side", () => {
  assert.equal(sameFocus(null, null), true);
  assert.equal(sameFocus(focus([0]), focus([0])), true);
  const different = [null, focus([]), focus([1]), focus([0, 1]), focus([], [0]), focus([0], [0]), focus([0], [], "b")];
  for (const other of different) {
    assert.equal(sameFocus(focus([0]), other), false);
    assert.equal(sameFocus(other, focus([0])), false);
  }
});

test("what is pointed at comes before what is locked; clicking that again or Escape releases it", () => {
  const store = begun();
  const { actions } = store;
  actions.toggleLock(focus([0]));
  actions.hover(focus([2], [1]));
  assert.deepEqual(shownFocus(store.state), focus([2], [1]));
  actions.hover(null);
  assert.deepEqual(shownFocus(store.state), focus([0]));
  actions.toggleLock(focus([0]));
  assert.equal(store.state.lock, null);
  actions.toggleLock(focus([1], [1]));
  assert.equal(actions.release(), true);
  assert.equal(shownFocus(store.state), null);
  actions.pointAt({ layer: 0, head: 0 });
  assert.equal(actions.release(), true);
  assert.equal(store.state.cursor, null);
  assert.equal(actions.release(), false);
});

test("Escape closes the open detail before it releases what is locked", () => {
  const store = begun();
  store.actions.toggleLock(focus([0]));
  store.actions.openDetail({ side: "a", stack: 0, layer: 0, head: 0 });
  assert.equal(store.actions.release(), true);
  assert.deepEqual([store.state.detail, store.state.lock], [null, focus([0])]);
  assert.equal(store.actions.release(), true);
  assert.equal(store.state.lock, null);
});

test("with Shift tokens join those locked, in reading order, token 0 too", () => {
  const store = begun();
  for (const token of [5, 0, 3]) store.actions.toggleLock(focus([token]), true);
  assert.deepEqual(store.state.lock, focus([0, 3, 5]));
  store.actions.toggleLock(focus([], [8]), true);
  assert.deepEqual(store.state.lock, focus([0, 3, 5], [8]));
  assert.equal(store.state.hover, null, "what is added is not hovered as well");
});

test("with Shift a locked token is taken out, and the last one releases the lock", () => {
  const store = begun();
  store.actions.toggleLock(focus([0, 1, 2]));
  store.actions.toggleLock(focus([1]), true);
  assert.deepEqual(store.state.lock, focus([0, 2]));
  store.actions.toggleLock(focus([0, 2]), true);
  assert.equal(store.state.lock, null);
});

test("with Shift a second link of a locked row keeps the row, a word half locked is added whole", () => {
  const store = begun();
  store.actions.toggleLock(focus([1], [2]));
  store.actions.toggleLock(focus([1], [3]), true);
  assert.deepEqual(store.state.lock, focus([1], [2, 3]));
  store.actions.toggleLock(focus([1, 4], [3]), true);
  assert.deepEqual(store.state.lock, focus([1, 4], [2, 3]));
});

test("with Shift a token of the other side adds the one opposite it, and without one leaves the lock alone", () => {
  const store = compared(3);
  store.actions.toggleLock(focus([0]));
  store.actions.toggleLock(focus([2], [], "b"), true);
  assert.deepEqual(store.state.lock, focus([0]), "what stands opposite is not known yet");
  tell(store, comparison, comparisonOf(3));
  store.actions.toggleLock(focus([2], [], "b"), true);
  assert.deepEqual(store.state.lock, focus([0, 2]));
  store.actions.toggleLock(focus([3], [], "b"), true);
  assert.deepEqual(store.state.lock, focus([0, 2]), "nothing stands opposite");
  store.actions.toggleLock(focus([0], [], "b"), true);
  assert.deepEqual(store.state.lock, focus([2]));
});

/** The lock after a row of clicks on tokens of the strip, as "from>to"; "+3" is a click with Shift. */
function chosenBy(clicks, store = begun()) {
  for (const click of clicks.split(" ")) store.actions.chooseToken("a", Number(click), click.startsWith("+"));
  const { lock } = store.state;
  return lock && `${lock.queries}>${lock.keys}`;
}

test("the first token clicked is where attention comes from, the second where it goes to, token 0 too", () => {
  assert.equal(chosenBy("8"), "8>");
  assert.equal(chosenBy("8 2"), "8>2");
  assert.equal(chosenBy("0 8"), "0>8");
  assert.equal(chosenBy("8 0"), "8>0");
});

test("a third token begins again, and a chosen one is released: the first with all that goes to the second", () => {
  assert.equal(chosenBy("8 2 5"), "5>");
  assert.equal(chosenBy("8 2 2"), "8>");
  assert.equal(chosenBy("8 2 8"), null);
  assert.equal(chosenBy("0 0"), null);
});

test("with Shift tokens join the end chosen last, in reading order, or leave the end they are in", () => {
  assert.equal(chosenBy("8 +2 +5"), "2,5,8>");
  assert.equal(chosenBy("8 5 +0 +2"), "8>0,2,5");
  assert.equal(chosenBy("+8 2 +5"), "8>2,5");
  assert.equal(chosenBy("8 +7 2 +8"), "7>2");
  assert.equal(chosenBy("8 2 +5 +2"), "8>5");
  assert.equal(chosenBy("8 +8"), null);
});

test("a token of the other side begins a link of its own, and what is chosen is not hovered as well", () => {
  const store = compared(3);
  store.actions.hover(focus([1]));
  store.actions.chooseToken("a", 1);
  assert.equal(store.state.hover, null);
  store.actions.chooseToken("b", 3);
  assert.deepEqual(store.state.lock, focus([3], [], "b"));
});

test("swapping turns the chosen link round, and without one does nothing", () => {
  const store = begun();
  store.actions.swapLock();
  assert.equal(store.state.lock, null);
  chosenBy("8 2 +3", store);
  store.actions.swapLock();
  assert.deepEqual(store.state.lock, focus([2, 3], [8]));
});

test("a head can come into focus without being pointed at, and is forgotten on request", () => {
  const store = begun();
  const place = { side: "a", stack: 0, layer: 0, head: 0 };
  store.actions.see(place);
  assert.deepEqual([store.state.seen, store.state.cursor], [place, null]);
  store.actions.see(null);
  assert.equal(store.state.seen, null);
});

test("arrow keys move what is hovered, and what is locked along with it", () => {
  const store = begun();
  const { actions } = store;
  actions.moveFocus(focus([0]));
  assert.deepEqual([store.state.hover, store.state.lock], [focus([0]), null]);
  actions.lockFocus();
  assert.deepEqual(store.state.lock, focus([0]));
  actions.moveFocus(focus([0], [8]));
  assert.deepEqual([store.state.hover, store.state.lock], [focus([0], [8]), focus([0], [8])]);
  actions.lockFocus();
  assert.equal(store.state.lock, null);
});

/** Everything a pointer or the keyboard can do to the tokens and heads of a side. */
function touch({ actions }, side) {
  actions.hover(focus([1], [], side));
  actions.toggleLock(focus([1], [], side));
  actions.toggleLock(focus([2], [], side), true);
  actions.chooseToken(side, 1);
  actions.moveFocus(focus([0], [1], side));
  actions.lockFocus();
  actions.pointAt({ side, stack: 0, layer: 0, head: 0 });
  actions.openDetail({ side, stack: 0, layer: 0, head: 0 });
}

const held = ({ lock, hover, cursor, detail }) => [lock, hover, cursor, detail].filter((one) => one !== null);

const changes = {
  "another text": (actions) => actions.editText("another"),
  "another model": (actions) => actions.chooseModel("single"),
  "tokens written on": (actions) => actions.continueWith([4]),
};
for (const [name, change] of Object.entries(changes)) {
  test(`${name}: what is still on screen of the question before takes no touch until it is answered`, () => {
    const store = begun();
    change(store.actions);
    touch(store, "a");
    assert.deepEqual(held(store.state), []);
    answer(store, start(9));
    touch(store, "a");
    assert.equal(held(store.state).length > 0, true);
  });
}

test("the old answer of one side takes no touch, the other side's goes on", () => {
  const store = compared(3);
  store.actions.compareWith({ text: "changed" });
  touch(store, "b");
  assert.deepEqual(held(store.state), []);
  touch(store, "a");
  assert.deepEqual(store.state.cursor, { side: "a", stack: 0, layer: 0, head: 0 });
});

test("what a link locks is shown only in the answer to its own text", () => {
  const store = begun();
  const view = views.pick(store.state);
  store.actions.restore({ ...view, sides: { ...view.sides, a: { ...view.sides.a, text: "another" } }, lock: focus([3]) });
  assert.equal(shownFocus(store.state), null);
  answer(store, start(9));
  assert.deepEqual(shownFocus(store.state), focus([3]));
});

test("the same question asked again for weighted maps goes on taking touches", () => {
  const store = begun();
  store.actions.toggleLock(focus([3]));
  store.actions.setWeighted(true);
  store.actions.sides.a.pend();
  assert.deepEqual(shownFocus(store.state), focus([3]));
  store.actions.toggleLock(focus([4]));
  assert.deepEqual(shownFocus(store.state), focus([4]));
});

test("nothing is locked where nothing is looked at", () => {
  const store = ready();
  store.actions.hover(focus([0], [0]));
  store.actions.lockFocus();
  assert.equal(store.state.lock, null, "there are no tokens yet");
});

test("hovering and pointing are announced only when something else is under the pointer", () => {
  const store = begun();
  const heard = [];
  store.subscribe((state, before) => heard.push(...["hover", "cursor"].filter((key) => state[key] !== before[key])));
  for (const queries of [[1], [1], [2]]) store.actions.hover(focus(queries));
  store.actions.hover(null);
  store.actions.hover(null);
  const places = [{}, {}, { stack: 1 }, { side: "b", stack: 1 }];
  for (const place of places) store.actions.pointAt({ layer: 0, head: 0, ...place });
  store.actions.pointAt(null);
  assert.deepEqual(heard, ["hover", "hover", "hover", "cursor", "cursor", "cursor", "cursor"]);
});

test("a head pointed at is of the first grid unless it says another", () => {
  const store = begun();
  store.actions.pointAt({ layer: 0, head: 2 });
  assert.deepEqual(store.state.cursor, { side: "a", stack: 0, layer: 0, head: 2 });
  store.actions.pointAt({ side: "b", stack: 2, layer: 0, head: 2 });
  assert.deepEqual(store.state.cursor, { side: "b", stack: 2, layer: 0, head: 2 });
});
