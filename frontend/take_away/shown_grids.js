// The grids of all heads as they are shown at this moment, as a figure to take away. It must not know how figures are
// drawn, nor the page.

import { headsSide, shownSide } from "../compare/grid_side.js";
import { scaleWords } from "../maps/scales.js";
import { isWeighted } from "../state/selectors.js";
import { analysisOf } from "../state/side.js";
import { paintingOf } from "../views/grid/grid_painter.js";
import { ticksOf } from "../views/grid/legend.js";
import { captionOf } from "./caption.js";

/** @typedef {import("./grid_figure.js").GridFigure} GridFigure */
/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../views/paper.js").Paper} Paper */

/**
 * @param {State} state
 * @param {Paper} paper
 * @param {Date} now
 * @returns {GridFigure | null} null while something of it is missing
 */
export function gridFigure(state, paper, now) {
  const side = headsSide(state);
  const whose = shownSide(state).side;
  const signed = whose === "difference";
  const stacks = (analysisOf(state, side)?.stacks ?? []).slice(0, signed ? 1 : undefined);
  const grids = stacks.flatMap(({ stack, n_layers, n_heads, layers }, at) => {
    const painting = paintingOf(state, { side, stack: at }, paper);
    const title = stacks.length === 1 ? "" : `${stack[0].toUpperCase()}${stack.slice(1)}`;
    return painting ? [{ title, layers: n_layers, heads: n_heads, frames: [...layers.values()], painting }] : [];
  });
  if (grids.length === 0) return null;
  const { css } = signed ? paper.diverging : paper.scale;
  const sides = { a: "all heads of A", b: "all heads of B", difference: "A − B, head by head" };
  const words = `${isWeighted(state) ? "value-weighted " : ""}${scaleWords(state, signed)}`;
  const title = state.against === null ? "Attention of all heads" : `Attention: ${sides[whose]}`;
  const caption = captionOf(state, now);
  return {
    title,
    caption: state.against === null ? caption : [`${title}.`, ...caption],
    palette: paper.palette,
    grids,
    legend: { mode: "heatmap", words, ticks: ticksOf(state, signed), drawing: { css, sheet: { top: 1, signed } } },
  };
}
