// Several panels in rows as one picture for papers and slides: an SVG document, or a canvas for PNG.

import { drawingContext } from "../page/dom.js";
import { heatmapGeometry, paintHeatmap, paintPicture, pictureCells } from "../drawing/heatmap.js";
import { linesGeometry, paintLines } from "../drawing/lines.js";
import { vectorCells } from "../drawing/vector_cells.js";
import { LEGEND_HEIGHT, legendKey, legendWidth, paintLegend } from "./figure_legend.js";
import { CAPTION_LINE, EDGE, FONT, NARROWEST, captionLines, fitCanvas, headingFont, paintCaption, write } from "./figure_page.js";
import { SvgContext } from "../drawing/svg_context.js";

/** @typedef {import("../drawing/heatmap.js").Geometry} HeatmapGeometry */
/** @typedef {import("../drawing/lines.js").Geometry} LinesGeometry */
/**
 * @typedef {object} FigurePanel
 * @property {string} title such as `L3 H1 · raw`
 * @property {"heatmap" | "lines"} mode
 * @property {Drawing} drawing whose width does not count
 * @property {import("../maps/links.js").Link[]} links of lines, weakest first
 * @property {string} words of the colour scale
 * @property {Tick[]} ticks along it
 */
/**
 * @typedef {object} Figure
 * @property {string} title for readers who do not see the picture
 * @property {string[]} caption a paragraph each: model, sentence, HeadScope and the date
 * @property {Palette} palette
 * @property {FigurePanel[]} panels
 */
/**
 * @typedef {object} Measured a panel and its size without the title
 * @property {FigurePanel} panel
 * @property {HeatmapGeometry | LinesGeometry} geometry
 * @property {number} width
 * @property {number} height
 */
/** @typedef {Measured & {x: number, y: number, foot: number}} Placed its corner with the title, and where the panels of its row end */
/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {Placed[]} placed
 * @property {Placed[]} legends which panels have one below their row
 * @property {number} foot where rows and legends end
 * @property {import("./figure_page.js").Lines} caption
 */

/** What can still be read on a page; even numbers keep a raw map beside its value-weighted twin. */
const ROW = { panels: [4, 2], width: 2800 };
const BETWEEN = 36;
const BELOW_ROW = 20;
const ABOVE_LEGEND = 16;
const HEADING = 28;
const AXIS_WORD = 16;
const LONGEST_LABEL = 160;

/**
 * @param {Figure} figure
 * @param {MeasureText} measure
 * @returns {string} an SVG document
 */
export function figureSvg(figure, measure) {
  const context = new SvgContext(measure);
  const portable = withFont(figure);
  const layout = layOut(context, portable);
  paint(context, portable, layout, vectorCells);
  const description = [...figure.panels.map(({ title }) => title), ...figure.caption].join("\n");
  return context.document({ ...layout, title: figure.title, description });
}

/**
 * How large a figure will be, in its own pixels.
 * @param {Figure} figure
 * @param {MeasureText} measure
 * @returns {{width: number, height: number}}
 */
export function figureSize(figure, measure) {
  return layOut(new SvgContext(measure), withFont(figure));
}

/**
 * Draw on a canvas, which takes the size of the figure.
 * @param {HTMLCanvasElement} canvas
 * @param {Figure} figure
 * @param {number} scale pixels of the canvas for one of the figure, 1 to 4
 */
export function drawFigure(canvas, figure, scale) {
  const context = drawingContext(canvas);
  const portable = withFont(figure);
  const layout = layOut(context, portable);
  fitCanvas(canvas, context, layout, scale);
  paint(context, portable, layout, (drawing) => pictureCells((w, h) => paintPicture(w, h, drawing), scale));
}

/**
 * @param {Figure} figure
 * @returns {Figure}
 */
function withFont(figure) {
  const panels = figure.panels.map((panel) => {
    const { sheet, palette } = panel.drawing;
    const n = Math.max(1, sheet.queries.labels.length, sheet.keys.labels.length);
    const pitch = panel.mode === "heatmap" ? cellFor(n) : Math.max(7, Math.min(18, 1600 / n));
    const fixed = { pitch, longest: LONGEST_LABEL };
    return { ...panel, drawing: { ...panel.drawing, palette: { ...palette, font: FONT }, fixed } };
  });
  return { ...figure, palette: { ...figure.palette, font: FONT }, panels };
}

