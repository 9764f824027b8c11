// The browser's storage: the real one where there is one, else one that is empty and takes nothing.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { browserStorage, storePreference } from "../../../frontend/storage/browser_storage.js";

afterEach(() => delete globalThis.window);

test("what the browser has is used", () => {
  const localStorage = { getItem: () => "kept" };
  globalThis.window = { localStorage };
  assert.equal(browserStorage(), localStorage);
});

test("a browser that forbids it, or has none, gives an empty storage", () => {
  const forbidden = { get localStorage() { throw new Error("SecurityError"); } };
  for (const window of [forbidden, {}, { localStorage: null }]) {
    globalThis.window = window;
    const storage = browserStorage();
    assert.equal(storage.getItem("a"), null);
    assert.throws(() => storage.setItem("a", "b"), /keeps nothing/);
    storage.removeItem("a");
    storePreference(storage, "a", "b");
  }
});
