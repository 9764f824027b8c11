// What is in the row of panels: pinning, unpinning, order, and how each is drawn.

import { shownSide } from "../heads/grid_side.js";
import { differenceOf, modeFor, oneHead, whatKey } from "../state/pins.js";
import { isStaleOn } from "../state/selectors.js";

/** @param {Holder} holder */
export function pinActions(holder) {
  const isSame = (/** @type {What} */ what) => (/** @type {What} */ pin) => whatKey(pin) === whatKey(what);

  const actions = {
    /** @param {Cell & Partial<Place>} cell of the first side and stack unless it names another */
    togglePin: (cell) => actions.toggle(oneHead(cell)),
    /** @param {HeadPlace} cell of a grid: what is pinned is what the grid shows there */
    togglePinOf(cell) {
      const head = oneHead(cell);
      actions.toggle(shownSide(holder.state).side === "difference" ? differenceOf(head) : head);
    },
    /** @param {What} what */
    toggle: (what) => (holder.state.pins.some(isSame(what)) ? actions.unpin(what) : actions.pin(what)),
    /** @param {What} what goes to the end of the row, unless it is in it already */
    pin(what) {
      const { pins } = holder.state;
      if (!pins.some(isSame(what))) holder.update({ pins: [...pins, /** @type {Pin} */ ({ ...what, mode: modeFor(what, "heatmap") })] });
    },
    /** @param {What} what */
    unpin: (what) => holder.update({ pins: holder.state.pins.filter((pin) => !isSame(what)(pin)) }),
    unpinAll: () => holder.update({ pins: [] }),
    /** @param {What} what @param {number} by how many places to the right */
    movePin(what, by) {
      const { pins } = holder.state;
      const from = pins.findIndex(isSame(what));
      const to = Math.min(pins.length - 1, Math.max(0, from + by));
      if (from < 0 || from === to) return;
      const rest = pins.filter((_, at) => at !== from);
      holder.update({ pins: [...rest.slice(0, to), pins[from], ...rest.slice(to)] });
    },
    /** @param {Mode} mode @param {What} [what] without it all panels change */
    setMode(mode, what) {
      const change = (/** @type {Pin} */ pin) => (!what || isSame(what)(pin) ? { ...pin, mode: modeFor(pin, mode) } : pin);
      holder.update({ pins: holder.state.pins.map(change) });
    },
    pinCursor() {
      if (holder.state.cursor !== null) actions.togglePinOf(holder.state.cursor);
    },
    /** @param {HeadPlace | null} detail null closes it; the tokens of an older question are not explained */
    openDetail(detail) {
      if (detail === null || !isStaleOn(holder.state, detail.side)) holder.update({ detail });
    },
  };
  return actions;
}
