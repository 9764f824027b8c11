// Figures for papers: well-formed, all words as text, nothing over its edge.

import assert from "node:assert/strict";
import { test } from "node:test";

import { legendTicks, scaleWords } from "../../../frontend/maps/scales.js";
import { layOutPanels } from "../../../frontend/export/figure.js";
import { isDrawable, pictureOf } from "../../../frontend/export/figure_page.js";
import { drawingOf, measure, randomSheet, sheetOf, surface, textsOf } from "../small_sheet.js";
import { readXml } from "../xml.js";

const TREATMENT = { scale: "sqrt", range: "fixed" };

function panelOf(title, sheet, mode = "heatmap", more = {}) {
  const ticks = legendTicks(TREATMENT, sheet.top, sheet.signed);
  const links = [{ query: 0, key: 1, weight: 0.5 }];
  return { title, mode, drawing: drawingOf(sheet, more), links, words: scaleWords(TREATMENT, sheet.signed), ticks };
}

function figureOf(panels, caption = ["MiniLM", "“The cat sat.”", "HeadScope, 2026-01-02"]) {
  return { title: "Two heads <&>", caption, palette: panels[0].drawing.palette, panels };
}

const sheet = randomSheet(6, 6);
const drawn = (figure) => pictureOf(figure, layOutPanels, measure);
const read = (figure) => readXml(drawn(figure).svg());

test("panels, their labels, the scale and the caption are all there as text", () => {
  const elements = read(figureOf([panelOf("L3 H1 · raw", sheet), panelOf("L4 H7 · raw", sheet)]));
  const texts = textsOf(elements);
  for (const text of ["L3 H1 · raw", "L4 H7 · raw", "KEY", "QUERY", "q5", "k5", "MiniLM", "“The cat sat.”", "HeadScope, 2026-01-02"]) {
    assert.ok(texts.includes(text), text);
  }
  for (const text of ["attention weight, square-root scale, fixed 0 to 1", "0", "0.25", "1"]) assert.ok(texts.includes(text), text);
  const [svg, title, description] = elements;
  assert.equal(svg.attributes.viewBox, `0 0 ${svg.attributes.width} ${svg.attributes.height}`);
  assert.equal(title.text, "Two heads <&>");
  assert.match(description.text, /^L3 H1 · raw\nL4 H7 · raw\nMiniLM\n/);
});

test("panels of one scale share a legend, others have their own", () => {
  const legends = (panels) => textsOf(read(figureOf(panels))).filter((text) => /scale|line/.test(text)).length;
  const signed = panelOf("difference", randomSheet(6, 6, { signed: true }));
  assert.equal(legends([panelOf("a", sheet), panelOf("b", sheet)]), 1);
  assert.equal(legends([panelOf("a", sheet), signed]), 2);
  assert.equal(legends([panelOf("a", sheet), panelOf("b", sheet, "lines")]), 2);
});

test("the legend of lines shows a dashed sample only where weights may be below zero", () => {
  const dashes = (panel) => read(figureOf([panel])).filter(({ attributes }) => attributes["stroke-dasharray"]).length;
  assert.equal(dashes(panelOf("a", sheet, "lines")), 0);
  assert.equal(dashes(panelOf("a", randomSheet(6, 6, { signed: true }), "lines")), 2);
});

