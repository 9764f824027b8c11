// Where pinned maps are scrolled to, while another head takes their place.

import assert from "node:assert/strict";
import { test } from "node:test";

import { keepScroll } from "../../../../frontend/tabs/pinned/scroll_keeper.js";
import { answer, ready, start } from "../../small_answer.js";

/** A tab with one pinned head, whose views are drawn by hand, as they are after each change or theme. */
function open() {
  const store = ready();
  answer(store, start(3));
  store.actions.see({ side: "a", stack: 0, layer: 0, head: 0 }); // in focus while nothing is pinned
  store.actions.togglePin({ layer: 0, head: 0 });
  const root = { scrollTop: 0 };
  const { before, after } = keepScroll(root, { offsetHeight: 40 });
  const draw = () => [before, after].forEach(({ render }) => render(store.state));
  draw();
  const point = (head) => {
    store.actions.pointAt(head);
    draw();
    return root.scrollTop;
  };
  return { store, root, draw, point };
}

test("they come back as they were, however often the page is drawn meanwhile", () => {
  const { root, draw, point } = open();
  root.scrollTop = 300;
  draw();
  assert.equal(root.scrollTop, 300, "a redraw scrolls nothing");
  assert.equal(point({ layer: 1, head: 1 }), 40, "the head in focus from its top");
  draw();
  assert.equal(point(null), 300);
});

test("what is above them stays where it is", () => {
  const { root, point } = open();
  root.scrollTop = 15;
  assert.deepEqual([point({ layer: 1, head: 1 }), point(null)], [15, 15]);
});

test("new pins begin at their top", () => {
  const { store, root, draw } = open();
  root.scrollTop = 300;
  store.actions.unpinAll();
  draw();
  store.actions.togglePin({ layer: 1, head: 2 });
  draw();
  assert.equal(root.scrollTop, 0);
});
