// Side a and side b change places: whatever was chosen for a model or a text goes with it.

import { isPair } from "../state/pins.js";
import { onSide } from "../state/sides.js";

/** Why the sides cannot change places. @param {State} state @returns {string} "": they can, or there is no second one */
export function whyNoSwap(state) {
  const { a, b } = state.sides;
  if (b === null || a.continuation.length === onSide(state, "b").continuation.length) return "";
  return "A and B cannot be swapped while A has generated tokens that B does not have: rewind them first, under Generate.";
}

/** What changes when the sides change places. @param {State} state @returns {Partial<State>} */
export function swapped(state) {
  const { pins, detail, lock, grid_side, sides } = state;
  const b = /** @type {NonNullable<State["sides"]["b"]>} */ (sides.b);
  const { model, text, text_pair, continuation, chat } = onSide(state, "b");
  // What b took from a it still takes from a.
  const isOwn = b.text !== null || b.text_pair !== null;
  const texts = isOwn ? { text: sides.a.text, text_pair: sides.a.text_pair } : { text: null, text_pair: null };
  return {
    sides: {
      a: { ...sides.a, model, text, text_pair, continuation, chat },
      b: { ...b, model: b.model && sides.a.model, ...texts, continuation: [], chat: b.chat === null ? null : (sides.a.chat ?? false) },
    },
    pins: pins.map(turned),
    detail: detail && onOtherSide(detail),
    lock: lock && onOtherSide(lock),
    grid_side: grid_side === "difference" ? grid_side : other(grid_side),
  };
}

/** @param {Side} side @returns {Side} */
function other(side) {
  return side === "a" ? "b" : "a";
}

/** @template {{side: Side}} Placed @param {Placed} placed @returns {Placed} */
function onOtherSide(placed) {
  return { ...placed, side: other(placed.side) };
}

/** The same heads under the other letter. A − B stays A − B, as in the grid: its sign turns round. @param {Pin} pin @returns {Pin} */
function turned(pin) {
  if (pin.kind === "overlay") return { ...pin, heads: pin.heads.map(onOtherSide) };
  if (!isPair(pin)) return onOtherSide(pin);
  const parts = [onOtherSide(pin.one), onOtherSide(pin.other)];
  const [one, two] = pin.one.side === pin.other.side ? parts : parts.reverse();
  return { ...pin, one, other: two };
}
