// Lines as Plotly draws them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { marksOf, plotted, rangeOf } from "../../../frontend/drawing/line_chart.js";

const palette = { ink: "rgb(1, 2, 3)", muted: "rgb(4, 5, 6)", accent: "rgb(7, 8, 9)", line: "rgb(0, 0, 0)", surface: "rgb(255, 255, 255)", tones: ["rgb(10, 0, 0)", "rgb(20, 0, 0)"], font: "x" };
const style = { palette, width: 400, height: 250, isTouch: false };
const series = (more = {}) => ({ name: "one", x: [0, 1], y: [1, 2], tone: 0, width: 2, ...more });
const chart = (more = {}) => ({ series: [series()], lines: [], xTitle: "Step", xRange: [0, 10], yTitle: "Loss", ...more });

test("a line has its colour, a band its two ends below it, bars their lengths", () => {
  const { data } = plotted(chart({ series: [series({ tone: 1, low: [0, 1], high: [2, 4] }), series({ low: [0, 1], high: [2, 4], ends: "bars" }), series({ width: 0 })] }), style);
  assert.deepEqual(data.map(({ mode }) => mode), ["lines", "lines", "lines", "lines+markers", "markers"]);
  assert.deepEqual([data[1].fill, data[1].fillcolor, data[2].line.color], ["tonexty", "rgba(20,0,0,0.16)", "rgb(20, 0, 0)"]);
  assert.deepEqual([data[3].error_y.array, data[3].error_y.arrayminus], [[1, 2], [1, 1]]);
});

test("the range holds all numbers and levels with some air, also where there are none", () => {
  const [low, high] = rangeOf([series({ y: [1, null], low: [0.5, null] })], [{ y: 3, text: "" }]);
  assert.ok(low < 0.5 && low > 0.3 && high > 3 && high < 3.2);
  assert.deepEqual(rangeOf([], []), [0, 1]);
  const [least, most] = rangeOf([series({ y: [0.8, 0.8000000000000002] })], []);
  assert.ok(most - least > 0.9, "one number up to rounding");
});

test("names of levels that lie close do not lie on each other", () => {
  const lines = [{ y: 0.57, text: "b" }, { y: 0.51, text: "a" }, { y: 0.52, text: "c" }];
  const { layout } = plotted(chart({ lines }), style);
  const places = layout.annotations.map(({ y }) => y);
  assert.deepEqual(layout.annotations.map(({ text }) => text), ["a", "c", "b"]);
  const least = ((layout.yaxis.range[1] - layout.yaxis.range[0]) / 180) * 12;
  assert.ok(places[1] - places[0] > least && places[2] - places[1] > least);
});

test("the step is a line over the levels, and there is none where there is no step", () => {
  const shapes = marksOf(chart({ lines: [{ y: 1, text: "" }] }), 5, palette);
  assert.deepEqual(shapes.map(({ x0, line }) => [x0, line.color]), [[0, palette.muted], [5, palette.accent]]);
  assert.equal(marksOf(chart(), null, palette).length, 0);
});

test("an axis may have words in place of numbers", () => {
  const { layout } = plotted(chart({ xTicks: [{ at: 0, text: "1" }, { at: 3, text: "8" }] }), style);
  assert.deepEqual([layout.xaxis.tickvals, layout.xaxis.ticktext], [[0, 3], ["1", "8"]]);
});
