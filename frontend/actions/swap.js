// Side a and side b changing places: whatever was chosen of a model or a text goes along with it. Pure; it must not
// know the page.

import { focusOn } from "../compare/comparison.js";
import { isPair } from "../state/pins.js";
import { seenFrom } from "../state/side.js";
import { NOTHING_ASKED } from "../state/view.js";

/** @typedef {import("../state/view.js").Side} Side */

/**
 * Why the sides cannot change places.
 * @param {State} state
 * @returns {string} "": they can, or there is no second one
 */
export function whyNoSwap(state) {
  const ofB = seenFrom(state, { side: "b", stack: 0 }).continuation;
  if (state.against === null || state.continuation.length === ofB.length) return "";
  return "A and B cannot be swapped: B has no room for what was written after A. Rewind it first, under Generate.";
}

/**
 * @param {State} state
 * @returns {Partial<View>} what is chosen when the sides have changed places
 */
export function swapped(state) {
  const { against, pins, detail, lock, grid_side, continuation } = state;
  const { model, text, text_pair } = seenFrom(state, { side: "b", stack: 0 });
  // What b took over from a it goes on taking over.
  const isOwn = against !== null && (against.text !== null || against.text_pair !== null);
  const texts = isOwn ? { text: state.text, text_pair: state.text_pair } : { text: null, text_pair: null };
  return {
    model,
    text,
    text_pair,
    continuation,
    against: { model: against && against.model && state.model, ...texts },
    pins: pins.map(turned),
    detail: detail && onOtherSide(detail),
    lock: lock && onOtherSide(lock),
    ask: askedOpposite(state),
    grid_side: grid_side === "difference" ? grid_side : other(grid_side),
  };
}

/** @param {Side} side @returns {Side} */
function other(side) {
  return side === "a" ? "b" : "a";
}

/**
 * @template {{side: Side}} Placed
 * @param {Placed} placed
 * @returns {Placed}
 */
function onOtherSide(placed) {
  return { ...placed, side: other(placed.side) };
}

/**
 * The same heads under the other letter. A − B stays A − B, as in the grid: its sign turns round.
 * @param {Pin} pin
 * @returns {Pin}
 */
function turned(pin) {
  if (!isPair(pin)) return onOtherSide(pin);
  const parts = [onOtherSide(pin.one), onOtherSide(pin.other)];
  const [one, two] = pin.one.side === pin.other.side ? parts : parts.reverse();
  return { ...pin, one, other: two };
}

/**
 * What is asked of a link is asked of side a: of the tokens opposite, where there are such.
 * @param {State} state
 * @returns {Ask}
 */
function askedOpposite(state) {
  const { queries, keys, side } = state.ask;
  const opposite = focusOn(state, { side: "a", queries, keys }, "b");
  return opposite === null ? NOTHING_ASKED : { queries: opposite.queries, keys: opposite.keys, side };
}
