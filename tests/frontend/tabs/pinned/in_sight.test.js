// Pictures are drawn while they are seen; out of sight only what changes more than the focus is drawn at once.

import assert from "node:assert/strict";
import { test } from "node:test";

import { InSight } from "../../../../frontend/tabs/pinned/in_sight.js";

/** A picture, what was drawn of it, and a window that can be scrolled to it or away. */
function picture() {
  let report = () => {};
  globalThis.IntersectionObserver = class {
    constructor(listener) {
      report = (isIntersecting) => listener([{ isIntersecting }]);
    }
    observe() {}
  };
  const drawn = [];
  const sight = new InSight({});
  delete globalThis.IntersectionObserver;
  return { drawn, sight, see: (isSeen) => report(isSeen), draw: (from, name) => sight.draw(from, () => drawn.push(name)) };
}

test("in sight everything is drawn at once", () => {
  const { drawn, draw, see } = picture();
  draw(1, "first");
  draw(1, "focus");
  see(true);
  draw(1, "other focus");
  assert.deepEqual(drawn, ["first", "focus", "other focus"]);
});

test("out of sight a focus waits, only the last one, and is drawn once it is seen", () => {
  const { drawn, draw, see } = picture();
  draw(1, "first");
  see(false);
  draw(1, "focus");
  draw(1, "other focus");
  assert.deepEqual(drawn, ["first"]);
  see(true);
  see(false);
  see(true);
  assert.deepEqual(drawn, ["first", "other focus"]);
});

test("out of sight another map is drawn at once, and what waited is left", () => {
  const { drawn, draw, see } = picture();
  see(false);
  draw("a", "never seen, but it takes its room");
  draw("a", "focus");
  draw("b", "other map");
  see(true);
  assert.deepEqual(drawn, ["never seen, but it takes its room", "other map"]);
});

test("what was waiting for a map that is gone is forgotten", () => {
  const { drawn, sight, draw, see } = picture();
  draw(1, "first");
  see(false);
  draw(1, "focus");
  sight.forget();
  see(true);
  assert.deepEqual(drawn, ["first"]);
});
