// Several panels in rows as one picture for papers and slides.

import { heatmapGeometry, paintAround, paintPixelCells } from "../drawing/heatmap.js";
import { linesGeometry, paintLines } from "../drawing/lines.js";
import { SvgContext } from "../drawing/svg_context.js";
import { paintVectorCells } from "../drawing/vector_cells.js";
import { LEGEND_HEIGHT, legendKey, legendWidth, paintLegend } from "./figure_legend.js";
import { EDGE, NARROWEST, headingFont, paintAt, write } from "./figure_page.js";

/** @typedef {import("../drawing/heatmap.js").Geometry} HeatmapGeometry */
/** @typedef {import("./figure_page.js").FigureContext} FigureContext */
/**
 * A panel with its legend: a title such as `L3 H1 · raw`, a drawing whose width is ignored, links of lines, weakest first
 * @typedef {import("./figure_legend.js").Legend & {title: string, drawing: Drawing, links: import("../maps/links.js").Link[]}} FigurePanel
 */
/** @typedef {import("./figure_page.js").Figure & {panels: FigurePanel[]}} PanelFigure */
/** @typedef {HeatmapGeometry | import("../drawing/lines.js").Geometry} Geometry */
/** @typedef {{panel: FigurePanel, geometry: Geometry, width: number, height: number}} Measured its size is without the title */
/** @typedef {Measured & {x: number, y: number, foot: number}} Placed its corner with the title, and where its row of panels ends */

/** What is still readable on a page; even numbers keep a raw map beside its value-weighted one. */
const ROW = { panels: [4, 2], width: 2800 };
const BETWEEN = 36;
const BELOW_ROW = 20;
const ABOVE_LEGEND = 16;
const HEADING = 28;
const AXIS_WORD = 16;
const LONGEST_LABEL = 160;

/** @param {Surface} context @param {PanelFigure} figure @returns {import("./figure_page.js").Body} */
export function layOutPanels(context, { panels, palette }) {
  const hasOneLegend = new Set(panels.map(legendKey)).size === 1;
  const below = ABOVE_LEGEND + LEGEND_HEIGHT;
  let [y, right] = [EDGE, NARROWEST + EDGE];
  const rows = rowsOf(panels.map((panel) => measured(context, panel, palette))).map((row) => {
    const foot = y + HEADING + Math.max(...row.map(({ height }) => height));
    let x = EDGE;
    const placed = row.map((one) => {
      const at = { ...one, x, y, foot };
      x += one.width + BETWEEN;
      return at;
    });
    y = foot + (hasOneLegend ? 0 : below) + BELOW_ROW;
    right = Math.max(right, x - BETWEEN);
    return placed;
  });
  const placed = rows.flat();
  const legends = hasOneLegend ? (rows.at(-1)?.slice(0, 1) ?? []) : placed;
  return {
    width: right + EDGE,
    foot: Math.max(EDGE, ...placed.map((one) => one.foot)) + below,
    titles: panels.map(({ title }) => title),
    paint(surface, scale) {
      for (const one of placed) paintPanel(surface, one, palette, scale);
      for (const { panel, x, foot } of legends) paintAt(surface, x, foot + ABOVE_LEGEND, () => paintLegend(surface, panel, palette));
    },
  };
}

/** Cells of whole pixels: large for short sentences, then large enough for labels, then as small as needed. @param {number} n tokens */
function cellFor(n) {
  return Math.max(1, Math.min(24, Math.floor(480 / n)), Math.min(12, Math.floor(1200 / n)));
}

/** @param {Measured[]} panels @returns {Measured[][]} as many in each row as can be read there */
function rowsOf(panels) {
  const inRowsOf = (/** @type {number} */ n) =>
    Array.from({ length: Math.ceil(panels.length / n) }, (_, row) => panels.slice(row * n, (row + 1) * n));
  const isReadable = (/** @type {Measured[]} */ row) =>
    row.reduce((sum, { width }) => sum + width, (row.length - 1) * BETWEEN) <= ROW.width;
  return ROW.panels.map(inRowsOf).find((rows) => rows.every(isReadable)) ?? inRowsOf(1);
}

/** @param {Surface} context @param {FigurePanel} shown @param {Palette} palette of the figure @returns {Measured} */
function measured(context, shown, palette) {
  const { queries, keys } = shown.drawing.sheet;
  const n = Math.max(1, queries.labels.length, keys.labels.length);
  const isHeatmap = shown.mode === "heatmap";
  const pitch = isHeatmap ? cellFor(n) : Math.max(7, Math.min(18, 1600 / n));
  const drawing = { ...shown.drawing, palette, fixed: { pitch, longest: LONGEST_LABEL } };
  const geometry = isHeatmap ? heatmapGeometry(context, drawing) : linesGeometry(context, drawing);
  const words = isHeatmap ? AXIS_WORD : 0;
  context.font = headingFont(palette);
  const heading = Math.ceil(context.measureText(shown.title).width);
  const width = Math.max(geometry.width + words, heading, legendWidth(context, shown, palette));
  return { panel: { ...shown, drawing }, geometry, width, height: geometry.height + words };
}

/** @param {FigureContext} context @param {Placed} placed @param {Palette} palette @param {number} scale */
function paintPanel(context, { panel: { title, drawing, links }, geometry, x, y }, palette, scale) {
  write(context, title, x, y + 12, headingFont(palette), palette.ink);
  paintAt(context, x, y + HEADING, () => {
    if (!("cell" in geometry)) return paintLines(context, drawing, links, geometry);
    paintAxisWords(context, geometry, palette);
    context.translate(AXIS_WORD, AXIS_WORD);
    // Cells are shapes in a document and a picture on a canvas.
    if (context instanceof SvgContext) paintVectorCells(context, drawing, geometry);
    else paintPixelCells(context, drawing, geometry, scale);
    paintAround(context, drawing, geometry);
  });
}

/** Which side of a heatmap is which. @param {Surface} context @param {HeatmapGeometry} geometry @param {Palette} palette */
function paintAxisWords(context, { left, top, cell, rows, cols }, palette) {
  const font = `600 10px ${palette.font}`;
  context.save();
  context.textAlign = "center";
  write(context, "KEY", AXIS_WORD + left + (cols * cell) / 2, 8, font, palette.muted);
  context.translate(6, AXIS_WORD + top + (rows * cell) / 2);
  context.rotate(-Math.PI / 2);
  write(context, "QUERY", 0, 4, font, palette.muted);
  context.restore();
}
