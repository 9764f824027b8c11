// Undo: steps people took, one at a time, and nothing that happened by itself.

import assert from "node:assert/strict";
import { test } from "node:test";

import { shownFocus } from "../../../frontend/state/selectors.js";
import { Undo } from "../../../frontend/state/undo.js";
import { generator } from "../random.js";
import { sortedBy, tableChoice } from "../../../frontend/tabs/heads/choices.js";
import { answer, ready, start, viewWith, views } from "../small_answer.js";

const LATER = 5000;
const view = (changes) => viewWith({ model: "both", text: "one", ...changes });
const head = (layer, number) => ({ kind: "head", side: "a", stack: 0, layer, head: number, mode: "heatmap" });

/** An undo that has noted these views, each long after the one before. */
function after(...steps) {
  const undo = new Undo(views);
  steps.forEach((one, at) => undo.note(one, at * LATER));
  return undo;
}

test("there is nothing to take back at first, nor when the server's defaults fill what a link left open", () => {
  for (const link of [viewWith(), viewWith({ text: "one" }), viewWith({ model: "both" })]) {
    const undo = after(link, view({}));
    assert.deepEqual([undo.canUndo, undo.canRedo, undo.undo(), undo.redo()], [false, false, null, null]);
  }
});

test("any row of steps goes all the way back and all the way forth again", () => {
  const random = generator(7);
  for (let round = 0; round < 100; round += 1) {
    const choices = [{}];
    for (let step = 1; step <= 20; step += 1) {
      const changes = [{ mass: step }, { scale: `scale ${step}` }, { pins: [head(0, step)] }, { text: `text ${step}` }];
      choices.push({ ...choices[step - 1], ...random.pick(changes) });
    }
    const steps = choices.map(view);
    const undo = after(...steps);
    for (const one of steps.slice(0, -1).reverse()) assert.deepEqual(undo.undo(), one);
    assert.equal(undo.canUndo, false);
    for (const one of steps.slice(1)) assert.deepEqual(undo.redo(), one);
    assert.equal(undo.canRedo, false);
  }
});

test("letters typed without a pause are one step, and a pause begins another", () => {
  const undo = new Undo(views);
  const typed = ["one", "one m", "one mo", "one mor", "one more", "one more w"];
  const times = [0, 5000, 5400, 6300, 6500, 9000];
  const steps = typed.map((text, at) => undo.note(view({ text, typing: true }), times[at]));
  assert.deepEqual(steps, [false, true, false, false, false, true]);
  assert.equal(undo.undo()?.sides.a.text, "one more");
  assert.equal(undo.undo()?.sides.a.text, "one");
});

test("letters that take the chosen link and the written tokens with them are still one step", () => {
  const lock = { side: "a", queries: [1], keys: [2] };
  const undo = after(view({ lock, continuation: [4] }));
  for (const text of ["one m", "one mo"]) undo.note(view({ text, typing: true }), LATER);
  assert.deepEqual(undo.undo(), view({ lock, continuation: [4] }));
  assert.equal(undo.canUndo, false);
});

test("texts that are chosen are steps of their own, however quickly they follow", () => {
  const undo = new Undo(views);
  const steps = [view({}), view({ text: "two" }), view({ text: "three" }), view({ text: "three!", typing: true }), view({ text: "four" })];
  steps.forEach((one, at) => undo.note(one, at));
  assert.deepEqual(steps.slice(1).map(() => undo.undo()?.sides.a.text), ["three!", "three", "two", "one"]);
});

test("a slider is one step; heads pinned as quickly are not", () => {
  const undo = new Undo(views);
  undo.note(view({}), 0);
  for (let mass = 51; mass < 80; mass += 1) undo.note(view({ mass }), mass * 20);
  assert.equal(undo.undo()?.mass, 50);
  undo.redo();
  undo.note(view({ mass: 79, pins: [head(0, 0)] }), 2000);
  undo.note(view({ mass: 79, pins: [head(0, 0), head(0, 1)] }), 2100);
  assert.deepEqual(undo.undo()?.pins, [head(0, 0)]);
});

test("typing after something else is another step, however quickly it follows", () => {
  const undo = new Undo(views);
  undo.note(view({}), 0);
  undo.note(view({ text: "two" }), 10);
  undo.note(view({ text: "two", scale: "log" }), 20);
  undo.note(view({ text: "two!", scale: "log" }), 30);
  assert.deepEqual([undo.undo(), undo.undo(), undo.undo()].map((one) => [one?.sides.a.text, one?.scale]), [
    ["two", "log"],
    ["two", "sqrt"],
    ["one", "sqrt"],
  ]);
});

test("a hundred steps are kept, the last ones", () => {
  const undo = after(...Array.from({ length: 151 }, (_, step) => view({ show: `step ${step}` })));
  let oldest = null;
  let steps = 0;
  for (let back = undo.undo(); back; back = undo.undo()) [oldest, steps] = [back, steps + 1];
  assert.deepEqual([steps, oldest?.show], [100, "step 50"]);
});

