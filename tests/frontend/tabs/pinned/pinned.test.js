// The tab of pinned maps: what stands in it, and how little a move of the pointer has drawn.

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawOn, ofClass } from "../../small_dom.js";
import { createPinned } from "../../../../frontend/tabs/pinned/pinned.js";
import { divergingOf, scaleOf } from "../../../../frontend/maps/color.js";
import { exportedStore } from "../../exported_view.js";
import { answer, overview, ready, start } from "../../small_answer.js";
import { drawingOf, sheetOf } from "../../small_sheet.js";

const { palette } = drawingOf(sheetOf(["a"], ["b"], [1]));
const theme = { palette, scale: scaleOf("light"), diverging: divergingOf("light"), outside: 0 };

/** What was done since it was last asked. */
const done = { measured: 0, painted: 0 };
const since = () => {
  const counted = { ...done };
  Object.assign(done, { measured: 0, painted: 0 });
  return counted;
};

// What the small document has not: rows of elements, canvases, sizes.
const context = new Proxy({}, {
  get: (_, name) => {
    if (name === "measureText") return (text) => ({ width: 6 * text.length });
    if (name === "createImageData") return (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) });
    return () => (done.painted += Number(name === "clearRect"));
  },
  set: () => true,
});
Object.defineProperties(Element.prototype, {
  clientWidth: { get: () => (done.measured += 1) && 300 },
  children: { get() { return this.childNodes.filter((child) => child instanceof Element); } },
  childElementCount: { get() { return this.children.length; } },
});
Object.assign(Element.prototype, {
  getContext: () => context,
  insertBefore(child, before) {
    child.remove();
    const at = before === null ? this.childNodes.length : this.childNodes.indexOf(before);
    this.childNodes.splice(at, 0, child);
    child.parent = this;
  },
  remove() {
    if (this.parent) this.parent.childNodes = this.parent.childNodes.filter((child) => child !== this);
  },
  querySelectorAll(tag) {
    return this.children.flatMap((child) => [...(child.tag === tag ? [child] : []), ...child.querySelectorAll(tag)]);
  },
  toggleAttribute(name, isOn) {
    if (isOn) this.setAttribute(name, "");
    else this.removeAttribute(name);
  },
});
globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
};

function opened(store) {
  const root = document.createElement("section");
  drawOn(store, createPinned(store, root), theme);
  since();
  const all = ["div", "p", "span"].flatMap((tag) => root.querySelectorAll(tag));
  return { store, root, byId: (id) => all.find((one) => one.getAttribute("id") === id) };
}

test("without pins a head is in focus, once there is one; pinned heads take its place until another is pointed at", () => {
  const { store, root, byId } = opened(ready());
  assert.deepEqual(root.children.map((child) => child.getAttribute("id") ?? child.getAttribute("class")), ["side-tools", "focus-head", "panels", "combine"]);
  const focus = root.children[1];
  const shown = () => [focus.hidden, byId("panels").classList.contains("behind"), byId("tray").hidden, byId("panels-tools").hidden];
  assert.equal(focus.hidden, true);
  answer(store, start(3));
  assert.equal(focus.hidden, true, "no layer has come");
  store.actions.sides.a.pend();
  store.actions.sides.a.begin(start(3));
  store.actions.sides.a.receive(overview(0, 3));
  assert.deepEqual(shown(), [false, true, true, true], "the row of panels is empty and behind");
  assert.equal(focus.querySelector("h3").textContent, "L0 H0");
  store.actions.togglePin({ layer: 0, head: 1 });
  assert.deepEqual(shown(), [true, false, false, false]);
  store.actions.pointAt({ layer: 1, head: 2 });
  assert.deepEqual(shown(), [false, true, false, false]);
  assert.equal(focus.querySelector("h3").textContent, "L1 H2");
  store.actions.pointAt(null);
  assert.deepEqual(shown(), [true, false, false, false]);
  assert.equal(byId("tray").textContent, "1 L0 H1 ×");
});

