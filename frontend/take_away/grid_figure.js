// The small maps of all heads as one picture for papers and slides: names as text, the maps themselves as one image, for
// as shapes they would be millions. It must not know what is chosen on the page; the caller gives grids and words.

import { drawingContext } from "../page/dom.js";
import { cellBox } from "../views/grid/grid_geometry.js";
import { paintLayers } from "../views/grid/grid_maps.js";
import { LEGEND_HEIGHT, paintLegend } from "./figure_legend.js";
import { CAPTION_LINE, EDGE, FONT, NARROWEST, captionLines, fitCanvas, headingFont, paintCaption, write } from "./figure_page.js";
import { SvgContext } from "./svg_context.js";

/** @typedef {import("./svg_context.js").Surface} Surface */
/** @typedef {import("../views/grid/grid_geometry.js").Geometry} Geometry */
/**
 * @typedef {object} FigureGrid one attention of a model
 * @property {string} title "": it is the only one
 * @property {number} layers
 * @property {number} heads
 * @property {import("../server/wire.js").Frame[]} frames
 * @property {import("../views/grid/grid_painter.js").Painting} painting
 */
/**
 * @typedef {object} GridFigure
 * @property {string} title for readers who do not see the picture
 * @property {string[]} caption a paragraph each
 * @property {import("../page/theme.js").Palette} palette
 * @property {FigureGrid[]} grids
 * @property {import("./figure_legend.js").Legend} legend
 */
/** @typedef {{grid: FigureGrid, geometry: Geometry, y: number}} Placed the corner of its cells and names */
/** @typedef {{width: number, height: number, placed: Placed[], foot: number, caption: import("./figure_page.js").Lines}} Layout */

const CELL = { smallest: 16, largest: 56, all: 840, gap: 4 };
const NAMES = { left: 34, top: 20 };
const MARGIN = 4; // around the cells, see grid_geometry.js
const HEADING = 28;
const BELOW = 20;
/** Pixels of the image inside an SVG document for one of the figure. */
const SVG_SCALE = 3;

/**
 * @param {GridFigure} figure
 * @param {import("./svg_context.js").MeasureText} measure
 * @returns {string} an SVG document
 */
export function gridSvg(figure, measure) {
  const context = new SvgContext(measure);
  const portable = withFont(figure);
  const layout = layOut(context, portable);
  paint(context, portable, layout, ({ grid, geometry, y }) => {
    const cells = cellsOf(grid, geometry, SVG_SCALE, portable.legend.drawing.css[0]);
    context.picture(cells.toDataURL("image/png"), EDGE, y, geometry.width, geometry.height);
  });
  return context.document({ ...layout, title: figure.title, description: figure.caption.join("\n") });
}

/**
 * Draw on a canvas, which takes the size of the figure.
 * @param {HTMLCanvasElement} canvas
 * @param {GridFigure} figure
 * @param {number} scale pixels of the canvas for one of the figure
 */
export function drawGrid(canvas, figure, scale) {
  const context = drawingContext(canvas);
  const portable = withFont(figure);
  const layout = layOut(context, portable);
  fitCanvas(canvas, context, layout, scale);
  paint(context, portable, layout, ({ grid, geometry, y }) => {
    const cells = cellsOf(grid, geometry, scale, portable.legend.drawing.css[0]);
    context.drawImage(cells, EDGE, y, geometry.width, geometry.height);
  });
}

/** @param {GridFigure} figure @returns {GridFigure} */
function withFont(figure) {
  return { ...figure, palette: { ...figure.palette, font: FONT } };
}

/**
 * @param {FigureGrid} grid
 * @returns {Geometry} in pixels of the figure
 */
function geometryOf({ layers, heads }) {
  const { smallest, largest, all, gap } = CELL;
  const cell = Math.max(smallest, Math.min(largest, Math.floor(all / heads)));
  const { left, top } = NAMES;
  const [width, height] = [left + heads * (cell + gap) - gap + 2 * MARGIN, top + layers * (cell + gap) - gap + 2 * MARGIN];
  return { layers, heads, cell, gap, left, top, width, height, ratio: 1, order: null };
}

/**
 * @param {Surface} context
 * @param {GridFigure} figure
 * @returns {Layout}
 */
function layOut(context, { grids, caption, palette }) {
  let y = EDGE;
  const placed = grids.map((grid) => {
    const geometry = geometryOf(grid);
    const at = { grid, geometry, y: y + (grid.title === "" ? 0 : HEADING) };
    y = at.y + geometry.height + BELOW;
    return at;
  });
  const width = Math.max(NARROWEST, ...placed.map(({ geometry }) => geometry.width)) + 2 * EDGE;
  const lines = captionLines(context, caption, width, palette);
  return { width, height: y + LEGEND_HEIGHT + lines.length * CAPTION_LINE + EDGE, placed, foot: y, caption: lines };
}

/**
 * @param {Surface} context
 * @param {GridFigure} figure
 * @param {Layout} layout
 * @param {(placed: Placed) => void} cells draws the maps of one grid
 */
function paint(context, { palette, legend }, { width, height, placed, foot, caption }, cells) {
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, width, height);
  for (const one of placed) {
    if (one.grid.title !== "") write(context, one.grid.title, EDGE, one.y - HEADING + 12, headingFont(palette), palette.ink);
    cells(one);
    names(context, one, palette);
  }
  context.save();
  context.translate(EDGE, foot);
  paintLegend(context, legend, palette);
  context.restore();
  paintCaption(context, caption, foot + LEGEND_HEIGHT, palette);
}

/**
 * The names of layers and heads around the cells.
 * @param {Surface} context
 * @param {Placed} placed
 * @param {import("../page/theme.js").Palette} palette
 */
function names(context, { geometry, y: top }, palette) {
  context.save();
  context.font = `11px ${palette.font}`;
  context.fillStyle = palette.muted;
  context.textBaseline = "middle";
  context.textAlign = "center";
  const isNarrow = geometry.cell < 24;
  for (let head = 0; head < geometry.heads; head += 1) {
    const { x, size } = cellBox(geometry, { layer: 0, head });
    context.fillText(isNarrow && head > 0 ? String(head) : `H${head}`, EDGE + x + size / 2, top + 10);
  }
  context.textAlign = "right";
  for (let layer = 0; layer < geometry.layers; layer += 1) {
    const { y, size } = cellBox(geometry, { layer, head: 0 });
    context.fillText(`L${layer}`, EDGE + geometry.left - 4, top + y + size / 2);
  }
  context.restore();
}

/**
 * The maps of one grid, nothing between them.
 * @param {FigureGrid} grid
 * @param {Geometry} geometry
 * @param {number} scale
 * @param {string} ground of a cell whose map is not there
 */
function cellsOf({ frames, painting, layers, heads }, geometry, scale, ground) {
  const canvas = document.createElement("canvas");
  canvas.width = geometry.width * scale;
  canvas.height = geometry.height * scale;
  const context = drawingContext(canvas);
  context.scale(scale, scale);
  context.fillStyle = ground;
  for (let at = 0; at < layers * heads; at += 1) {
    const { x, y, size } = cellBox(geometry, { layer: Math.floor(at / heads), head: at % heads });
    context.fillRect(x, y, size, size);
  }
  paintLayers(canvas, { ...geometry, ratio: scale }, frames, painting.table, painting.mapOf, painting);
  return canvas;
}
