// The cells of all heads as one picture for papers and slides: names and letters as text, maps as one image, for as
// shapes they would be millions.

import { drawingContext } from "../page/dom.js";
import { paintCells } from "../drawing/grid_cells.js";
import { cellBox } from "../drawing/grid_geometry.js";
import { paintLayers } from "../drawing/grid_maps.js";
import { drawRanks } from "../views/grid/grid_marks.js";
import { CAPTION_LINE, EDGE, FONT, NARROWEST, captionLines, fitCanvas, headingFont, paintCaption, write } from "./figure_page.js";
import { paintGridLegend, placeLegend } from "./grid_legend.js";
import { SvgContext } from "../drawing/svg_context.js";

/** @typedef {import("../drawing/grid_geometry.js").Geometry} Geometry */
/**
 * @typedef {object} Maps a small map in each cell
 * @property {Frame[]} frames
 * @property {Painting} painting
 * @property {string} ground of a cell whose map is not there
 */
/**
 * @typedef {object} Colours one colour in each cell
 * @property {(layer: number, head: number) => import("../drawing/grid_cells.js").Fill} fillOf
 * @property {boolean} hasSigns whether the lower edge of cells is needed for names and badges
 */
/**
 * @typedef {object} FigureGrid one attention of a model
 * @property {string} title "": it is the only one
 * @property {number} layers
 * @property {number} heads
 * @property {Order | null} order null: as in the model
 * @property {Maps | Colours} cells
 * @property {(context: Surface, geometry: Geometry, palette: Palette) => void} sign draws what lies above the cells
 */
/**
 * @typedef {object} GridFigure
 * @property {string} title for readers who do not see the picture
 * @property {string[]} caption a paragraph each
 * @property {Palette} palette
 * @property {FigureGrid[]} grids
 * @property {import("./grid_legend.js").GridLegend} legend
 */
/** @typedef {{grid: FigureGrid, geometry: Geometry, y: number}} Placed the corner of its cells and names */
/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {Placed[]} placed
 * @property {number} foot where the cells end
 * @property {import("./grid_legend.js").PlacedLegend} legend
 * @property {import("./figure_page.js").Lines} caption
 */

/** The smallest has room for a letter; out of the model's order each has room for the name of its head. */
const CELL = { smallest: 22, named: 40, largest: 56, all: 840, gap: 4 };
const NAMES = { left: 34, top: 20 };
const MARGIN = 4; // around the cells, see grid_geometry.js
const HEADING = 28;
const BELOW = 20;
/** Pixels of the image inside an SVG document for one of the figure. */
const SVG_SCALE = 3;

/**
 * @param {GridFigure} figure
 * @param {MeasureText} measure
 * @returns {string} an SVG document
 */
export function gridSvg(figure, measure) {
  const context = new SvgContext(measure);
  const portable = withFont(figure);
  const layout = layOut(context, portable);
  paint(context, portable, layout, (maps, geometry) => {
    context.picture(mapsOf(maps, geometry, SVG_SCALE).toDataURL("image/png"), 0, 0, geometry.width, geometry.height);
  });
  return context.document({ ...layout, title: figure.title, description: figure.caption.join("\n") });
}

/**
 * How large a figure will be, in its own pixels.
 * @param {GridFigure} figure
 * @param {MeasureText} measure
 * @returns {{width: number, height: number}}
 */
export function gridSize(figure, measure) {
  return layOut(new SvgContext(measure), withFont(figure));
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
  paint(context, portable, layout, (maps, geometry) => {
    context.drawImage(mapsOf(maps, geometry, scale), 0, 0, geometry.width, geometry.height);
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
function geometryOf({ layers, heads, order }) {
  const { smallest, named, largest, all, gap } = CELL;
  const cell = Math.max(order ? named : smallest, Math.min(largest, Math.floor(all / heads)));
  const { left, top } = NAMES;
  const [width, height] = [left + heads * (cell + gap) - gap + 2 * MARGIN, top + layers * (cell + gap) - gap + 2 * MARGIN];
  return { layers, heads, cell, gap, left, top, width, height, ratio: 1, order };
}

/**
 * @param {Surface} context
 * @param {GridFigure} figure
 * @returns {Layout}
 */
function layOut(context, { grids, legend, caption, palette }) {
  let y = EDGE;
  const placed = grids.map((grid) => {
    const geometry = geometryOf(grid);
    const at = { grid, geometry, y: y + (grid.title === "" ? 0 : HEADING) };
    y = at.y + geometry.height + BELOW;
    return at;
  });
  const width = Math.max(NARROWEST, ...placed.map(({ geometry }) => geometry.width)) + 2 * EDGE;
  const told = placeLegend(context, legend, width - 2 * EDGE, palette);
  const lines = captionLines(context, caption, width, palette);
  return { width, height: y + told.height + lines.length * CAPTION_LINE + EDGE, placed, foot: y, legend: told, caption: lines };
}

/**
 * @param {Surface} context
 * @param {GridFigure} figure
 * @param {Layout} layout
 * @param {(maps: Maps, geometry: Geometry) => void} paintMaps of one grid
 */
function paint(context, { palette }, { width, height, placed, foot, legend, caption }, paintMaps) {
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, width, height);
  for (const { grid, geometry, y } of placed) {
    if (grid.title !== "") write(context, grid.title, EDGE, y - HEADING + 12, headingFont(palette), palette.ink);
    context.save();
    context.translate(EDGE, y);
    if ("painting" in grid.cells) paintMaps(grid.cells, geometry);
    else paintCells(context, geometry, grid.cells.fillOf, { palette }, grid.cells.hasSigns);
    if (geometry.order) drawRanks(context, geometry, palette);
    else names(context, geometry, palette);
    grid.sign(context, geometry, palette);
    context.restore();
  }
  context.save();
  context.translate(EDGE, foot);
  paintGridLegend(context, legend, palette);
  context.restore();
  paintCaption(context, caption, foot + legend.height, palette);
}

/**
 * The names of layers and heads around the cells.
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {Palette} palette
 */
function names(context, geometry, palette) {
  context.save();
  context.font = `11px ${palette.font}`;
  context.fillStyle = palette.muted;
  context.textBaseline = "middle";
  context.textAlign = "center";
  const isNarrow = geometry.cell < 24;
  for (let head = 0; head < geometry.heads; head += 1) {
    const { x, size } = cellBox(geometry, { layer: 0, head });
    context.fillText(isNarrow && head > 0 ? String(head) : `H${head}`, x + size / 2, 10);
  }
  context.textAlign = "right";
  for (let layer = 0; layer < geometry.layers; layer += 1) {
    const { y, size } = cellBox(geometry, { layer, head: 0 });
    context.fillText(`L${layer}`, geometry.left - 4, y + size / 2);
  }
  context.restore();
}

/**
 * The maps of one grid, nothing between them.
 * @param {Maps} maps
 * @param {Geometry} geometry
 * @param {number} scale
 */
function mapsOf({ frames, painting, ground }, geometry, scale) {
  const canvas = document.createElement("canvas");
  canvas.width = geometry.width * scale;
  canvas.height = geometry.height * scale;
  const context = drawingContext(canvas);
  context.scale(scale, scale);
  context.fillStyle = ground;
  const { layers, heads } = geometry;
  for (let at = 0; at < layers * heads; at += 1) {
    const { x, y, size } = cellBox(geometry, { layer: Math.floor(at / heads), head: at % heads });
    context.fillRect(x, y, size, size);
  }
  paintLayers(canvas, { ...geometry, ratio: scale }, frames, painting.table, painting.mapOf, painting);
  return canvas;
}
