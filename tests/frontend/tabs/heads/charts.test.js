// Figures in the page's colours: every head is found, classes keep their colours, rings stand where points are.

import assert from "node:assert/strict";
import { test } from "node:test";

import { configOf, pointColours, pointsOf, rings, scaleOfFigure, themed, wrapped } from "../../../../frontend/tabs/heads/charts.js";
import { scaleOf } from "../../../../frontend/maps/color.js";

const palette = {
  ink: "ink",
  muted: "muted",
  line: "line",
  accent: "accent",
  outside: "outside",
  tones: ["one", "two"],
  font: "face",
};
const look = {
  ...{ palette, css: scaleOf("light").css, width: 300, height: 200, isTouch: false },
  toneOf: (name) => (name === "Copy" ? 1 : null),
};
const points = (name, marker, customdata, x, y) => ({
  type: "scatter",
  mode: "markers",
  name,
  marker,
  customdata,
  x,
  y,
});
const figure = {
  data: [
    points(
      "Copy",
      { size: 10 },
      [
        [0, 0],
        [2, 1],
      ],
      [0, 5],
      [0.5, 0.25],
    ),
    points("unassigned", { size: 10 }, [[1, 0]], [3], [0]),
  ],
  layout: { title: { text: "Heads" }, xaxis: { title: { text: "Distance" } }, yaxis: {} },
};

test("each head's place is found by layer and head, zeros included", () => {
  assert.deepEqual(Object.fromEntries(pointsOf(figure)), {
    "0.0": { x: 0, y: 0.5 },
    2.1: { x: 5, y: 0.25 },
    "1.0": { x: 3, y: 0 },
  });
});

test("classes get the tone they have everywhere, what is no class a hollow grey", () => {
  const { data, layout } = themed(figure, look);
  assert.equal(data[0].marker.color, "two");
  assert.deepEqual([data[1].marker.color, data[1].marker.symbol], ["muted", "circle-open"]);
  assert.deepEqual(data[0].x, figure.data[0].x, "the numbers are the server's");
  assert.equal(layout.xaxis.title.text, "Distance");
  assert.deepEqual([layout.width, layout.height, layout.title], [300, 200, undefined]);
  assert.equal(figure.data[0].marker.color, undefined, "the figure itself is left as it came");
});

test("a bar of what is no class is outlined, for its quiet fill is near the page's own colour", () => {
  const bar = (name) => ({ type: "bar", name, x: [0], y: [1] });
  const [copy, none] = themed({ data: [bar("Copy"), bar("unassigned")], layout: {} }, look).data;
  assert.deepEqual(copy.marker, { color: "two" });
  assert.deepEqual(none.marker, { color: "outside", line: { color: "muted", width: 1 } });
});

test("a chart too narrow for both has a legend rather than buttons on it", () => {
  const shown = (width, hasLegend, isTouch = false) => configOf({ isTouch, width }, hasLegend).displayModeBar;
  assert.deepEqual([shown(900, true), shown(330, true), shown(330, false)], ["hover", false, "hover"]);
  assert.equal(shown(900, false, true), false, "fingers do not hover");
});

test("numbers are coloured by the page's scale, without the bar that would need inline styles", () => {
  const marker = { color: [0, 2, 5], colorscale: "Viridis", colorbar: { title: { text: "Layer" } } };
  const numbered = {
    ...figure,
    data: [
      points(
        "Layer",
        marker,
        [
          [0, 0],
          [0, 1],
          [0, 2],
        ],
        [1, 2, 3],
        [1, 2, 3],
      ),
    ],
  };
  const [trace] = themed(numbered, look).data;
  assert.equal(trace.marker.showscale, false);
  const colours = pointColours(look.css);
  assert.equal(trace.marker.colorscale[0][1], colours[0].replaceAll(" ", ","));
  assert.equal(trace.marker.colorscale.at(-1)[1], look.css.at(-1).replaceAll(" ", ","));
  assert.deepEqual(scaleOfFigure(numbered), { title: "Layer", low: 0, high: 5 });
  assert.equal(scaleOfFigure(figure), null);
});

test("an axis says what it is; on what and how many stands below, and the legend leaves reasons to the hover", () => {
  const xaxis = { title: { text: "Distance (tokens), on this text, n = 16" } };
  const unassigned = points("no proven role", { size: 8 }, [[1, 0]], [3], [0]);
  const { data, layout } = themed({ data: [unassigned], layout: { ...figure.layout, xaxis } }, look);
  assert.equal(layout.xaxis.title.text, "Distance (tokens)");
  assert.equal(data[0].name, "no proven role");
});

test("a long list of roles is told in several lines, all of it", () => {
  const roles = ["subject → verb", "object → verb", "preposition → noun", "determiner → noun"].join(", ");
  const lines = wrapped(`L2 H8<br>${roles}<br>Entropy: 0.5`).split("<br>");
  assert.equal(lines.length, 4);
  assert.ok(lines.every((line) => line.length <= 42));
  assert.equal(lines.slice(1, 3).join(" "), roles);
});

test("a finger scrolls the page instead of zooming the chart", () => {
  assert.equal(themed(figure, look).layout.dragmode, "zoom");
  assert.equal(themed(figure, { ...look, isTouch: true }).layout.dragmode, false);
});

test("pinned heads and the cursor are ringed where their points are; heads without a point are not", () => {
  const found = rings(
    pointsOf(figure),
    [
      { layer: 0, head: 0 },
      { layer: 9, head: 9 },
    ],
    { layer: 2, head: 1 },
    palette,
  );
  assert.deepEqual(
    found.map(({ xanchor, yanchor, line }) => [xanchor, yanchor, line.color]),
    [
      [0, 0.5, "accent"],
      [5, 0.25, "ink"],
    ],
  );
});
