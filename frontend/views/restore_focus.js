// Where the keyboard is, when what it was on goes away: an unpinned panel, a row drawn anew, a button that goes dead.
// A browser would send people back to the top of the page.

/** @typedef {{around: Element[], ancestors: {part: Element, index: number}[]}} Neighbours index: the how-many-eth in it */

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex='0']";

/** @param {Element} part what it is called, so that its like is found again */
function nameOf(part) {
  return part.id || part.getAttribute("title") || part.getAttribute("aria-label") || part.textContent;
}

/** @param {Element} part whether the keyboard can be on it */
function isUsable(part) {
  return part.isConnected && !part.matches(":disabled") && part.checkVisibility();
}

/** @param {Element} part @returns {Neighbours} what stands around it, in reading order, and in what it stands */
function placeOf(part) {
  const around = [...document.querySelectorAll(FOCUSABLE)];
  const at = around.indexOf(part);
  const ancestors = [];
  for (let up = part.parentElement; up; up = up.parentElement) {
    const inside = up;
    ancestors.push({ part: inside, index: at - around.findIndex((one) => inside.contains(one)) });
  }
  return { around, ancestors };
}

/**
 * What the keyboard goes on to: the like of what is gone, else its nearest neighbour, else what stands in its place.
 * @param {Element} gone
 * @param {Neighbours} place
 * @returns {Element | null}
 */
function successor(gone, { around, ancestors }) {
  const at = around.indexOf(gone);
  for (const { part: ancestor, index } of ancestors) {
    const inside = isUsable(ancestor) ? [...ancestor.querySelectorAll(FOCUSABLE)].filter(isUsable) : [];
    if (inside.length === 0) continue;
    const like = inside.filter((part) => nameOf(part) === nameOf(gone));
    const before = around.slice(0, at).filter((part) => nameOf(part) === nameOf(gone));
    const nth = before.filter((part) => !part.isConnected || ancestor.contains(part)).length;
    if (like.length > 0) return like[Math.min(nth, like.length - 1)];
    const near = around.filter((part) => inside.includes(part));
    const away = (/** @type {Element} */ part) => Math.abs(around.indexOf(part) - at);
    if (near.length > 0) return near.reduce((one, other) => (away(other) <= away(one) ? other : one));
    return inside[Math.min(Math.max(index, 0), inside.length - 1)];
  }
  return null;
}

/** @returns {PageView} drawn after all others, whenever something on the page may have gone */
export function createFocusRestorer() {
  /** @type {(Neighbours & {part: Element}) | null} */
  let held = null;
  /** A button that went dead while it was pressed: it gets the keyboard back unless a key was used meanwhile. */
  let resting = /** @type {HTMLElement | null} */ (null);
  let byPointer = false;

  document.addEventListener("focusin", ({ target }) => {
    held = target instanceof Element && !byPointer ? { part: target, ...placeOf(target) } : null;
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
    const next = isUsable(part) ? part : successor(part, held);
    const dead = part.matches(":disabled") && part instanceof HTMLElement ? part : null;
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    resting = dead;
  }
  // What answers a click without the page being drawn has done so by now.
  document.addEventListener("click", settle);
  return { reads: (state) => [state], render: settle };
}