test("the ranking of a chosen link is beside the head in focus, or below the pinned maps", () => {
  const { store, root, byId } = opened(ready());
  answer(store, start(3));
  for (const token of [2, 0]) store.actions.chooseToken("a", token);
  const [ranking] = ofClass(root, "link-ranking");
  assert.equal(ranking.hidden, false);
  assert.deepEqual(ofClass(root, "focus-aside")[0].children.at(-1), ranking);
  store.actions.togglePin({ layer: 0, head: 1 });
  assert.equal(root.children.at(-1), ranking);
  assert.deepEqual(ofClass(root, "link-ranking"), [ranking], "there is one");
  assert.equal(byId("panels").hidden, false);
  store.actions.togglePin({ layer: 0, head: 1 });
  assert.equal(ofClass(root, "focus-aside")[0].children.at(-1), ranking);
});

test("panels stand in the order of their pins and keep their elements when they are moved", () => {
  const { store, byId } = opened(exportedStore("0.0h,0.1h,1.2h"));
  const [first, second, third] = byId("panels").children;
  store.actions.movePin(store.state.pins[0], 1);
  assert.deepEqual(byId("panels").children, [second, first, third]);
  store.actions.unpin(store.state.pins[0]);
  assert.deepEqual(byId("panels").children, [first, third]);
  assert.deepEqual(byId("panels").children.map((panel) => ofClass(panel, "pin-number")[0].textContent), ["1", "2"]);
});

test("links between sentences can be filtered where there are two sentences", () => {
  const { store, byId } = opened(exportedStore("0.0h"));
  assert.equal(byId("filters").hidden, true);
  answer(store, start(4, { id: "a2", segmentOf: (at) => Number(at > 1) }));
  assert.deepEqual(byId("filters").children.map((chip) => chip.textContent), ["All", "A→B"]);
  byId("filters").children[1].click();
  assert.equal(store.state.filter, "ab");
  assert.deepEqual(byId("filters").children.map((chip) => chip.getAttribute("aria-pressed")), ["false", "true"]);
  assert.match(byId("filter-note").textContent, /not renormalised/);
});

test("a move of the pointer draws each map once, measures nothing and leaves cards alone", () => {
  const { store, root } = opened(exportedStore("0.0h,0.1h,1.2l,1.1h"));
  const cards = ofClass(root, "head-card");
  cards.forEach((card) => (card.replaceChildren = assert.fail));
  store.actions.hover({ side: "a", queries: [1], keys: [] });
  const { measured, painted } = since();
  assert.equal(measured, 0);
  assert.ok(painted >= 4);
  assert.match(ofClass(ofClass(root, "panel")[0], "readout")[0].textContent, /^t1 →/);
  store.actions.setView({ sort: "value" });
  assert.deepEqual(since(), { measured: 0, painted: 0 }, "the order of the grid is nothing to the maps");
});

test("a focus that is nowhere on the maps draws nothing, and values of one map leave the others as they are", () => {
  const { store } = opened(exportedStore("0.0h,0.1h", { look: { hide: "first" } }));
  store.actions.hover({ side: "a", queries: [0], keys: [] });
  assert.deepEqual(since(), { measured: 0, painted: 0 }, "the first token is hidden");
  store.actions.togglePin({ layer: 1, head: 2 });
  const { measured, painted } = since();
  assert.equal(measured, 3, "all maps have another room now");
  assert.ok(painted <= 3, "only the new one is painted");
});

test("maps of an older text are dimmed and show no focus", () => {
  const { store, root } = opened(exportedStore("0.0h"));
  store.actions.hover({ side: "a", queries: [1], keys: [] });
  store.actions.editText("typed on");
  const [panel] = ofClass(root, "panel");
  assert.equal(panel.classList.contains("stale"), true);
  assert.equal(ofClass(panel, "readout")[0].textContent, "");
  store.actions.editText("first example");
  assert.equal(panel.classList.contains("stale"), false);
});
