// The lines of a sheet, vertical and horizontal: every token can be hit, weight is width, below zero is dashed.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lineOf, linesGeometry, linesHit, paintLines } from "../../../frontend/drawing/lines.js";
import { generator } from "../random.js";
import { linesOf } from "../../../frontend/maps/drawn_links.js";
import { drawingOf, drawn, overlayOf, randomSheet, sheetOf, surface, textsOf } from "../small_sheet.js";

function painted(drawing, links) {
  const context = surface();
  const geometry = linesGeometry(context, drawing);
  paintLines(context, drawing, links, geometry);
  return { geometry, elements: drawn(context) };
}

const strokesOf = (elements) => elements.filter(({ attributes }) => attributes.fill === "none").map(({ attributes }) => attributes);
const endsOf = ({ d }) => {
  const numbers = d.match(/-?[\d.]+/g).map(Number);
  return { from: numbers.slice(0, 2), to: numbers.slice(-2) };
};

for (const layout of ["vertical", "horizontal"]) {
  test(`in the ${layout} layout a line leads from its query to its key, and both ends find them`, () => {
    const random = generator(12);
    for (let round = 0; round < 40; round += 1) {
      const [rows, cols] = [1 + random.below(150), 1 + random.below(150)];
      const drawing = drawingOf(randomSheet(rows, cols), { layout, width: 260 + random.below(500) });
      const link = { query: random.below(rows), key: random.below(cols), weight: 0.5 };
      const { geometry, elements } = painted(drawing, [link]);
      const { from, to } = endsOf(strokesOf(elements)[0]);
      assert.deepEqual(linesHit(geometry, ...from), { row: link.query, col: null });
      assert.deepEqual(linesHit(geometry, ...to), { row: null, col: link.key });
      for (const [x, y] of [from, to]) assert.ok(x >= 0 && x <= geometry.width && y >= 0 && y <= geometry.height);
    }
  });

  test(`in the ${layout} layout all labels are inside the picture`, () => {
    const long = "Donaudampfschifffahrtsgesellschaft";
    const { geometry, elements } = painted(drawingOf(sheetOf([long, "a"], ["b", long, "c"], Array(6).fill(0.5)), { layout }), []);
    const labels = elements.filter(({ name, attributes }) => name === "text" && attributes["font-weight"] === undefined);
    assert.equal(labels.length, 5);
    for (const { text, attributes } of labels) {
      const length = text.length * 6;
      const begin = Number(layout === "vertical" ? attributes.x : attributes.y);
      const edges = attributes["text-anchor"] === "end" ? [begin - length, begin] : [begin, begin + length];
      const end = layout === "vertical" ? geometry.width : geometry.height;
      assert.ok(edges[0] >= 0 && edges[1] <= end, `${text} from ${edges} within ${end}`);
    }
  });
}

test("vertical has queries left of keys, horizontal above them, the shorter side in the middle", () => {
  const sheet = randomSheet(2, 6);
  const links = [0, 1].map((query) => ({ query, key: 0, weight: 1 }));
  const ends = (layout) => strokesOf(painted(drawingOf(sheet, { layout }), links).elements).map(endsOf);
  const [first] = ends("vertical");
  assert.ok(first.from[0] < first.to[0]);
  const across = ends("horizontal");
  assert.ok(across[0].from[1] < across[0].to[1]);
  assert.equal(across[0].from[0] + across[1].from[0], 400, "two queries about the middle of 400 pixels");
});

test("horizontal writes every label and grows sideways, vertical of many tokens grows downwards", () => {
  const sheet = randomSheet(120, 120);
  const across = painted(drawingOf(sheet, { layout: "horizontal", width: 300 }), []);
  assert.ok(across.geometry.width >= 120 * 14);
  assert.equal(textsOf(across.elements).length, 242, "all labels and the two words");
  assert.equal(linesGeometry(surface(), drawingOf(randomSheet(9, 9), { layout: "horizontal", width: 300 })).width, 300);
  const down = linesGeometry(surface(), drawingOf(randomSheet(200, 200), { width: 300 }));
  assert.deepEqual([down.width, down.pitch], [300, 9]);
  assert.ok(linesGeometry(surface(), drawingOf(randomSheet(1024, 3), { width: 300 })).height < 3100);
});

test("a stronger link is a thicker line, whatever its sign", () => {
  const sheet = { top: 0.4, signed: true };
  const widths = [0.01, 0.1, 0.2, 0.4].map((weight) => lineOf(weight, sheet).width);
  for (let at = 1; at < widths.length; at += 1) assert.ok(widths[at] > widths[at - 1]);
  assert.equal(lineOf(-0.2, sheet).width, lineOf(0.2, sheet).width);
  assert.equal(lineOf(0.4, sheet).strength, 1, "the top of the sheet is the thickest");
});