/**
 * Cells of whole pixels: large for short sentences, then large enough for every label, then as small as must be.
 * @param {number} n tokens of the longer side
 */
function cellFor(n) {
  return Math.max(1, Math.min(24, Math.floor(480 / n)), Math.min(12, Math.floor(1200 / n)));
}

/**
 * @param {Surface} context
 * @param {Figure} figure
 * @returns {Layout}
 */
function layOut(context, { panels, palette, caption }) {
  const isOneLegend = new Set(panels.map(legendKey)).size === 1;
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
    y = foot + (isOneLegend ? 0 : below) + BELOW_ROW;
    right = Math.max(right, x - BETWEEN);
    return placed;
  });
  const width = right + EDGE;
  const lines = captionLines(context, caption, width, palette);
  const placed = rows.flat();
  const foot = Math.max(EDGE, ...placed.map((one) => one.foot)) + below;
  const legends = isOneLegend ? (rows.at(-1)?.slice(0, 1) ?? []) : placed;
  return { width, height: foot + lines.length * CAPTION_LINE + EDGE, placed, legends, foot, caption: lines };
}

/** @param {Measured[]} panels @returns {Measured[][]} as many in each row as can be read there */
function rowsOf(panels) {
  const inRowsOf = (/** @type {number} */ n) =>
    Array.from({ length: Math.ceil(panels.length / n) }, (_, row) => panels.slice(row * n, (row + 1) * n));
  const isReadable = (/** @type {Measured[]} */ row) =>
    row.reduce((sum, { width }) => sum + width, (row.length - 1) * BETWEEN) <= ROW.width;
  return ROW.panels.map(inRowsOf).find((rows) => rows.every(isReadable)) ?? inRowsOf(1);
}

/**
 * @param {Surface} context
 * @param {FigurePanel} panel
 * @param {Palette} palette
 * @returns {Measured}
 */
function measured(context, panel, palette) {
  const isHeatmap = panel.mode === "heatmap";
  const geometry = isHeatmap ? heatmapGeometry(context, panel.drawing) : linesGeometry(context, panel.drawing);
  const words = isHeatmap ? AXIS_WORD : 0;
  context.font = headingFont(palette);
  const heading = Math.ceil(context.measureText(panel.title).width);
  const width = Math.max(geometry.width + words, heading, legendWidth(context, panel, palette));
  return { panel, geometry, width, height: geometry.height + words };
}

/**
 * @template {Surface} Kind
 * @param {Kind} context
 * @param {Figure} figure
 * @param {Layout} layout
 * @param {(drawing: Drawing) => (context: Kind, geometry: HeatmapGeometry) => void} cellsOf
 */
function paint(context, { palette }, { width, height, placed, foot, legends, caption }, cellsOf) {
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, width, height);
  for (const { panel, geometry, x, y } of placed) {
    write(context, panel.title, x, y + 12, headingFont(palette), palette.ink);
    context.save();
    context.translate(x, y + HEADING);
    if ("cell" in geometry) {
      axisWords(context, geometry, palette);
      context.translate(AXIS_WORD, AXIS_WORD);
      paintHeatmap(context, panel.drawing, geometry, cellsOf(panel.drawing));
    } else paintLines(context, panel.drawing, panel.links, geometry);
    context.restore();
  }
  for (const { panel, x, foot: below } of legends) {
    context.save();
    context.translate(x, below + ABOVE_LEGEND);
    paintLegend(context, panel, palette);
    context.restore();
  }
  paintCaption(context, caption, foot, palette);
}

/**
 * Which side of a heatmap is which.
 * @param {Surface} context
 * @param {HeatmapGeometry} geometry
 * @param {Palette} palette
 */
function axisWords(context, { left, top, cell, rows, cols }, palette) {
  const font = `600 10px ${palette.font}`;
  context.save();
  context.textAlign = "center";
  write(context, "KEY", AXIS_WORD + left + (cols * cell) / 2, 8, font, palette.muted);
  context.translate(6, AXIS_WORD + top + (rows * cell) / 2);
  context.rotate(-Math.PI / 2);
  write(context, "QUERY", 0, 4, font, palette.muted);
  context.restore();
}
