// The table of controls: each is part of the view, of links, of menus and, with a key, of the shortcuts.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CONTROLS, nextValue, optionsOf } from "../../../frontend/state/controls.js";
import { SHORTCUTS } from "../../../frontend/views/shortcuts.js";
import { views } from "../small_answer.js";

const keys = Object.keys(CONTROLS);

test("every control begins with its usual value, which is one that can be chosen", () => {
  for (const key of keys) {
    const { usual, options } = CONTROLS[key];
    assert.equal(views.usual()[key], usual);
    if (options) assert.ok(optionsOf(key).some(({ value }) => value === usual), key);
  }
});

test("every option of every control survives a link under the control's name", () => {
  for (const key of keys) {
    for (const { value } of optionsOf(key)) {
      const link = views.write({ ...views.usual(), [key]: value });
      assert.equal(link, value === CONTROLS[key].usual ? "" : `v=2&${CONTROLS[key].link ?? key}=${value}`);
      assert.equal(views.read(link)[key], value);
    }
  }
});

test("names in links and keys are each used once", () => {
  const links = keys.map((key) => CONTROLS[key].link ?? key);
  assert.equal(new Set(links).size, links.length);
  const pressed = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts).map((shortcut) => shortcut.keys);
  for (const key of keys) if (CONTROLS[key].shortcut) assert.equal(pressed.filter((one) => one === CONTROLS[key].shortcut).length, 1, key);
});

test("the next value goes through all options and begins again", () => {
  assert.deepEqual(["linear", "sqrt", "log", "rank"].map((scale) => nextValue("scale", scale)), ["sqrt", "log", "rank", "linear"]);
  assert.deepEqual([nextValue("words", false), nextValue("words", true)], [true, false]);
});