test("a new step ends what could be redone", () => {
  const undo = after(view({}), view({ scale: "log" }), view({ scale: "rank" }));
  undo.undo();
  assert.ok(undo.canRedo);
  undo.note(view({ scale: "log", words: true }), 10 * LATER);
  assert.equal(undo.canRedo, false);
  assert.equal(undo.undo()?.words, false);
});

test("where one looks is no step, and going back leaves it", () => {
  const lock = { side: "a", queries: [1], keys: [] };
  const undo = after(view({}), view({ scale: "log" }));
  assert.equal(undo.note(view({ scale: "log", lock, tab: "heads" }), 3 * LATER), false);
  const back = undo.undo();
  assert.deepEqual([back?.scale, back?.lock, back?.tab], ["sqrt", lock, "heads"]);
});

const others = { text: "two", model: "single", text_pair: "pair", continuation: [4], chat: true, against: { model: null, text: "b", text_pair: null } };
for (const [key, value] of Object.entries(others)) {
  test(`locked tokens do not go along to another ${key}: it has its own back`, () => {
    const lock = { side: "a", queries: [1], keys: [] };
    const own = { ...lock, queries: [2] };
    const detail = { side: "a", stack: 0, layer: 0, head: 0 };
    const undo = after(view({ lock: own }), view({ [key]: value, lock, detail, tab: "heads" }));
    const back = undo.undo();
    assert.deepEqual([back?.lock, back?.detail, back?.tab], [own, null, "heads"]);
  });
}

test("a list made anew with the same heads in it is no step", () => {
  const undo = after(view({ pins: [head(0, 1)] }), view({ pins: [head(0, 1)] }));
  assert.equal(undo.canUndo, false);
});

test("what an answer takes out of a view is no step, and goes back with the step before it", () => {
  const undo = after(view({ pins: [head(5, 1)] }), view({ pins: [head(5, 1)], model: "single" }));
  undo.adopt(view({ pins: [], model: "single" }));
  assert.deepEqual(undo.undo(), view({ pins: [head(5, 1)] }));
  assert.equal(undo.canUndo, false);
  assert.deepEqual(undo.redo()?.pins, []);
});

test("in a true store a locked token comes back with its model, and is shown when that has answered", () => {
  const store = ready();
  const { actions } = store;
  answer(store, start(3));
  const undo = new Undo(views);
  const lock = { side: "a", queries: [2], keys: [] };
  actions.toggleLock(lock);
  undo.note(store.state, 0);
  actions.chooseModel("single");
  undo.note(store.state, LATER);
  answer(store, start(2, { model: "single" }));
  actions.restore(undo.undo());
  assert.equal(shownFocus(store.state), null);
  answer(store, start(3));
  assert.deepEqual(shownFocus(store.state), lock);
});

test("in a true store a minimal pair is one step", () => {
  const { actions, subscribe, state } = ready();
  const undo = after(state);
  let steps = 0;
  subscribe((now) => (steps += Number(undo.note(now, LATER))));
  actions.choosePair({ text: "too tired", text_pair: null, against: "too wide" });
  assert.equal(steps, 1);
  assert.deepEqual(undo.undo()?.sides.b, null);
});

test("in a true store every step is taken back and redone, whatever the store makes anew on the way", () => {
  const store = ready();
  const { actions } = store;
  answer(store, start(3));
  const undo = new Undo(views);
  let now = 0;
  const note = () => undo.note(store.state, (now += LATER));
  note();
  const steps = [
    () => actions.togglePin({ layer: 0, head: 1 }),
    () => actions.togglePin({ layer: 1, head: 2 }),
    () => actions.setMode("lines"),
    () => actions.setView({ scale: "log" }),
    () => actions.chooseColor("role"),
    () => actions.unpinAll(),
  ];
  const seen = [views.pick(store.state)];
  for (const step of steps) {
    step();
    assert.ok(note(), String(step));
    seen.push(views.pick(store.state));
  }
  const go = (way) => {
    actions.restore(undo[way]());
    assert.equal(undo.note(store.state, (now += LATER)), false, "going back is no step of its own");
    return views.pick(store.state);
  };
  for (const one of seen.slice(0, -1).reverse()) assert.deepEqual(go("undo"), one);
  for (const one of seen.slice(1)) assert.deepEqual(go("redo"), one);
});

test("sorting the table of heads is a step like any other", () => {
  const store = ready();
  const undo = after(store.state);
  store.actions.choose(tableChoice, sortedBy(tableChoice.of(store.state), "entropy"));
  assert.ok(undo.note(store.state, LATER));
  store.actions.restore(undo.undo());
  assert.deepEqual(store.state.table, { by: "head", falling: false });
});
