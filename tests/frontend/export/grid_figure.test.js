// The figure of all heads: names as text, the maps as one image in its place.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { pictureOf } from "../../../frontend/export/figure_page.js";
import { layOutGrids } from "../../../frontend/export/grid_figure.js";
import { gridFigure } from "../../../frontend/export/shown_grids.js";
import { atlas } from "../../../frontend/heads/atlas.js";
import { smallAtlas } from "../small_atlas.js";
import { compared, comparisonOf, overview, ready, tell, threeStacks } from "../small_answer.js";
import { measure, textsOf } from "../small_sheet.js";
import { theme, exportedStore } from "../exported_view.js";
import { readXml } from "../xml.js";

const NOW = new Date(2026, 0, 5);

/** A canvas that remembers where maps were put. */
function canvas() {
  const put = [];
  const context = {
    scale: () => {},
    fillRect: () => {},
    createImageData: (width, height) => ({ data: new Uint8ClampedArray(4 * width * height), width, height }),
    putImageData: (image, x, y) => put.push({ x, y, size: image.width, pixels: new Uint32Array(image.data.buffer).slice() }),
  };
  return { put, getContext: () => context, toDataURL: () => "data:image/png;base64,AAAA" };
}

let canvases = [];
beforeEach(() => {
  canvases = [];
  globalThis.document = { createElement: () => (canvases.push(canvas()), canvases.at(-1)) };
});
afterEach(() => delete globalThis.document);

const read = (state) => readXml(pictureOf(gridFigure(state, theme, NOW), layOutGrids, measure).svg());

test("every layer and head is named as text beside an image of all maps", () => {
  const elements = read(exportedStore("").state);
  const texts = textsOf(elements);
  for (const text of ["H0", "H1", "H2", "L0", "L1", "“first example”, both", "attention weight, square-root scale, 0 to 0.04 (the largest apart from sinks)"]) {
    assert.ok(texts.includes(text), text);
  }
  const images = elements.filter(({ name }) => name === "image");
  assert.equal(images.length, 1);
  assert.equal(images[0].attributes.href, "data:image/png;base64,AAAA");
  const [{ attributes: page }] = elements;
  assert.ok(Number(images[0].attributes.x) + Number(images[0].attributes.width) <= Number(page.width));
  assert.equal(canvases[0].put.length, 6, "two layers of three heads");
});

test("title and caption name the token or the link whose attention the cells show", () => {
  const { state } = exportedStore("");
  const figureWith = (lock) => gridFigure({ ...state, lock }, theme, NOW);
  assert.deepEqual([figureWith(null).title, figureWith(null).caption[0].startsWith("Attention")], ["Attention of all heads", false]);
  const ofToken = figureWith({ side: "a", queries: [1], keys: [] });
  assert.deepEqual([ofToken.title, ofToken.caption[0]], ["Attention of “t1” in all heads", "Attention of “t1” in all heads."]);
  assert.equal(figureWith({ side: "a", queries: [2], keys: [0, 1] }).title, "Attention from “t2” to “t0” and “t1” in all heads");
});

test("names stand over and beside the maps they name", () => {
  const elements = read(exportedStore("").state);
  const image = elements.find(({ name }) => name === "image").attributes;
  const { put } = canvases[0];
  const scale = canvases[0].width / Number(image.width);
  for (const [text, map] of [["H1", put[1]], ["H2", put[5]]]) {
    const { x } = elements.find((one) => one.text === text).attributes;
    assert.ok(Math.abs(Number(x) - Number(image.x) - (map.x + map.size / 2) / scale) < 1, text);
  }
  for (const [text, map] of [["L0", put[0]], ["L1", put[3]]]) {
    const { y } = elements.find((one) => one.text === text).attributes;
    assert.ok(Math.abs(Number(y) - Number(image.y) - (map.y + map.size / 2) / scale) < 8, text);
  }
});

test("the maps have the colours of the page's scale", () => {
  read(exportedStore("", { look: { sinks: "show" } }).state);
  const codes = overview(0, 4).values.subarray(0, 16);
  const [{ pixels, size }] = canvases[0].put;
  for (let at = 0; at < 16; at += 1) {
    const [row, col] = [Math.floor(at / 4), at % 4].map((place) => Math.floor(((place + 0.5) * size) / 4));
    assert.equal(pixels[row * size + col], theme.scale.table[codes[at]]);
  }
});

test("sinks are dimmed as on the page, and the caption says so", () => {
  const { state } = exportedStore("");
  read(state);
  const [{ pixels, size }] = canvases[0].put;
  const at = (row, col) => pixels[Math.floor(((row + 0.5) * size) / 4) * size + Math.floor(((col + 0.5) * size) / 4)];
  assert.ok(theme.scale.dimmed.table.includes(at(3, 0)), "the first token");
  assert.ok(theme.scale.table.includes(at(3, 1)));
  const caption = (look) => gridFigure(exportedStore("", { look }).state, theme, NOW).caption.join(" ");
  assert.match(caption({}), /Sinks \(special and first tokens\) dimmed, weights unchanged\./);
  assert.doesNotMatch(caption({ sinks: "show" }), /[Ss]inks/);
  assert.doesNotMatch(caption({ hide: "both" }), /[Ss]inks/, "there is no column to dim");
});

