// The keyboard's one list: each key once, found as it is pressed, quiet where somebody wants it quiet.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SHORTCUTS, shortcutOf } from "../../../frontend/views/shortcuts.js";
import { whatKey } from "../../../frontend/state/pins.js";
import { newStore } from "../small_answer.js";

const ALL = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts);
const ACTING = ALL.filter(({ act }) => act !== null);
const pressed = (key, held = {}) => ({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held });
const found = (key, held = {}, single = true) => shortcutOf(pressed(key, held), single)?.keys ?? null;

/** A page of which only the state is true; what is pressed and focused is written down. */
function page() {
  const store = newStore();
  const done = [];
  const note = (name) => (id) => void done.push(id === undefined ? name : `${name} ${id}`);
  return {
    ...{ state: () => store.state, actions: store.actions, done },
    ...{ focus: note("focus"), press: note("press"), openTab: note("tab"), undo: note("undo"), redo: note("redo") },
  };
}

test("every shortcut has keys of its own and says what it does", () => {
  const keys = ALL.map((shortcut) => shortcut.keys.toUpperCase());
  assert.equal(new Set(keys).size, keys.length);
  for (const { does } of ALL) assert.ok(does.length > 2);
});

test("every shortcut that acts is found by the keys it is written with", () => {
  for (const { keys } of ACTING) {
    const parts = keys.split("+");
    const held = { ctrlKey: parts.includes("Ctrl"), shiftKey: parts.includes("Shift") };
    assert.equal(found(parts[parts.length - 1].toLowerCase(), held), keys);
  }
});

test("the command key stands for Ctrl, and Windows' own redo works", () => {
  assert.equal(found("z", { metaKey: true }), "Ctrl+Z");
  assert.equal(found("Z", { metaKey: true, shiftKey: true }), "Ctrl+Shift+Z");
  assert.equal(found("y", { ctrlKey: true }), "Ctrl+Shift+Z");
});

test("keys held with Ctrl, Cmd or Alt that are not in the list stay the browser's", () => {
  for (const key of "abcdefghijklmnopqrstuvwx/?0") {
    assert.equal(found(key, { ctrlKey: true }), null, `Ctrl+${key}`);
    assert.equal(found(key, { metaKey: true }), null, `Cmd+${key}`);
  }
  for (const { keys } of ACTING) {
    assert.equal(found(keys.split("+").at(-1), { altKey: true }), null);
    assert.equal(found(keys.split("+").at(-1), { altKey: true, ctrlKey: true }), null, "AltGr writes letters");
  }
});

test("with single keys switched off only those with Ctrl are left", () => {
  for (const { keys } of ACTING) {
    const isSingle = !keys.startsWith("Ctrl+");
    const held = { ctrlKey: !isSingle, shiftKey: keys.includes("Shift") };
    assert.equal(found(keys.split("+").at(-1), held, false), isSingle ? null : keys);
  }
});

test("a key that is written large because of Shift or the caps lock is the same key", () => {
  assert.equal(found("h"), "H");
  assert.equal(found("H", { shiftKey: true }), "H");
  assert.equal(found("?", { shiftKey: true }), "?");
  assert.equal(found("q"), null);
  assert.equal(found("Enter"), null);
  assert.equal(found("Escape"), null);
});

test("what they do is what the list says", () => {
  const at = page();
  const press = (keys) => ALL.find((shortcut) => shortcut.keys === keys)?.act?.(at);
  for (const keys of ["?", "/", "G", "Ctrl+Z", "Ctrl+Shift+Z", "E", "C", "Y"]) press(keys);
  const opened = ["press export-open", "press copy-link", "press history-open"];
  assert.deepEqual(at.done, ["press keys-open", "focus text", "focus grid", "undo", "redo", ...opened]);
  for (const head of [0, 1]) at.actions.togglePin({ layer: 0, head });
  for (const [keys, mode] of [["L", "lines"], ["T", "table"], ["H", "heatmap"]]) {
    press(keys);
    assert.deepEqual(at.state().pins.map((pin) => [whatKey(pin), pin.mode]), [["0.0", mode], ["0.1", mode]]);
  }
});

test("digits open the tabs in their order", () => {
  const at = page();
  for (const key of ["1", "4", "9"]) shortcutOf(pressed(key), true)?.act?.(at, key);
  assert.deepEqual(at.done, ["tab 0", "tab 3", "tab 8"]);
  assert.equal(found("0"), null);
  assert.equal(found("1", { ctrlKey: true }), null, "the browser's own tabs");
});

test("keys that go through choices go through all of them and come back to the first", () => {
  const rounds = { V: ["values", 3], S: ["scale", 4], W: ["words", 2], X: ["hide", 4] };
  for (const [keys, [name, n]] of Object.entries(rounds)) {
    const at = page();
    const seen = Array.from({ length: n + 1 }, () => {
      const value = at.state()[name];
      ALL.find((shortcut) => shortcut.keys === keys)?.act?.(at);
      return value;
    });
    assert.equal(new Set(seen).size, n, keys);
    assert.equal(seen[n], seen[0]);
  }
});
