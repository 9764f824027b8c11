// The grids of all heads as they are shown at this moment, as a figure to take away: the same colours, letters, order
// and veil, and what they mean.

import { headsSide, shownSide } from "../heads/grid_side.js";
import { chosenQuantity, shortNames } from "../heads/measures.js";
import { orderOf, orderedBy } from "../heads/ordering.js";
import { atlasOnScreen, roleCountWords } from "../heads/roles.js";
import { shownHeads } from "../heads/showing.js";
import { scaleWords } from "../maps/scales.js";
import { isWeighted } from "../state/selectors.js";
import { analysisOf, seenFrom } from "../state/side.js";
import { flatFill, hasSigns } from "../views/grid/grid.js";
import { drawBadges, drawCellNames, drawVeil } from "../views/grid/grid_badges.js";
import { drawEdges } from "../views/grid/grid_marks.js";
import { paintingOf } from "../views/grid/grid_painter.js";
import { OTHER_WEIGHTS, foundGroups, quantityTicks, quantityWords, ticksOf, unassignedWords } from "../views/grid/legend.js";
import { captionOf, treatmentOf } from "./caption.js";

/** @typedef {import("./grid_figure.js").FigureGrid} FigureGrid */
/** @typedef {import("./grid_figure.js").GridFigure} GridFigure */
/** @typedef {import("./grid_legend.js").GridLegend} GridLegend */

/**
 * @param {State} state
 * @param {Theme} theme
 * @param {Date} now
 * @returns {GridFigure | null} null while something of it is missing
 */
export function gridFigure(state, theme, now) {
  const side = headsSide(state);
  const signed = shownSide(state).side === "difference";
  const stacks = (analysisOf(state, side)?.stacks ?? []).slice(0, signed ? 1 : undefined);
  const doneTo = (/** @type {FigureGrid} */ { title, cells }, /** @type {number} */ at) =>
    ({ name: title, treatment: treatmentOfCells(seenFrom(state, { side, stack: at }), cells) });
  const grids = stacks.flatMap(({ stack, n_layers, n_heads }, at) => {
    const cells = cellsOf(state, { side, stack: at }, theme);
    const title = stacks.length === 1 ? "" : `${stack[0].toUpperCase()}${stack.slice(1)}`;
    const seen = seenFrom(state, { side, stack: at });
    /** @type {FigureGrid["sign"]} */
    const sign = (context, geometry, palette) => {
      if (signed) drawEdges(context, geometry, palette);
      drawBadges(context, geometry, seen, palette);
      drawCellNames(context, geometry, palette);
      drawVeil(context, geometry, seen, palette);
    };
    return cells ? [{ title, layers: n_layers, heads: n_heads, order: orderOf(seen), cells, sign }] : [];
  });
  if (grids.length === 0) return null;
  const seen = seenFrom(state, { side, stack: 0 });
  const title = titleOf(state, seen);
  return {
    title,
    caption: [...(state.against === null ? [] : [`${title}.`]), ...arrangement(seen), ...captionOf(state, grids.map(doneTo), now)],
    palette: theme.palette,
    grids,
    legend: legendOf(seen, signed, theme),
  };
}

/**
 * @param {State} state
 * @param {Place} place
 * @param {Theme} theme
 * @returns {FigureGrid["cells"] | null}
 */
function cellsOf(state, place, theme) {
  const seen = seenFrom(state, place);
  const fillOf = flatFill(seen, theme);
  if (fillOf) return { fillOf, hasSigns: hasSigns(seen) };
  const painting = paintingOf(state, place, theme);
  return painting && { painting, frames: [...(seen.analysis?.layers.values() ?? [])], ground: theme.scale.css[0] };
}

/**
 * What was done to the small maps; numbers of heads are of the maps as the model has them.
 * @param {State} seen
 * @param {FigureGrid["cells"]} cells
 */
function treatmentOfCells(seen, cells) {
  if (!("painting" in cells)) return [];
  const [frame] = cells.frames;
  const block = frame ? Math.ceil(Math.max(frame.n_queries / frame.rows, frame.n_keys / frame.cols)) : 1;
  const merged = seen.words && block === 1;
  const renormalised = seen.hide !== "none" && seen.renormalise && block === 1;
  return treatmentOf(seen, { merged, renormalised, block }, cells.painting.visible !== null);
}

/** @param {State} seen whether its cells are coloured by the roles of their heads */
const isByRole = (seen) => seen.color_by === "role" && atlasOnScreen(seen) !== null;

/** @param {State} state @param {State} seen from the side whose heads they are */
function titleOf(state, seen) {
  const whose = { a: "all heads of A", b: "all heads of B", difference: "A − B, head by head" }[shownSide(state).side];
  const what = chosenQuantity(seen)?.label ?? (isByRole(seen) ? "Roles" : "Attention");
  return state.against === null ? `${what} of all heads` : `${what}: ${whose}`;
}

/** @param {State} seen the order of the heads, which of them stand out, how many have a role, and whose: a sentence each */
function arrangement(seen) {
  const by = orderOf(seen) && orderedBy(seen);
  const isByClass = chosenQuantity(seen)?.classes != null || isByRole(seen);
  const order = by ? `Heads in order of ${by[0].toLowerCase()}${by.slice(1)}${isByClass ? "" : ", strongest first"}, row by row.` : "";
  const shown = shownHeads(seen);
  const record = atlasOnScreen(seen);
  const counted = record ? `${roleCountWords(record)}.` : "";
  const others = record?.revision_matches === false ? OTHER_WEIGHTS : "";
  return [order, shown ? `Not veiled: ${shown.text}` : "", counted, others].filter(Boolean);
}

/**
 * @param {State} seen
 * @param {boolean} signed
 * @param {Theme} theme
 * @returns {GridLegend}
 */
function legendOf(seen, signed, { palette, scale, diverging }) {
  const signOf = (/** @type {number} */ tone, /** @type {string} */ letter, /** @type {string} */ label) =>
    ({ colour: palette.tones[tone % palette.tones.length], letter, label });
  const barOf = (/** @type {string} */ words, /** @type {Tick[]} */ ticks, /** @type {string[]} */ css) =>
    ({ mode: /** @type {const} */ ("heatmap"), words, ticks, drawing: { css, sheet: { top: 1, signed } } });
  const quantity = chosenQuantity(seen);
  const record = atlasOnScreen(seen);
  const signs = record ? foundGroups(record).map(({ tone, group }) => signOf(tone, group.letter, group.label)) : [];
  const lists = record ? [{ title: "", signs, rest: unassignedWords(record, isByRole(seen) ? "hatched" : "no letter") }] : [];
  if (quantity?.classes) {
    const short = shortNames(quantity.classes);
    const classes = quantity.classes.map((label, at) => signOf(at, short[at], label));
    return { bar: null, lists: [{ title: quantityWords(seen, quantity), signs: classes, rest: "" }, ...lists] };
  }
  if (quantity) return { bar: barOf(quantityWords(seen, quantity), quantityTicks(quantity), scale.css), lists };
  if (isByRole(seen)) return { bar: null, lists };
  const words = `${isWeighted(seen) ? "value-weighted " : ""}${scaleWords(seen, signed)}`;
  return { bar: barOf(words, ticksOf(seen, signed), (signed ? diverging : scale).css), lists };
}
