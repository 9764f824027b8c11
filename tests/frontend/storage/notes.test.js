// Notes on heads: whose they are, and that none is lost between pages, on reload or when the browser keeps nothing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NotesKeeper, STORED_NOTES, countOf, noteKey, noteOn, notesByHead, readNotes, withNote } from "../../../frontend/storage/notes.js";
import { onSide } from "../../../frontend/state/sides.js";
import { answer, newStore, ready, start } from "../small_answer.js";

function storageWith(kept = {}) {
  const held = new Map(Object.entries(kept));
  return {
    held,
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, value) => void held.set(name, value),
    removeItem: (name) => void held.delete(name),
  };
}

/** A page of a browser with this storage. */
function page(storage, store = newStore()) {
  const keeper = new NotesKeeper(store.actions, storage);
  keeper.recall();
  store.watch(({ notes }) => [notes], (state) => keeper.update(state));
  return { store, keeper, texts: () => Object.fromEntries(store.state.notes.texts) };
}

const key = noteKey("both", { layer: 1, head: 2 });

test("a note is there again on the next visit", () => {
  const storage = storageWith();
  page(storage).store.actions.writeNote(key, "looks back");
  assert.deepEqual(page(storage).texts(), { [key]: "looks back" });
});

test("a head's note is that of its model and attention, and shown on both sides", () => {
  const { store } = page(storageWith(), ready());
  answer(store, start(3));
  store.actions.writeNote(key, "looks back");
  assert.equal(noteOn(onSide(store.state, "a"), { layer: 1, head: 2, stack: 0, side: "b" }), "looks back");
  assert.equal(noteOn(onSide(store.state, "a"), { layer: 1, head: 2, stack: 1 }), "");
  assert.equal(noteOn(onSide(store.state, "a"), { layer: 2, head: 1 }), "");
  answer(store, start(3, { model: "single" }));
  assert.equal(noteOn(onSide(store.state, "a"), { layer: 1, head: 2 }), "");
});

test("models named like what every object has do not mix anything up", () => {
  const { store } = page(storageWith());
  for (const model of ["__proto__", "constructor", "a b", "1.2 both"]) store.actions.writeNote(noteKey(model, { layer: 1, head: 2 }), model);
  assert.deepEqual(Object.values(page(storageWith()).texts()), []);
  assert.equal(countOf(store.state.notes, "constructor"), 1);
  assert.equal(countOf(store.state.notes, "both"), 0);
  assert.equal(countOf(null, "both"), 0);
});

test("two open pages do not write over each other's notes", () => {
  const storage = storageWith();
  const [one, other] = [page(storage), page(storage)];
  one.store.actions.writeNote(key, "from one");
  other.store.actions.writeNote(noteKey("both", { layer: 0, head: 0 }), "from the other");
  assert.equal(readNotes(storage).size, 2);
  one.keeper.recall();
  assert.equal(one.store.state.notes.texts.size, 2);
  one.store.actions.writeNote(key, "");
  assert.deepEqual([...readNotes(storage).values()], ["from the other"]);
});

test("blanks are no note", () => {
  assert.equal(withNote(new Map([[key, "x"]]), key, " \n").size, 0);
});

test("what is kept and unreadable is as nothing, and is written over", () => {
  for (const kept of ["{", "null", "7", '{"a": 1}', "[[1, 2], null, [3]]"]) {
    const storage = storageWith({ [STORED_NOTES]: kept });
    const { store } = page(storage);
    assert.equal(store.state.notes.texts.size, 0, kept);
    store.actions.writeNote(key, "new");
    assert.deepEqual([...readNotes(storage)], [[key, "new"]]);
  }
});

test("a browser that keeps nothing still shows the note, and the page can say that it will be lost", () => {
  const shut = { ...storageWith(), setItem: () => { throw new Error("quota"); } };
  const { store, texts } = page(shut);
  assert.equal(store.state.notes.kept, true);
  store.actions.writeNote(key, "looks back");
  assert.equal(store.state.notes.kept, false);
  store.actions.writeNote(key, "looks back far");
  assert.deepEqual(texts(), { [key]: "looks back far" });
});

test("a note that found no room is kept with the next one that does, also when another page has written meanwhile", () => {
  const storage = storageWith();
  let isFull = true;
  const { setItem } = storage;
  const full = { ...storage, setItem: (name, value) => { if (isFull) throw new Error("quota"); setItem(name, value); } };
  const { store, keeper, texts } = page(full);
  const [second, foreign] = [0, 1].map((head) => noteKey("both", { layer: 0, head }));
  store.actions.writeNote(key, "looks back");
  page(storage).store.actions.writeNote(foreign, "from another page");
  keeper.recall();
  assert.deepEqual([texts(), store.state.notes.kept], [{ [foreign]: "from another page", [key]: "looks back" }, false]);
  isFull = false;
  store.actions.writeNote(second, "looks ahead");
  assert.equal(store.state.notes.kept, true);
  assert.deepEqual(Object.fromEntries(readNotes(storage)), { [foreign]: "from another page", [key]: "looks back", [second]: "looks ahead" });
});

test("a snapshot takes the notes on heads that this analysis has, and no others", () => {
  const { store } = page(storageWith(), ready());
  answer(store, start(3));
  store.actions.writeNote(key, "mine");
  store.actions.writeNote(noteKey("single", { layer: 0, head: 0 }), "another model's");
  store.actions.writeNote(noteKey("both", { layer: 0, head: 1, stack: 2 }), "cross");
  store.actions.writeNote(noteKey("both", { layer: 7, head: 0 }), "of other weights");
  assert.deepEqual(notesByHead(onSide(store.state, "a")), { 1.2: "mine" });
});

test("where nobody can write notes there are none", () => {
  const store = ready();
  answer(store, start(3));
  store.actions.writeNote(key, "x");
  assert.equal(store.state.notes, null);
  assert.equal(noteOn(onSide(store.state, "a"), { layer: 1, head: 2 }), "");
  assert.deepEqual(notesByHead(onSide(store.state, "a")), {});
});
