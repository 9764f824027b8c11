// The cells of all heads as one picture for papers and slides: names and letters as text, maps as one image because
// there would be millions of shapes.

import { clearCells, paintCells } from "../drawing/grid_cells.js";
import { drawHeadings, drawSigns } from "../drawing/grid_signs.js";
import { paintLayers } from "../drawing/small_map.js";
import { SvgContext } from "../drawing/svg_context.js";
import { drawingContext } from "../page/dom.js";
import { EDGE, NARROWEST, headingFont, paintAt, write } from "./figure_page.js";
import { paintGridLegend, placeLegend } from "./grid_legend.js";

/** @typedef {import("../drawing/grid_geometry.js").Geometry} Geometry */
/** @typedef {import("./figure_page.js").FigureContext} FigureContext */
/** @typedef {{frames: Frame[], painting: Painting, ground: string}} Maps a small map in each cell; ground: of a cell without its map */
/**
 * @typedef {object} Colours one colour in each cell
 * @property {(layer: number, head: number) => import("../heads/cells.js").Fill} fillOf
 * @property {boolean} hasSigns whether the lower edge of cells is needed for names and badges
 */
/**
 * @typedef {object} FigureGrid one attention of a model
 * @property {string} title "": it is the only one
 * @property {number} layers
 * @property {number} heads
 * @property {Order | null} order null: as in the model
 * @property {Maps | Colours} cells
 * @property {import("../heads/cells.js").Signs} signs what lies on the cells
 */
/** @typedef {import("./figure_page.js").Figure & {grids: FigureGrid[], legend: import("./grid_legend.js").GridLegend}} GridFigure */

/** The smallest cell has room for a letter; when heads are sorted, each has room for the name of its head. */
const CELL = { smallest: 22, named: 40, largest: 56, all: 840, gap: 4 };
const NAMES = { left: 34, top: 20 };
const MARGIN = 4; // around the cells, see grid_geometry.js
const HEADING = 28;
const BELOW = 20;

/** @param {Surface} context @param {GridFigure} figure @returns {import("./figure_page.js").Body} */
export function layOutGrids(context, { grids, legend, palette }) {
  let y = EDGE;
  const placed = grids.map((grid) => {
    const geometry = geometryOf(grid);
    const at = { grid, geometry, y: y + (grid.title === "" ? 0 : HEADING) };
    y = at.y + geometry.height + BELOW;
    return at;
  });
  const width = Math.max(NARROWEST, ...placed.map(({ geometry }) => geometry.width)) + 2 * EDGE;
  const placedLegend = placeLegend(context, legend, width - 2 * EDGE, palette);
  return {
    width,
    foot: y + placedLegend.height,
    titles: [],
    paint(surface, scale) {
      for (const { grid, geometry, y: top } of placed) {
        if (grid.title !== "") write(surface, grid.title, EDGE, top - HEADING + 12, headingFont(palette), palette.ink);
        paintAt(surface, EDGE, top, () => paintGrid(surface, grid, geometry, palette, scale));
      }
      paintAt(surface, EDGE, y, () => paintGridLegend(surface, placedLegend, palette));
    },
  };
}

/** @param {FigureGrid} grid @returns {Geometry} in pixels of the figure */
function geometryOf({ layers, heads, order }) {
  const { smallest, named, largest, all, gap } = CELL;
  const cell = Math.max(order ? named : smallest, Math.min(largest, Math.floor(all / heads)));
  const { left, top } = NAMES;
  const [width, height] = [left + heads * (cell + gap) - gap + 2 * MARGIN, top + layers * (cell + gap) - gap + 2 * MARGIN];
  return { layers, heads, blocks: 1, rows: layers, cell, gap, left, top, width, height, ratio: 1, order };
}

/** @param {FigureContext} context @param {FigureGrid} grid @param {Geometry} geometry @param {Palette} palette @param {number} scale */
function paintGrid(context, { cells, signs }, geometry, palette, scale) {
  if ("painting" in cells) paintMaps(context, cells, geometry, scale);
  else paintCells(context, geometry, cells.fillOf, { palette }, cells.hasSigns);
  drawHeadings(context, geometry, palette);
  drawSigns(context, geometry, signs, palette);
}

/** The maps of one grid as one image. @param {FigureContext} context @param {Maps} maps @param {Geometry} geometry @param {number} scale */
function paintMaps(context, { frames, painting, ground }, geometry, scale) {
  const { width, height } = geometry;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: width * scale, height: height * scale });
  const inside = drawingContext(canvas);
  inside.scale(scale, scale);
  clearCells(inside, geometry, ground);
  paintLayers(canvas, { ...geometry, ratio: scale }, frames, painting);
  if (context instanceof SvgContext) context.picture(canvas.toDataURL("image/png"), 0, 0, width, height);
  else context.drawImage(canvas, 0, 0, width, height);
}
