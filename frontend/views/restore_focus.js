// Where the focus goes when what had it goes away: an unpinned panel, a row drawn again, a button that is disabled.
// A browser would send people back to the top of the page.

/** @typedef {{part: Element, around: Element[], ancestors: {part: Element, index: number}[]}} Focused index: the how-many-eth in it */

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex='0']";

/** @param {Element} part what it is called, so that its like is found again */
function nameOf(part) {
  return part.id || part.getAttribute("title") || part.getAttribute("aria-label") || part.textContent;
}

/** @param {Element} part whether the keyboard can be on it */
function isUsable(part) {
  return part.isConnected && !part.matches(":disabled") && part.checkVisibility();
}

/** @param {Element} part @returns {Focused} with what is around it, in reading order, and what it is in */
function focusedOn(part) {
  const around = [...document.querySelectorAll(FOCUSABLE)];
  const at = around.indexOf(part);
  const ancestors = [];
  for (let up = part.parentElement; up; up = up.parentElement) {
    const inside = up;
    ancestors.push({ part: inside, index: at - around.findIndex((one) => inside.contains(one)) });
  }
  return { part, around, ancestors };
}

/** What gets the focus next: the same element drawn again, else its nearest neighbour, else what took its place. @param {Focused} was */
function successor({ part: gone, around, ancestors }) {
  const at = around.indexOf(gone);
  const isLike = (/** @type {Element} */ part) => nameOf(part) === nameOf(gone);
  for (const { part: ancestor, index } of ancestors) {
    const inside = isUsable(ancestor) ? [...ancestor.querySelectorAll(FOCUSABLE)].filter(isUsable) : [];
    if (inside.length === 0) continue;
    const like = inside.filter(isLike);
    const before = around.slice(0, at).filter((part) => isLike(part) && (!part.isConnected || ancestor.contains(part)));
    if (like.length > 0) return like[Math.min(before.length, like.length - 1)];
    const near = around.filter((part) => inside.includes(part));
    const away = (/** @type {Element} */ part) => Math.abs(around.indexOf(part) - at);
    if (near.length > 0) return near.reduce((one, other) => (away(other) <= away(one) ? other : one));
    return inside[Math.min(Math.max(index, 0), inside.length - 1)];
  }
  return null;
}

/** @returns {PageView} drawn after all others, whenever something on the page may have gone */
export function createFocusRestorer() {
  /** @type {Focused | null} */
  let held = null;
  /** A button that was disabled while it was pressed: it gets the keyboard back unless a key was used meanwhile. */
  let resting = /** @type {HTMLElement | null} */ (null);
  let byPointer = false;

  document.addEventListener("focusin", ({ target }) => {
    held = target instanceof Element && !byPointer ? focusedOn(target) : null;
  });
  // Whoever uses a mouse is where the mouse is.
  document.addEventListener("pointerdown", () => ([byPointer, held, resting] = [true, null, null]), true);
  document.addEventListener("keydown", () => ([byPointer, resting] = [false, null]), true);

  function settle() {
    if (resting !== null && isUsable(resting)) {
      resting.focus({ preventScroll: true });
      resting = null;
    }
    const active = document.activeElement;
    if (held === null || (active !== null && active !== document.body && isUsable(active))) return;
    const { part } = held;
    // One that was only moved is still there.
    const next = isUsable(part) ? part : successor(held);
    const disabled = part.matches(":disabled") && part instanceof HTMLElement ? part : null;
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    resting = disabled;
  }
  // What answers a click without the page being drawn has done so by now.
  document.addEventListener("click", settle);
  return { reads: (state) => [state], render: settle };
}
