// What is exported: the view as it is at this moment, its maps and its picture, and why something of it is missing.

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
 * @property {string} view the whole view as a link says it
 * @property {string} server address of the API
 * @property {Date} now
 * @property {Scope} scope
 * @property {string} why why there is nothing to export; "": there is
 * @property {ShownMap[]} maps those of the pinned ones that are drawn
 * @property {import("./shown_maps.js").Missing[]} missing those that are not
 * @property {import("./figure_page.js").Picture | null} picture null: there is nothing to draw
 * @property {number} scale pixels of an image for one of the picture; 0: browsers can draw none
 */

/** Scales of an image. */
export const IMAGE_SCALES = [1, 2, 3, 4];

/**
 * @param {Pick<ExportContent, "state" | "view" | "server" | "now">} shown
 * @param {Theme} theme
 * @param {{scope: Scope, scale: number}} chosen the largest scale there may be
 * @param {MeasureText} [measure]
 * @returns {ExportContent}
 */
export function contentOf(shown, theme, { scope, scale }, measure) {
  const why = whyNothing(shown.state);
  if (why !== "") return { ...shown, scope, why, maps: [], missing: [], picture: null, scale: 0 };
  const found = shownMaps(shown.state, theme);
  const picture = pictureShown(shown, found.maps, theme, scope, measure);
  const drawable = IMAGE_SCALES.filter((one) => one <= scale && picture !== null && isDrawable(picture.size, one));
  return { ...shown, ...found, scope, why, picture, scale: drawable.at(-1) ?? 0 };
}

/**
 * @param {Pick<ExportContent, "state" | "now">} shown
 * @param {ShownMap[]} maps
 * @param {Theme} theme
 * @param {Scope} scope
 * @param {MeasureText} [measure]
 */
function pictureShown({ state, now }, maps, theme, scope, measure) {
  if (scope === "grid") {
    const figure = gridFigure(state, theme, now);
    return figure && pictureOf(figure, layOutGrids, measure);
  }
  return maps.length === 0 ? null : pictureOf(pinnedFigure(state, maps, theme.palette, now), layOutPanels, measure);
}

/** @param {State} state why there is nothing to export at all; "": there is */
function whyNothing(state) {
  const a = onSide(state, "a");
  if (a.run.phase === "failed") return "There is nothing to export: this text has no maps.";
  return isAnswered(a) ? "" : "The maps of this text are on their way…";
}

/** Why no numbers can be exported; "": they can. Only those of the model itself are. @param {ExportContent} content */
export function whyNoNumbers({ state, maps, missing }) {
  if (state.pins.length === 0) return "Pin the maps whose weights you want; for all heads at once, copy the program below.";
  const rough = maps.find(({ drawing }) => !drawing.sheet.exact);
  if (rough) return refusal(state, rough.pin, rough.values) ?? "Exact values are on their way…";
  if (maps.length === 0) return "None of the pinned maps is drawn.";
  return missing.length > 0 ? "Not all of the pinned maps are drawn yet." : "";
}
