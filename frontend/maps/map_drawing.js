// How a pinned map is to be drawn, on the page and in figures alike, and why there is nothing to draw.

import { focusOn } from "../compare/comparison.js";
import { perObject } from "../page/memo.js";
import { isPair, partsOf } from "../state/pins.js";
import { activeFilter, isLockShown, isOldPin, shownFocus } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { exactOf } from "./exact.js";
import { whyNotOverlaid } from "./overlay.js";
import { spotOn } from "./readout.js";
import { whyIncomparable } from "./sources.js";
import { visibleLines } from "./visible.js";

/** @typedef {import("./exact.js").Weighting} Weighting */

/** The focus in the tokens of each side, found once for all maps. */
const focusOnSides = perObject((/** @type {State} */ state) => {
  const focus = shownFocus(state);
  return { a: focusOn(state, focus, "a"), b: focusOn(state, focus, "b") };
});

/** The rows and columns in focus; none where a map answers an old question. @param {State} state @param {Pin} pin @param {Sheet} sheet */
export function spotOf(state, pin, sheet) {
  return isOldPin(state, pin) ? null : spotOn(sheet, focusOnSides(state)[axesSide(pin)]);
}

/** The side whose tokens label the axes. @param {What} what */
export function axesSide(what) {
  return partsOf(what)[0].side;
}

/** @param {State} state @param {Pin} pin @param {Sheet} sheet @param {number} width CSS pixels @param {Theme} theme @returns {Drawing} */
export function drawingOf(state, pin, sheet, width, theme) {
  const side = onSide(state, axesSide(pin));
  const { table, css, dimmed } = sheet.signed ? theme.diverging : theme.scale;
  return {
    sheet,
    focus: spotOf(state, pin, sheet),
    locked: isLockShown(state),
    width,
    palette: theme.palette,
    table,
    css,
    visible: visibleLines(activeFilter(side), side.analysis?.tokens ?? [], sheet, theme),
    dimmed: sheet.dimmed && sheet.sinks.includes(1) ? { cols: sheet.sinks, ...dimmed } : null,
    layout: state.layout,
  };
}

/** Why there is nothing to draw; "": there is. @param {State} state @param {Pin} pin @param {Sheet | null} sheet */
export function whyUndrawn(state, pin, sheet) {
  if (sheet !== null && sheet.weights.length === 0) return "Nothing is left to show: every token is hidden.";
  if (sheet !== null && (pin.mode === "heatmap" || sheet.block === 1)) return "";
  const unlike = pin.kind === "overlay" ? whyNotOverlaid(state, pin.heads) : "";
  const incomparable = isPair(pin) ? whyIncomparable(state, pin.one, pin.other) : unlike;
  if (incomparable !== "") return incomparable;
  const isFailed = partsOf(pin).some(({ side }) => state.sides[side]?.run.phase === "failed");
  return isFailed ? "Nothing to show for this text." : "Waiting for its values…";
}

/** Why there are no exact values; null: they are here or on their way. @param {State} state @param {Pin} pin @param {Weighting} values */
export function refusal(state, pin, values) {
  const reason = partsOf(pin).map((part) => exactOf(state, part, values)?.problem?.message).find(Boolean);
  return reason ? `No exact values: ${reason}` : null;
}
