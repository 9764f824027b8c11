// The last analyses: newest first, each question once, as it was last looked at; no browser makes it fail.

import assert from "node:assert/strict";
import { test } from "node:test";

import { History, HistoryKeeper, MOST_ENTRIES, STORED_HISTORY, viewOfEntry } from "../../../frontend/storage/history.js";
import { LONGEST_LINKED } from "../../../frontend/state/permalink.js";
import { answer, ready, start, viewWith, views } from "../small_answer.js";
import { read, writerStore } from "../small_writer.js";

function storageWith(kept = {}, most = Infinity) {
  const held = new Map(Object.entries(kept));
  return {
    getItem: (name) => held.get(name) ?? null,
    setItem(name, value) {
      if (value.length > most) throw new Error("QuotaExceededError");
      held.set(name, value);
    },
    removeItem: (name) => void held.delete(name),
  };
}

const entryOf = (text, time = 1) => ({ question: { model: "both", text }, view: views.write(viewWith({ model: "both", text })), time });
const textsOf = (history) => history.list().map(({ question }) => question.text);

/** A page with a history, and a clock that goes on by what it is told. */
function page(history = new History(storageWith()), store = ready()) {
  const clock = { now: 0 };
  const keeper = new HistoryKeeper(history, views, () => clock.now);
  store.subscribe((state) => {
    keeper.update(state);
    keeper.enter();
  });
  return { store, history, clock };
}

test("the newest comes first, each question once, and the oldest go", () => {
  const history = new History(storageWith());
  for (let at = 0; at < MOST_ENTRIES + 5; at += 1) history.enter(entryOf(`t${at}`));
  history.enter(entryOf("t20", 2));
  const texts = textsOf(history);
  assert.equal(texts.length, MOST_ENTRIES);
  assert.deepEqual(texts.slice(0, 2), ["t20", "t54"]);
  assert.equal(texts.filter((text) => text === "t20").length, 1);
  assert.equal(texts.at(-1), "t5");
});

test("one entry can be forgotten, and all of them", () => {
  const history = new History(storageWith());
  for (const text of ["a", "b", "c"]) history.enter(entryOf(text));
  history.forget(entryOf("b"));
  assert.deepEqual(textsOf(history), ["c", "a"]);
  history.clear();
  assert.deepEqual(textsOf(history), []);
});

test("what is kept is there on the next visit, and other pages see it at once", () => {
  const storage = storageWith();
  const [one, other] = [new History(storage), new History(storage)];
  one.enter(entryOf("a"));
  other.enter(entryOf("b"));
  assert.deepEqual(textsOf(one), ["b", "a"]);
  other.clear();
  assert.deepEqual(textsOf(one), []);
});

test("broken, forbidden and full storage are borne in silence", () => {
  const question = { model: "m", text: "t" };
  const damaged = [
    null,
    1,
    { question: {} },
    { question: { model: "m", text: 3 }, view: "", time: 1 },
    { question, against: 3, view: "", time: 1 },
    { question: { ...question, continuation: "no list" }, view: "", time: 1 },
    { question, view: "", time: 1e300 }, // a number, and no time that can be written
    { question, view: "", time: "2026-01-01" },
  ];
  for (const kept of ["{", "null", "{}", JSON.stringify(damaged)]) {
    const history = new History(storageWith({ [STORED_HISTORY]: kept }));
    assert.deepEqual(history.list(), [], kept);
    history.enter(entryOf("a"));
    assert.deepEqual(textsOf(history), ["a"]);
  }
  const refuse = () => { throw new Error("SecurityError"); };
  const shut = new History({ getItem: refuse, setItem: refuse, removeItem: refuse });
  shut.enter(entryOf("a"));
  assert.deepEqual(textsOf(shut), ["a"], "until the page is closed");
  shut.clear();
  assert.deepEqual(textsOf(shut), []);
});

test("when there is no room for all, the oldest go; when not even for one, what was kept stays", () => {
  const size = JSON.stringify([entryOf("t00")]).length;
  const history = new History(storageWith({}, 4.5 * size));
  for (let at = 10; at < 30; at += 1) history.enter(entryOf(`t${at}`));
  const texts = textsOf(history);
  assert.equal(texts[0], "t29");
  assert.ok(texts.length >= 2 && texts.length <= 4);
  history.enter(entryOf("x".repeat(5 * size)));
  assert.deepEqual(textsOf(history), texts);
});

test("a run is entered when it is done, not before, and never for a text that has changed since", () => {
  const { store, history } = page();
  store.actions.sides.a.pend();
  store.actions.sides.a.begin(start(3));
  assert.deepEqual(textsOf(history), []);
  store.actions.sides.a.finish({ total_ms: 1 });
  assert.deepEqual(textsOf(history), ["first example"]);
  store.actions.editText("another");
  assert.deepEqual(textsOf(history), ["first example"]);
  store.actions.sides.a.fail({ code: "x", message: "", details: null });
  assert.deepEqual(textsOf(history), ["first example"]);
});

