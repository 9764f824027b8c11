// A chart of lines on screen: drawn when it, the theme or its size changes; where only the step does, the marks alone.

import { marksOf, plotted } from "../../drawing/line_chart.js";
import { loadPlotly } from "../../drawing/plotly.js";
import { element, setText } from "../../page/dom.js";
import { isSameList } from "../../page/memo.js";
import { renderLegend } from "./plot_legend.js";

/** @param {string} label what the chart shows, for screen readers */
export function createLinePlot(label) {
  const plot = element("div", { class: "training-plot", role: "figure", "aria-label": label });
  const legend = element("ul", { class: "plot-legend", hidden: true });
  const unloaded = element("p", { class: "chart-unloaded", role: "alert" });
  /** @type {{chart: LineChart, step: number | null, theme: Theme} | null} */
  let wanted = null;
  /** @type {unknown[]} */
  let drawnFrom = [];
  /** @type {number | null | undefined} */
  let drawnStep;
  let isDrawing = false;
  const touch = window.matchMedia("(pointer: coarse)");

  /** @param {any} Plotly */
  async function draw(Plotly) {
    const [width, height] = [plot.clientWidth, plot.clientHeight];
    if (wanted === null || width === 0 || height === 0) return;
    const { chart, step, theme } = wanted;
    const from = [chart, theme, width, height];
    const isSame = isSameList(from, drawnFrom);
    if (isSame && step === drawnStep) return;
    drawnStep = step;
    const shapes = marksOf(chart, step, theme.palette);
    if (isSame) await Plotly.relayout(plot, { shapes });
    else {
      drawnFrom = from;
      const { data, layout } = plotted(chart, { palette: theme.palette, width, height, isTouch: touch.matches });
      await Plotly.react(plot, data, { ...layout, shapes }, { displayModeBar: false, showTips: false });
    }
    plot.dataset.step = String(step);
  }

  async function drawSoon() {
    if (isDrawing) return;
    isDrawing = true;
    const Plotly = await loadPlotly().catch((error) => setText(unloaded, error.message));
    if (Plotly) {
      setText(unloaded, ""); // it may have been missing before
      /** @type {typeof wanted} */
      let drawn;
      do {
        drawn = wanted;
        await draw(Plotly);
      } while (drawn !== wanted); // something else was wanted meanwhile
    }
    isDrawing = false;
  }
  new ResizeObserver(() => wanted && void drawSoon()).observe(plot);

  return {
    root: element("div", { class: "training-chart" }, legend, element("div", { class: "plot-box" }, plot, unloaded)),
    /** @param {LineChart} chart @param {number | null} step @param {Theme} theme */
    draw(chart, step, theme) {
      if (chart !== wanted?.chart || theme !== wanted.theme) renderLegend(legend, chart, theme.palette);
      wanted = { chart, step, theme };
      plot.dataset.points = String(chart.series.at(-1)?.x.length ?? 0);
      void drawSoon();
    },
  };
}