test("below zero a line has the other arm's colour and is dashed; a sheet of one sign has one colour", () => {
  const sheet = sheetOf(["q"], ["a", "b"], [0.5, -0.5], true);
  const links = [0, 1].map((key) => ({ query: 0, key, weight: sheet.weights[key] }));
  const [positive, negative] = strokesOf(painted(drawingOf(sheet), links).elements);
  assert.notEqual(positive.stroke, negative.stroke);
  assert.equal(positive["stroke-dasharray"], undefined);
  assert.equal(negative["stroke-dasharray"], "5 3");
  const plain = sheetOf(["q"], ["a", "b"], [0.5, 0.1]);
  const strokes = strokesOf(painted(drawingOf(plain), links.map((link) => ({ ...link, weight: 0.1 }))).elements);
  assert.equal(new Set(strokes.map(({ stroke }) => stroke)).size, 1);
});

test("the partners of several chosen queries are tinted with the colour of their strongest link", () => {
  const sheet = sheetOf(["p", "q"], ["a", "b"], [0.9, 0.1, 0.2, 0.3]);
  const focus = { rows: [0, 1], cols: [] };
  const links = [
    { query: 0, key: 1, weight: 0.1 },
    { query: 1, key: 0, weight: 0.2 },
    { query: 1, key: 1, weight: 0.3 },
    { query: 0, key: 0, weight: 0.9 },
  ];
  const drawing = drawingOf(sheet, { focus });
  const { elements } = painted(drawing, links);
  const tints = elements.filter(({ attributes }) => attributes["shape-rendering"]).map(({ attributes }) => attributes.fill);
  const hex = (code) => `#${drawing.css[code].match(/\d+/g).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
  assert.deepEqual(tints.sort(), [hex(sheet.codes[0]), hex(sheet.codes[3])].sort());
  const pair = painted(drawingOf(sheet, { focus: { rows: [0], cols: [0] } }), links);
  const chosen = strokesOf(pair.elements).filter(({ stroke }) => stroke === "#b8430a");
  assert.equal(chosen.length, 1);
});

test("every token has its label in a narrow panel, up to 300 of them", () => {
  for (const n of [10, 30, 31, 35, 60, 120, 300]) {
    const { geometry, elements } = painted(drawingOf(randomSheet(n, n), { width: 230 }), []);
    assert.equal(textsOf(elements).length, 2 * n + 2, `${n} tokens and the two words`);
    assert.ok(geometry.size >= 8 && geometry.size < geometry.pitch);
  }
});

test("where rows are too tight for all labels the ends of lines are named, the strongest first", () => {
  const sheet = randomSheet(900, 900);
  const links = [
    { query: 7, key: 101, weight: 0.1 },
    { query: 6, key: 103, weight: 0.2 },
    { query: 501, key: 700, weight: 0.9 },
  ];
  const texts = textsOf(painted(drawingOf(sheet, { width: 300 }), links).elements);
  for (const name of ["q6", "q501", "k103", "k700"]) assert.ok(texts.includes(name), name);
  assert.ok(!texts.includes("q7"), "its place is taken by the end of a stronger line");
  assert.ok(texts.includes("q0") && texts.length > 200, "others are named where there is room");
  assert.ok(!textsOf(painted(drawingOf(sheet, { width: 300 }), []).elements).includes("q501"));
});

for (const layout of ["vertical", "horizontal"]) {
  test(`overlaid heads have a colour and dashes each, beside each other, and a legend that names them (${layout})`, () => {
    const sheet = overlayOf(sheetOf(["p", "q"], ["a", "b"], [0.9, 0.1, 0.2, 0.8]), sheetOf(["p", "q"], ["a", "b"], [0.7, 0.3, 0.4, 0.6]));
    const drawing = drawingOf(sheet, { layout });
    const { elements, geometry } = painted(drawing, linesOf(drawing, 100));
    const strokes = strokesOf(elements);
    const [first, second] = ["#1559c0", "#7a3fd0"].map((colour) => strokes.filter(({ stroke }) => stroke === colour));
    assert.deepEqual([first.length, second.length, strokes.length], [5, 5, 10], "four links and a sample of each head");
    assert.ok(first.every((line) => line["stroke-dasharray"] === undefined));
    assert.ok(second.every((line) => line["stroke-dasharray"] === "7 3"));
    assert.equal(new Set(strokes.map(({ d }) => d)).size, 10, "no line covers another");
    assert.deepEqual(textsOf(elements).filter((text) => text.startsWith("L")), ["L0 H0", "L1 H0"]);
    const plain = linesGeometry(surface(), drawingOf(randomSheet(2, 2), { layout }));
    assert.ok(geometry.height > plain.height, "the legend has a place of its own");
    for (const { d } of strokes) {
      const { from, to } = endsOf({ d });
      for (const [x, y] of [from, to]) assert.ok(x >= 0 && x <= geometry.width && y >= 0 && y <= geometry.height);
    }
  });
}

test("all overlaid heads together draw no more lines than one picture may have", () => {
  const drawing = drawingOf(overlayOf(randomSheet(30, 30), randomSheet(30, 30, { seed: 2 }), randomSheet(30, 30, { seed: 3 })));
  assert.equal(linesOf(drawing, 100).length, 400);
  assert.equal(linesOf({ ...drawing, focus: { rows: [3], cols: [] } }, 100).length, 90);
});
