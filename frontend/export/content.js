// What is exported: the current view, its maps and its picture, and why parts of it are missing.

import { refusal } from "../maps/map_drawing.js";
import { isAnswered } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { layOutPanels } from "./figure.js";
import { isDrawable, pictureOf } from "./figure_page.js";
import { layOutGrids } from "./grid_figure.js";
import { pinnedFigure } from "./pinned_figure.js";
import { gridFigure } from "./shown_grids.js";
import { shownMaps } from "./shown_maps.js";

/** @typedef {"pinned" | "grid"} Scope the pinned maps, or all heads */
/**
 * @typedef {object} ExportContent
 * @property {State} state
 * @property {string} view the whole view as a link writes it
 * @property {string} server address of the API
 * @property {Date} now
 * @property {Scope} scope
 * @property {string} why why there is nothing to export; "": there is
 * @property {ShownMap[]} maps those of the pinned ones that are drawn
 * @property {import("./shown_maps.js").Missing[]} missing those that are not
 * @property {import("./figure_page.js").Picture | null} picture null: there is nothing to draw
 * @property {number} scale pixels of an image per pixel of the picture; 0: too large for browsers to draw
 */

export const IMAGE_SCALES = [1, 2, 3, 4];

/**
 * @param {Pick<ExportContent, "state" | "view" | "server" | "now">} shown
 * @param {Theme} theme
 * @param {{scope: Scope, scale: number}} chosen the largest scale allowed
 * @param {MeasureText} [measure]
 * @returns {ExportContent}
 */
export function contentOf(shown, theme, { scope, scale }, measure) {
  const { state, now } = shown;
  const why = whyNothing(state);
  if (why !== "") return { ...shown, scope, why, maps: [], missing: [], picture: null, scale: 0 };
  const found = shownMaps(state, theme);
  let picture = null;
  if (scope === "grid") {
    const figure = gridFigure(state, theme, now);
    picture = figure && pictureOf(figure, layOutGrids, measure);
  } else if (found.maps.length > 0) {
    picture = pictureOf(pinnedFigure(state, found.maps, theme.palette, now), layOutPanels, measure);
  }
  const drawable = IMAGE_SCALES.filter((one) => one <= scale && picture !== null && isDrawable(picture.size, one));
  return { ...shown, ...found, scope, why, picture, scale: drawable.at(-1) ?? 0 };
}

/** Why there is nothing to export at all; "": there is. @param {State} state */
function whyNothing(state) {
  const a = onSide(state, "a");
  if (a.run.phase === "failed") return "There is nothing to export: this text has no maps.";
  return isAnswered(a) ? "" : "The maps of this text are loading…";
}

/** Why no numbers can be exported; "": they can. Only exact values are. @param {ExportContent} content */
export function whyNoNumbers({ state, maps, missing }) {
  if (state.pins.length === 0) return "Pin the maps whose weights you want; for all heads at once, copy the program below.";
  const rough = maps.find(({ drawing }) => !drawing.sheet.exact);
  if (rough) return refusal(state, rough.pin, rough.values) ?? "Exact values are loading…";
  if (maps.length === 0) return "None of the pinned maps is drawn.";
  return missing.length > 0 ? "Not all of the pinned maps are drawn yet." : "";
}
