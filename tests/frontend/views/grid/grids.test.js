// The card of the grids: what is said of it, when it dims, and that only what is new is painted.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../../frontend/compare/comparison.js";
import { atlas } from "../../../../frontend/heads/atlas.js";
import { divergingOf, scaleOf } from "../../../../frontend/maps/color.js";
import { drawWhenChanged } from "../../../../frontend/views/draw_views.js";
import { cellWords, createGrids } from "../../../../frontend/views/grid/grids.js";
import { answer, compared, comparisonOf, overview, ready, start, tell } from "../../small_answer.js";
import { smallAtlas } from "../../small_atlas.js";
import { newPage, ofClass } from "../../small_dom.js";

const palette = new Proxy({}, { get: (_, name) => (name === "tones" ? ["one", "two", "three"] : "colour") });
const theme = { palette, scale: scaleOf("light"), diverging: divergingOf("light"), outside: 0 };

/** Where maps are put, on all canvases. */
const put = [];
const context = new Proxy({}, {
  get: (_, name) =>
    ({
      createImageData: (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
      putImageData: (_image, x, y) => put.push(`${x} ${y}`),
      measureText: () => ({ width: 1 }),
    })[name] ?? (() => {}),
  set: () => true,
});
Object.assign(HTMLElement.prototype, { getContext: () => context, getBoundingClientRect: () => ({ top: 0, left: 0, right: 0 }) });
globalThis.HTMLCanvasElement = HTMLElement;
globalThis.window = { innerHeight: 900, devicePixelRatio: 1, matchMedia: () => ({ matches: true }) };
document.addEventListener = () => {};

/** The grids of a store, drawn after each change. */
function shown(store) {
  const page = newPage("grid-card", "grids", "grid-title", "grid-foot");
  Object.assign(page.grids, { clientWidth: 560, clientHeight: 460 });
  const draws = createGrids(store.actions).map(drawWhenChanged);
  const draw = () => draws.forEach((one) => one(store.state, theme));
  put.length = 0;
  draw();
  store.subscribe(draw);
  return { isDim: () => ofClass(page.grids, "grid-scroll")[0].classes.has("stale"), painted: () => put.splice(0).length };
}

test("a line says what a cell is: a map, a value, roles, a difference", () => {
  const store = ready();
  tell(store, atlas, smallAtlas());
  answer(store, start(3));
  const words = (color_by) => cellWords({ ...store.state, color_by });
  assert.match(words("map"), /^One small map per head: rows \(queries\) attend to columns \(keys\); stronger colour = more attention\.$/);
  assert.match(words("corpus:entropy"), /number/);
  assert.match(words("role"), /roles/);
  const both = compared(3);
  tell(both, comparison, comparisonOf(3));
  assert.match(cellWords({ ...both.state, grid_side: "difference" }), /orange = A gives more, blue = B\.$/);
  assert.match(cellWords({ ...both.state, grid_side: "b" }), /more attention/);
});

test("the grid dims as soon as another text is typed, before it is asked for, and no more when that is taken back", () => {
  const store = ready();
  answer(store, start(3));
  const { isDim } = shown(store);
  assert.equal(isDim(), false);
  store.actions.editText("another text");
  assert.equal(store.state.sides.a.run.phase, "done", "nothing was asked yet");
  assert.equal(isDim(), true);
  store.actions.editText("first example");
  assert.equal(isDim(), false);
});

test("layers are painted as they come, each once, and nothing is painted when the pointer moves", () => {
  const store = ready();
  const { a } = store.actions.sides;
  const { painted } = shown(store);
  a.pend();
  a.begin(start(3));
  assert.equal(painted(), 0);
  for (const layer of [0, 1]) {
    a.receive(overview(layer, 3));
    assert.equal(painted(), 3, "the three heads of one layer");
  }
  a.finish({});
  store.actions.pointAt({ layer: 0, head: 1 });
  store.actions.togglePin({ layer: 0, head: 1 });
  store.actions.pointAt(null);
  assert.equal(painted(), 0);
  store.actions.setView({ scale: "log" });
  assert.equal(painted(), 6);
});

test("what was learnt by comparing stays, dimmed, until both sides are compared anew", () => {
  const store = compared(3);
  const { a, b } = store.actions.sides;
  const bring = (side, n) => [0, 1].forEach((layer) => side.receive(overview(layer, n)));
  bring(a, 3);
  bring(b, 4);
  store.actions.setView({ grid_side: "difference" });
  tell(store, comparison, comparisonOf(3));
  const { isDim, painted } = shown(store);
  assert.deepEqual([painted(), isDim()], [6, false]);
  store.actions.compareWith({ text: "typed" });
  assert.deepEqual([painted(), isDim()], [0, true]);
  answer(store, start(4, { id: "b2" }), "b");
  bring(b, 4);
  assert.deepEqual([painted(), isDim()], [0, true], "both sides have answered and are not compared yet");
  tell(store, comparison, comparisonOf(3));
  assert.deepEqual([painted(), isDim()], [6, false]);
});
