// Where the pinned maps are scrolled to while the head in focus takes their place.

import { headInFocus } from "../../heads/focus_head.js";
import { pageView } from "../../views/draw_views.js";

/**
 * @param {HTMLElement} root what is scrolled
 * @param {HTMLElement} tools what stays above the maps and the head in focus
 * @returns {{before: PageView, after: PageView}} drawn before the maps are hidden, and after they are shown again
 */
export function keepScroll(root, tools) {
  let isAway = false;
  let kept = 0;
  const reads = (/** @type {State} */ state) => /** @type {const} */ ([headInFocus(state) !== null, state.pins.length > 0]);
  return {
    before: pageView(reads, (isLeaving, isPinning) => {
      if (isLeaving && !isAway) kept = root.scrollTop;
      if (!isPinning) kept = 0;
    }),
    after: pageView(reads, (isLeaving, _isPinning) => {
      if (isLeaving === isAway) return;
      isAway = isLeaving;
      // The head in focus is shown from its top, and a chip above it that is pointed at stays under the pointer.
      root.scrollTop = isLeaving ? Math.min(kept, tools.offsetHeight) : kept;
    }),
  };
}