test("no text leaves the picture and panels do not overlap, whatever their shapes", () => {
  const long = "Donaudampfschifffahrtsgesellschaft";
  const wide = sheetOf([long, "b"], Array(30).fill(long), Array(60).fill(0.1));
  const panels = [
    panelOf("one", wide),
    panelOf("two", sheet, "lines"),
    panelOf("three", wide, "lines", { layout: "horizontal" }),
    panelOf("a title that is longer than its small picture is wide", sheetOf(["a"], ["b"], [1])),
  ];
  const elements = read(figureOf(panels, [long.repeat(40)]));
  const [{ attributes: page }] = elements;
  const titles = panels.map(({ title }) => elements.find(({ text }) => text === title).attributes);
  for (const { name, text, attributes } of elements) {
    if (name !== "text" || attributes.transform) continue;
    const length = measure(text, `${attributes["font-size"]}px x`);
    const before = { end: length, middle: length / 2 }[attributes["text-anchor"]] ?? 0;
    const left = Number(attributes.x) - before;
    assert.ok(left >= 0 && left + length <= Number(page.width), text);
    assert.ok(Number(attributes.y) > 0 && Number(attributes.y) < Number(page.height), text);
  }
  titles.forEach((title, at) => {
    if (at > 0) assert.ok(Number(title.x) > Number(titles[at - 1].x) + measure(panels[at - 1].title, "14px x"));
  });
});

test("cells are whole pixels, and up to 100 tokens have every label", () => {
  for (const n of [3, 20, 40, 61, 100, 200]) {
    const elements = read(figureOf([panelOf("a", randomSheet(n, n))]));
    const ground = elements.find(({ attributes }) => /^M\S+ \S+h\d+v\d+h-\d+z$/.test(attributes.d) && attributes.fill !== "#ffffff");
    const [, width] = /h(\d+)v/.exec(ground.attributes.d);
    assert.equal(width % n, 0, `${n} tokens on ${width} pixels`);
    const labels = textsOf(elements).filter((text) => /^[qk]\d+$/.test(text)).length;
    assert.equal(labels, n <= 100 ? 2 * n : n);
  }
});

test("a map of 200 tokens without any two equal neighbours stays under two megabytes", () => {
  const svg = drawn(figureOf([panelOf("a", randomSheet(200, 200))])).svg();
  assert.ok(svg.length < 2_000_000, `${svg.length}`);
});

test("at most four maps stand in a row, wide ones fewer, and rows do not overlap", () => {
  const places = (n, n_tokens, more) => {
    const panels = Array.from({ length: n }, (_, at) => panelOf(`map ${at}`, randomSheet(n_tokens, n_tokens, at % 2 ? more : {})));
    const elements = read(figureOf(panels));
    const titles = panels.map(({ title }) => elements.find(({ text }) => text === title).attributes);
    return { page: elements[0].attributes, rows: [...new Set(titles.map(({ y }) => Number(y)))], elements };
  };
  const many = places(16, 16);
  assert.equal(many.rows.length, 4);
  for (const side of [many.page.width, many.page.height]) assert.ok(4 * Number(side) <= 16_384, "a PNG of every size can be drawn");
  assert.equal(textsOf(many.elements).filter((text) => /scale/.test(text)).length, 1);
  const step = many.rows[1] - many.rows[0];
  assert.ok(step > 16 * 24, "the next row begins below the maps");
  assert.ok(places(4, 100).rows.length > 1);
  const mixed = places(6, 16, { signed: true });
  const legends = mixed.elements.filter(({ text }) => /scale/.test(text ?? "")).map(({ attributes }) => Number(attributes.y));
  assert.equal(legends.filter((y) => y < mixed.rows[1]).length, 4, "each row has its own legends where they differ");
  assert.ok(mixed.rows[1] - mixed.rows[0] > step);
});

test("what browsers can draw is known before it is drawn", () => {
  const { size } = drawn(figureOf([panelOf("a", randomSheet(100, 100))]));
  assert.ok(isDrawable(size, 4));
  assert.ok(!isDrawable({ width: 5000, height: 100 }, 4));
  assert.ok(!isDrawable({ width: 3000, height: 3000 }, 4));
});

test("a canvas larger than browsers draw is refused with what to do instead", () => {
  const canvas = { getContext: () => surface(), width: 0, height: 0 };
  const panels = Array.from({ length: 12 }, () => panelOf("a", randomSheet(100, 100)));
  assert.throws(() => drawn(figureOf(panels)).draw(canvas, 4), /more than browsers draw: choose a smaller size, or SVG/);
  assert.equal(canvas.width, 0);
});
