// The chart of all heads on screen: its points pin, follow the grid's cursor and move it.

import { loadPlotly } from "../../drawing/plotly.js";
import { numberText } from "../../heads/measures.js";
import { atlasOnScreen } from "../../heads/roles.js";
import { element, setText } from "../../page/dom.js";
import { isSameList } from "../../page/memo.js";
import { headPins } from "../../state/pins.js";
import { drawColours } from "../../views/parts/color_bar.js";
import { configOf, pointColours, pointsOf, rings, scaleOfFigure, themed } from "./charts.js";

/** @param {number} width CSS pixels */
const heightOf = (width) => Math.round(Math.min(460, Math.max(320, 0.7 * width)));

/**
 * A chart that is redrawn when the figure, the theme or its width changes; where only the rings do, they alone.
 * @param {HTMLElement} plot
 * @param {Actions} actions
 * @param {(message: string) => void} complain
 * @returns {(side: SideView, figure: Figure, theme: Theme) => void} draws it
 */
export function createHeadChart(plot, actions, complain) {
  /** @type {{side: SideView, figure: Figure, theme: Theme} | null} */
  let wanted = null;
  /** @type {unknown[]} */
  let drawnFrom = [];
  let drawnRings = "[]";
  let isListening = false;
  const touch = window.matchMedia("(pointer: coarse)");

  function listen() {
    isListening = true;
    const chart = /** @type {any} */ (plot);
    const onHead = (/** @type {(cell: Cell | null) => void} */ act) => (/** @type {any} */ event) => {
      const [layer, head] = event.points[0]?.customdata ?? [];
      act(head === undefined ? null : { layer, head });
    };
    chart.on("plotly_click", onHead((cell) => cell && actions.togglePin(cell)));
    chart.on("plotly_hover", onHead(actions.pointAt));
    chart.on("plotly_unhover", () => actions.pointAt(null));
  }

  /** @param {any} Plotly */
  async function draw(Plotly) {
    const width = plot.clientWidth;
    if (wanted === null || width === 0) return;
    const { side, figure, theme } = wanted;
    const from = [figure, theme, width];
    const shapes = rings(pointsOf(figure), headPins(side.pins), side.cursor, theme.palette);
    const isSame = isSameList(from, drawnFrom);
    if (isSame && JSON.stringify(shapes) === drawnRings) return;
    drawnRings = JSON.stringify(shapes);
    if (isSame) return Plotly.relayout(plot, { shapes });
    drawnFrom = from;
    const style = {
      palette: theme.palette,
      css: theme.scale.css,
      toneOf: (/** @type {string} */ name) => toneOf(side, name),
      width,
      height: heightOf(width),
      isTouch: touch.matches,
    };
    const { data, layout } = themed(figure, style);
    await Plotly.react(plot, data, { ...layout, shapes }, configOf(style, layout.showlegend));
    plot.dataset.points = String(pointsOf(figure).size);
    if (!isListening) listen();
  }

  async function drawSoon() {
    const Plotly = await loadPlotly().catch((error) => complain(error.message));
    if (!Plotly) return;
    complain(""); // it may have been missing before
    await draw(Plotly);
  }
  new ResizeObserver(() => wanted && void drawSoon()).observe(plot);
  return (side, figure, theme) => {
    wanted = { side, figure, theme };
    plot.style.minHeight = `${heightOf(plot.clientWidth)}px`; // what is below does not jump when the chart is there
    void drawSoon();
  };
}

/** The bar that shows which values the colours of the points mean. */
export function createChartScale() {
  const [low, high, title] = [element("span"), element("span"), element("span", { class: "quiet" })];
  const canvas = element("canvas", { "aria-hidden": "true" });
  const root = element("div", { class: "chart-scale" }, title, low, canvas, high);
  return {
    root,
    /** @param {Figure | null} figure @param {Theme} theme */
    render(figure, theme) {
      const scale = figure && scaleOfFigure(figure);
      root.hidden = !scale;
      if (!scale) return;
      const text = (/** @type {number} */ value) => (Number.isInteger(value) ? String(value) : numberText(value));
      setText(title, scale.title);
      setText(low, text(scale.low));
      setText(high, text(scale.high));
      drawColours(canvas, pointColours(theme.scale.css));
    },
  };
}

/** The number of a group of roles or of a class, as everywhere on the page. @param {SideView} side @param {string} name */
function toneOf(side, name) {
  const group = atlasOnScreen(side)?.groups.findIndex(({ label }) => label === name) ?? -1;
  const at = group >= 0 ? group : (side.metrics_catalogue?.shapes.indexOf(name) ?? -1);
  return at >= 0 ? at : null;
}
