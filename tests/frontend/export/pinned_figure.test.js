// The figure of the pinned maps: each panel as it is on screen, a table as a heatmap.

import assert from "node:assert/strict";
import { test } from "node:test";

import { layOutPanels } from "../../../frontend/export/figure.js";
import { pictureOf } from "../../../frontend/export/figure_page.js";
import { pinnedFigure } from "../../../frontend/export/pinned_figure.js";
import { linesOf } from "../../../frontend/maps/drawn_links.js";
import { measure, textsOf } from "../small_sheet.js";
import { theme, exportedMaps, exportedStore } from "../exported_view.js";
import { readXml } from "../xml.js";

const NOW = new Date(2026, 0, 5);
const figureOf = (store) => pinnedFigure(store.state, exportedMaps(store).maps, theme.palette, NOW);

test("lines stay lines, with the lines of the page; everything else is a heatmap", () => {
  const store = exportedStore("0.0h,1.1l,0.2t", { look: { mass: 70 } });
  const { panels } = figureOf(store);
  assert.deepEqual(panels.map(({ mode }) => mode), ["heatmap", "lines", "heatmap"]);
  assert.deepEqual(panels[1].links, linesOf(panels[1].drawing, 70));
  assert.ok(panels[1].links.length > 0);
});

test("the scale of each panel is told in words and ticks of its own range", () => {
  const [raw, weighted] = figureOf(exportedStore("0.0h", { look: { values: "both", scale: "linear", range: "head" } })).panels;
  assert.equal(raw.words, "attention weight, linear scale, 0 to this map's largest weight apart from sinks");
  const [shown] = figureOf(exportedStore("0.0h", { look: { scale: "linear", range: "head", sinks: "show" } })).panels;
  assert.equal(shown.words, "attention weight, linear scale, 0 to this map's largest weight");
  const [shared] = figureOf(exportedStore("0.0h")).panels;
  assert.match(shared.words, /square-root scale, 0 to 0\.\d+ \(the largest apart from sinks\)$/);
  assert.equal(Number(shared.ticks.at(-1).text), shared.drawing.sheet.top);
  assert.match(weighted.words, /^value-weighted attention/);
  assert.equal(Number(raw.ticks.at(-1).text), Number(raw.drawing.sheet.top.toPrecision(3)));
});

test("as SVG it is well-formed and has every token as text", () => {
  const elements = readXml(pictureOf(figureOf(exportedStore("0.0h,1.1l")), layOutPanels, measure).svg());
  const texts = textsOf(elements);
  for (const text of ["L0 H0 · raw", "L1 H1 · raw", "t0", "t3", "“first example”, both"]) assert.ok(texts.includes(text), text);
  assert.match(elements.find(({ name }) => name === "title").text, /^Attention maps: L0 H0, L1 H1$/);
});

test("the figure of an overlay has the colours and names of its heads, also where the page shows a table", () => {
  const svg = pictureOf(figureOf(exportedStore("lines(1.2+0.0)t")), layOutPanels, measure).svg();
  for (const colour of ["#1457c0", "#7a3fd0"]) assert.ok(svg.includes(colour), colour);
  for (const name of ["L1 H2", "L0 H0"]) assert.ok(textsOf(readXml(svg)).includes(name), name);
});
