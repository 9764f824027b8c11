// How a panel's map is to be drawn, on the page and in figures alike, and why there is nothing to draw.

import { focusOn } from "../../compare/comparison.js";
import { spotOn } from "../../maps/readout.js";
import { exactKey, whyIncomparable } from "../../maps/sources.js";
import { isPair, partsOf } from "../../state/pins.js";
import { activeFilter, isOldPin, shownFocus } from "../../state/selectors.js";
import { seenFrom } from "../../state/side.js";
import { visibleLines } from "../../drawing/theme.js";

/**
 * @param {State} state
 * @param {Pin} pin
 * @param {Sheet} sheet
 * @param {number} width CSS pixels there are
 * @param {Theme} theme
 * @returns {Drawing}
 */
export function drawingOf(state, pin, sheet, width, theme) {
  const { side } = partsOf(pin)[0]; // whose tokens the axes speak of
  const seen = seenFrom(state, { side, stack: 0 });
  const { table, css } = sheet.signed ? theme.diverging : theme.scale;
  return {
    sheet,
    focus: isOldPin(state, pin) ? null : spotOn(sheet, focusOn(state, shownFocus(state), side)),
    locked: state.lock !== null,
    width,
    palette: theme.palette,
    table,
    css,
    visible: visibleLines(activeFilter(seen), seen.analysis?.tokens ?? [], sheet, theme),
    layout: state.layout,
  };
}

/**
 * Why there is nothing to draw; "": there is.
 * @param {State} state
 * @param {Pin} pin
 * @param {Sheet | null} sheet
 */
export function whyUndrawn(state, pin, sheet) {
  if (sheet !== null && sheet.weights.length === 0) return "Nothing is left to show: every token is hidden.";
  if (sheet !== null && (pin.mode === "heatmap" || sheet.block === 1)) return "";
  const incomparable = isPair(pin) ? whyIncomparable(state, pin.one, pin.other) : "";
  if (incomparable !== "") return incomparable;
  const isFailed = partsOf(pin).some((part) => seenFrom(state, part).run.phase === "failed");
  return isFailed ? "Nothing to show for this text." : "Waiting for its values…";
}

/**
 * Why the exact values of something cannot be had; null: they are here or on their way.
 * @param {State} state
 * @param {Pin} pin
 * @param {"raw" | "weighted"} values
 */
export function refusal(state, pin, values) {
  for (const part of partsOf(pin)) {
    const reason = seenFrom(state, part).refused.get(exactKey(part, values));
    if (reason) return `No exact values: ${reason}`;
  }
  return null;
}