test("an encoder-decoder has a grid for each of its attentions, one under the other", () => {
  const elements = read(exportedStore("", { n: 5, message: { stacks: threeStacks(3, 2) } }).state);
  const texts = textsOf(elements);
  assert.deepEqual(["Encoder", "Decoder", "Cross"].filter((title) => texts.includes(title)).length, 3);
  const images = elements.filter(({ name }) => name === "image").map(({ attributes }) => attributes);
  assert.equal(images.length, 3);
  for (const [above, below] of [[0, 1], [1, 2]]) assert.ok(Number(images[above].y) + Number(images[above].height) <= Number(images[below].y));
});

test("a difference of two sides says so and has the scale of differences", () => {
  const store = compared();
  store.actions.sides.a.receive(overview(0, 3));
  store.actions.sides.b.receive(overview(0, 4));
  tell(store, comparison, comparisonOf(3));
  store.actions.setView({ grid_side: "difference" });
  const figure = gridFigure(store.state, theme, NOW);
  assert.equal(figure.legend.bar.drawing.sheet.signed, true);
  assert.equal(figure.caption[0], "Attention: A − B, head by head.");
  assert.match(figure.legend.bar.words, /difference/);
});

/** The view of a model whose roles and entropies are known. */
function knownStore(look) {
  const store = exportedStore("", { look });
  const metric = { name: "entropy", label: "Entropy", unit: "share", meaning: "", range: [0, 1], kind: "number" };
  const shape = { name: "shape", label: "Shape", unit: "class", meaning: "", range: [null, null], kind: "class" };
  store.actions.describe(store.state.models.map((model) => ({ ...model, no_atlas: null })), store.state.config, { metrics: [metric, shape], shapes: ["vertical", "diagonal"] });
  tell(store, atlas, smallAtlas());
  for (const layer of [0, 1]) {
    const raw = { entropy: [0.25, 0.5, 0.75].map((value) => value + layer / 8), shape: ["vertical", "diagonal", "vertical"] };
    store.actions.sides.a.receiveMeasures({ layer, stack: "encoder", raw, weighted: null, labels: [[], [], []] });
  }
  return store;
}

/** The squares of cells, whatever lies above them. */
const cellsOf = (elements) => elements.filter(({ attributes }) => /^M\S+ \S+h56v56h-56z$/.test(attributes.d ?? ""));

test("cells that are coloured by role are so in the figure, with the letters of each head and what they stand for", () => {
  const elements = read(knownStore({ color_by: "role" }).state);
  const texts = textsOf(elements);
  assert.equal(elements.filter(({ name }) => name === "image").length, 0, "no maps");
  for (const text of ["LS", "S", "L", "Syntax", "Local context", "hatched: no role proven (3 heads)"]) assert.ok(texts.includes(text), text);
  assert.ok(!texts.some((text) => /attention weight/.test(text)));
  const fills = cellsOf(elements).map(({ attributes }) => attributes.fill);
  const [syntax, , local] = theme.palette.tones;
  assert.deepEqual([fills[1], fills[4], fills[5]], [local, syntax, local]);
  assert.equal(fills.length, 6);
});

test("cells of a metric stand in the order and under the veil of the page, named, with the metric's own legend", () => {
  const elements = read(knownStore({ color_by: "entropy", sort: "value", show: "role:previous" }).state);
  const texts = textsOf(elements);
  for (const text of [".88", "Entropy (share) on this sentence", "0.75", "1.", "4.", "L1H2"]) assert.ok(texts.includes(text), text);
  for (const text of ["Heads in order of entropy, strongest first, row by row."]) assert.ok(texts.includes(text), text);
  assert.ok(texts.some((text) => /^Not veiled: Previous token: 2 of 6 heads/.test(text)));
  assert.ok(!texts.includes("H0"), "columns are no heads any more");
  const names = elements.filter(({ text }) => /^L\dH\d$/.test(text)).map(({ attributes, text }) => ({ text, x: Number(attributes.x), y: Number(attributes.y) }));
  const order = names.sort((one, other) => one.y - other.y || one.x - other.x).map(({ text }) => text);
  assert.deepEqual(order, ["L1H2", "L0H2", "L1H1", "L0H1", "L1H0", "L0H0"], "the strongest first");
  const veiled = cellsOf(elements).filter(({ attributes }) => attributes["fill-opacity"] === "0.8");
  assert.equal(veiled.length, 4, "all but the two heads of the role");
});

test("classes have a letter and a colour each, and roles their badges, on maps too", () => {
  const byShape = textsOf(read(knownStore({ color_by: "shape" }).state));
  for (const text of ["Shape on this sentence", "ve", "vertical", "di", "diagonal", "S"]) assert.ok(byShape.includes(text), text);
  const byMap = textsOf(read(knownStore({}).state));
  assert.equal(byMap.filter((text) => text === "S").length, 2, "a head, and the legend");
});

test("without an analysis there is no figure", () => {
  assert.equal(gridFigure(ready().state, theme, NOW), null);
});
