// The tokens in focus: hovered, locked, several at once; and where the cursor of the grid is. Neither can be on what
// is still on screen of an older question.

import { focusOn } from "../compare/comparison.js";
import { isSameList } from "../page/memo.js";
import { isStaleOn, shownFocus } from "../state/selectors.js";

/** @param {Focus | null} one @param {Focus | null} other */
export function sameFocus(one, other) {
  if (one === null || other === null) return one === other;
  return one.side === other.side && isSameList(one.queries, other.queries) && isSameList(one.keys, other.keys);
}

/**
 * The locked tokens with those of another focus; without them when all of these are locked already.
 * @param {Focus} lock
 * @param {Focus} focus
 * @returns {Focus | null} null: none is left
 */
function toggled(lock, focus) {
  const ends = /** @type {const} */ (["queries", "keys"]);
  const isIn = ends.every((end) => focus[end].every((token) => lock[end].includes(token)));
  const [queries, keys] = ends.map((end) => {
    if (isIn) return lock[end].filter((token) => !focus[end].includes(token));
    return [...new Set([...lock[end], ...focus[end]])].sort((one, other) => one - other);
  });
  return queries.length + keys.length === 0 ? null : { side: lock.side, queries, keys };
}

/** What is locked after a click on a token. @param {Focus} lock @param {number} token @param {boolean} adding @returns {Focus} */
function nextLock({ side, queries, keys }, token, adding) {
  const without = (/** @type {number[]} */ tokens) => tokens.filter((one) => one !== token);
  if (queries.includes(token)) return { side, queries: without(queries), keys: adding ? keys : [] };
  if (keys.includes(token)) return { side, queries, keys: without(keys) };
  const isTo = adding ? keys.length > 0 : queries.length > 0 && keys.length === 0;
  const sorted = (/** @type {number[]} */ tokens) => [...tokens, token].sort((one, other) => one - other);
  if (adding) return isTo ? { side, queries, keys: sorted(keys) } : { side, queries: sorted(queries), keys };
  return isTo ? { side, queries, keys: [token] } : { side, queries: [token], keys: [] };
}

/** @param {Holder} holder */
export function focusActions(holder) {
  const { update } = holder;
  const isOld = (/** @type {{side: Side}} */ { side }) => isStaleOn(holder.state, side);

  const actions = {
    /** @param {(Cell & Partial<Place>) | null} cell of the first grid unless it names another */
    pointAt(cell) {
      const pointed = cell && { side: /** @type {Side} */ ("a"), stack: 0, ...cell };
      const cursor = pointed && isOld(pointed) ? null : pointed;
      const keys = /** @type {const} */ (["side", "stack", "layer", "head"]);
      if (keys.some((key) => cursor?.[key] !== holder.state.cursor?.[key])) update(cursor ? { cursor, seen: cursor } : { cursor });
    },
    /** The pointer stays where it is. */
    rest: () => update({ rested: holder.state.cursor }),
    /** @param {HeadPlace | null} head comes into focus without being pointed at */
    see: (head) => update({ seen: head }),
    /** The room of a map has changed: it is drawn again. */
    noteRoom: () => update({ room: {} }),
    /** @param {Focus | null} focus */
    hover(focus) {
      const hover = focus && isOld(focus) ? null : focus;
      if (!sameFocus(hover, holder.state.hover)) update({ hover });
    },
    /**
     * Lock a focus, or release it when it is the locked one.
     * @param {Focus} focus
     * @param {boolean} [adding] its tokens join those that are locked already; tokens of the other side become those
     *   they are aligned with, and if there are none the lock stays as it is
     */
    toggleLock(focus, adding = false) {
      const { lock } = holder.state;
      if (isOld(focus)) return;
      if (!adding || lock === null) return update({ lock: sameFocus(focus, lock) ? null : focus, hover: focus });
      const added = focusOn(holder.state, focus, lock.side);
      if (added !== null) update({ lock: toggled(lock, added), hover: null });
    },
    /**
     * A token of the strip: the first one is where attention comes from, the next one where it goes to.
     * @param {Side} side
     * @param {number} token a chosen one is released
     * @param {boolean} [adding] it joins the end that was chosen last
     */
    chooseToken(side, token, adding = false) {
      if (isOld({ side })) return;
      const { lock, example } = holder.state;
      const own = lock?.side === side && lock !== example ? lock : null;
      const next = nextLock(own ?? { side, queries: [], keys: [] }, token, adding);
      update({ lock: next.queries.length + next.keys.length === 0 ? null : next, hover: null });
    },
    /** @param {Focus} example is chosen for a first visit */
    showExample: (example) => update({ lock: example, example }),
    swapLock() {
      const { lock } = holder.state;
      if (lock) update({ lock: { ...lock, queries: lock.keys, keys: lock.queries }, hover: null });
    },
    /** @param {Focus} focus where the arrow keys moved; a locked focus moves with it */
    moveFocus(focus) {
      if (!isOld(focus)) update({ hover: focus, lock: holder.state.lock && focus });
    },
    lockFocus() {
      const focus = shownFocus(holder.state);
      if (focus !== null) actions.toggleLock(focus);
    },
    /** What Escape does: the lock first, then what is hovered. @returns {boolean} whether anything was released */
    release() {
      const { lock, hover, cursor, detail } = holder.state;
      if (detail !== null) update({ detail: null });
      else if (lock !== null) update({ lock: null, hover: null });
      else if (hover !== null || cursor !== null) update({ hover: null, cursor: null });
      else return false;
      return true;
    },
  };
  return actions;
}