test("an answer that waits for its turn is entered before the next one, as it was looked at last", () => {
  const history = new History(storageWith());
  const keeper = new HistoryKeeper(history, views, () => 0);
  const store = ready();
  store.subscribe((state) => keeper.update(state));
  answer(store, start(3));
  store.actions.setView({ scale: "log" });
  store.actions.chooseExample({ text: "next", text_pair: null });
  assert.deepEqual(textsOf(history), [], "it is not its turn yet");
  answer(store, start(2));
  assert.deepEqual(textsOf(history), ["first example"]);
  assert.equal(viewOfEntry(history.list()[0], views).scale, "log");
  store.actions.editText("asked, and never answered");
  keeper.enter();
  keeper.enter();
  assert.deepEqual(textsOf(history), ["next", "first example"]);
});

test("the view of the current one is kept up to date, and brings back everything", () => {
  const { store, history } = page();
  answer(store, start(3));
  store.actions.togglePin({ layer: 1, head: 2 });
  store.actions.setView({ scale: "log", words: true });
  store.actions.toggleLock({ side: "a", queries: [1], keys: [] });
  const looked = views.pick(store.state);
  store.actions.chooseExample({ text: "next", text_pair: null });
  answer(store, start(2));
  const [, before] = history.list();
  assert.deepEqual(viewOfEntry(before, views), looked);
  assert.deepEqual(views.read(before.view), looked);
});

test("a text too long for a link comes back from its question", () => {
  const { store, history } = page();
  store.actions.editText("word ".repeat(LONGEST_LINKED / 4));
  store.actions.continueWith([5, 6]);
  answer(store, start(3));
  const { a } = viewOfEntry(history.list()[0], views).sides;
  assert.equal(a.text, store.state.sides.a.text);
  assert.deepEqual(a.continuation, [5, 6]);
});

test("what somebody only passed while typing is not kept; what was looked at is", () => {
  const { store, history, clock } = page();
  answer(store, start(3));
  const type = (text, after) => {
    clock.now += after;
    store.actions.editText(text);
    answer(store, start(3));
  };
  type("The", 1000);
  type("The cat", 1000);
  type("The cat sat", 1000);
  assert.deepEqual(textsOf(history), ["The cat sat", "first example"]);
  type("The cat sat down", 60_000);
  assert.deepEqual(textsOf(history), ["The cat sat down", "The cat sat", "first example"]);
  type("first example", 1000);
  type("first example!", 1000);
  assert.ok(textsOf(history).includes("first example"), "it was there before it was typed again");
});

test("each comparison of a sentence is an entry of its own, entered when both sides have answered", () => {
  const { store, history, clock } = page();
  answer(store, start(3));
  store.actions.compareWith({});
  answer(store, start(3), "b");
  assert.equal(history.list().length, 1, "so far both sides are the same");
  for (const patch of [{ text: "one" }, { text: "two" }, { text: null, model: "single" }]) {
    clock.now += 60_000;
    store.actions.compareWith(patch);
    const before = history.list().length;
    store.actions.toggleLock({ side: "a", queries: [1], keys: [] });
    assert.equal(history.list().length, before);
    answer(store, start(3), "b");
  }
  const told = history.list().map(({ question, against }) => [question.text, against?.text, against?.model]);
  const [first, model] = ["first example", "both"];
  assert.deepEqual(told, [[first, first, "single"], [first, "two", model], [first, "one", model], [first, undefined, undefined]]);
  assert.deepEqual(viewOfEntry(history.list()[1], views).sides.b, { model: null, text: "two", text_pair: null, continuation: [], chat: null });
  history.forget(history.list()[1]);
  assert.deepEqual(history.list().map(({ against }) => against?.text), [first, "one", undefined]);
});

test("a sentence of side b that was only passed while typing is not kept", () => {
  const { store, history, clock } = page();
  answer(store, start(3));
  for (const text of ["T", "Th", "The"]) {
    clock.now += 1000;
    store.actions.compareWith({ text });
    answer(store, start(3), "b");
  }
  assert.deepEqual(history.list().map(({ against }) => against?.text), ["The", undefined]);
});

test("texts of both sides too long for a link come back from their questions", () => {
  const { store, history } = page();
  answer(store, start(3));
  const long = "word ".repeat(LONGEST_LINKED / 4);
  store.actions.compareWith({ text: long, model: "single" });
  answer(store, start(3), "b");
  const { a, b } = viewOfEntry(history.list()[0], views).sides;
  assert.deepEqual([a.text, b], ["first example", { model: "single", text: long, text_pair: null, continuation: [], chat: null }]);
});

test("a text with a continuation is one entry, which grows and says what was written", () => {
  const { store, history } = page(undefined, writerStore());
  const goOn = (ids) => {
    store.actions.continueWith(ids);
    read(store, 3 + ids.length);
    return history.list().map(({ question }) => question.continuation ?? []);
  };
  assert.deepEqual(goOn([7]), [[7]]);
  assert.deepEqual(goOn([7, 8]), [[7, 8]]);
  assert.equal(history.list()[0].written, "t3t4");
  assert.deepEqual(goOn([7, 9]), [[7, 9], [7, 8]], "another way is another entry");
  assert.deepEqual(goOn([]), [[], [7, 9], [7, 8]], "what is looked at is there");
  assert.deepEqual(goOn([7, 8, 5]), [[7, 8, 5], [7, 9]]);
});
