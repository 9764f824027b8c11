// The browser's drawer: the real one where there is one, else one that is empty and takes nothing.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { browserDrawer, keepHabit } from "../../../frontend/state/drawer.js";

afterEach(() => delete globalThis.window);

test("what the browser has is used", () => {
  const localStorage = { getItem: () => "kept" };
  globalThis.window = { localStorage };
  assert.equal(browserDrawer(), localStorage);
});

test("a browser that forbids it, or has none, gives an empty drawer", () => {
  const forbidden = { get localStorage() { throw new Error("SecurityError"); } };
  for (const window of [forbidden, {}, { localStorage: null }]) {
    globalThis.window = window;
    const drawer = browserDrawer();
    assert.equal(drawer.getItem("a"), null);
    assert.throws(() => drawer.setItem("a", "b"), /keeps nothing/);
    drawer.removeItem("a");
    keepHabit(drawer, "a", "b");
  }
});
