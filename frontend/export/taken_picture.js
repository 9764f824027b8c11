// The picture that is taken away: the pinned maps, or the grid of all heads, as they look at this moment.

import { drawingContext } from "../page/dom.js";
import { drawFigure, figureSize, figureSvg } from "./figure.js";
import { drawGrid, gridSize, gridSvg } from "./grid_figure.js";
import { pinnedFigure } from "./pinned_figure.js";
import { gridFigure } from "./shown_grids.js";

/**
 * @typedef {object} Picture
 * @property {string} title
 * @property {{width: number, height: number}} size in pixels at scale 1
 * @property {() => string} svg
 * @property {(canvas: HTMLCanvasElement, scale: number) => void} draw throws a RangeError when it would be too large
 */

/**
 * @param {State} state
 * @param {ShownMap[]} maps
 * @param {Theme} theme
 * @param {Date} now
 * @returns {Picture | null} null: there is nothing to draw
 */
export function pictureOfMaps(state, maps, { palette }, now) {
  if (maps.length === 0) return null;
  const figure = pinnedFigure(state, maps, palette, now);
  return {
    title: figure.title,
    size: figureSize(figure, measurer()),
    svg: () => figureSvg(figure, measurer()),
    draw: (canvas, scale) => drawFigure(canvas, figure, scale),
  };
}

/**
 * @param {State} state
 * @param {Theme} theme
 * @param {Date} now
 * @returns {Picture | null}
 */
export function pictureOfGrid(state, theme, now) {
  const figure = gridFigure(state, theme, now);
  return figure && {
    title: figure.title,
    size: gridSize(figure, measurer()),
    svg: () => gridSvg(figure, measurer()),
    draw: (canvas, scale) => drawGrid(canvas, figure, scale),
  };
}

/** @returns {MeasureText} */
function measurer() {
  const context = drawingContext(document.createElement("canvas"));
  return (text, font) => {
    context.font = font;
    return context.measureText(text).width;
  };
}
