// The pinned maps as they are drawn now, for exports, and why some of them are not drawn.

import { shownValues } from "../maps/exact.js";
import { axesSide, drawingOf, whyUndrawn } from "../maps/map_drawing.js";
import { sheetOf } from "../maps/sources.js";
import { whatName } from "../state/pins.js";
import { onSide } from "../state/sides.js";
import { treatmentOf } from "./caption.js";

/**
 * @typedef {object} ShownMap
 * @property {string} name such as `L3 H1`
 * @property {string} title such as `L3 H1 · raw`
 * @property {Pin} pin
 * @property {"raw" | "weighted"} values
 * @property {Drawing} drawing whose width is ignored
 * @property {string[]} treatment what was done to its weights
 */
/** @typedef {{title: string, reason: string}} Missing */

/** @param {State} state @param {Theme} theme */
export function shownMaps(state, theme) {
  /** @type {ShownMap[]} */
  const maps = [];
  /** @type {Missing[]} */
  const missing = [];
  for (const pin of state.pins) {
    const name = whatName(pin);
    for (const values of shownValues(state, pin)) {
      const title = `${name} · ${values === "raw" ? "raw" : "value-weighted"}`;
      const sheet = sheetOf(state, pin, values);
      const reason = whyUndrawn(state, pin, sheet);
      if (sheet === null || reason !== "") missing.push({ title, reason });
      else {
        const drawing = drawingOf(state, pin, sheet, 0, theme);
        const treatment = treatmentOf(onSide(state, axesSide(pin)), { ...sheet, dimmed: drawing.dimmed != null }, drawing.visible !== null);
        maps.push({ name, title, pin, values, drawing, treatment });
      }
    }
  }
  return { maps, missing };
}
