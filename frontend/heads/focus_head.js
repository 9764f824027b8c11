// Which head is in focus: the one that is pointed at, else a pinned one, else the last one seen, else the best one for
// what is on screen.

import { weightIn } from "../maps/map_lines.js";
import { perObject } from "../page/memo.js";
import { differenceOf, oneHead, whatKey } from "../state/pins.js";
import { chosenExample, isStale } from "../state/selectors.js";
import { analysisOf, onSide } from "../state/sides.js";
import { shownSide } from "./grid_side.js";
import { suggestedLink } from "./ranking.js";
import { atlasOnScreen, byStrength, rolesByHead } from "./roles.js";

/** The head that fills the focus half: one that is pointed at and not pinned, or any while nothing is pinned. @param {State} state */
export function headInFocus(state) {
  const { cursor, pins } = state;
  if (cursor === null) return pins.length > 0 ? null : lastSeen(state);
  return pins.some((pin) => whatKey(pin) === whatKey(shownOf(state, cursor))) ? null : cursor;
}

/** What is shown of a head: its map, or while A − B is shown how it differs. @param {State} state @param {HeadPlace} place @returns {What} */
export function shownOf(state, place) {
  const head = oneHead(place);
  return shownSide(state).side === "difference" && place.side === "a" ? differenceOf(head) : head;
}

/** The head whose links are drawn over the tokens. @param {State} state @returns {HeadPlace | null} */
export function headOfArcs(state) {
  const pinned = state.pins.find((pin) => pin.kind === "head");
  return state.cursor ?? pinned ?? lastSeen(state);
}

/** @param {State} state @returns {HeadPlace | null} */
function lastSeen(state) {
  return isSeenThere(state) ? state.seen : bestHead(state);
}

/** Whether the head that was seen last is one of those on screen: another model may not have it. @param {State} state */
export function isSeenThere(state) {
  const { seen } = state;
  const stack = seen && analysisOf(state, seen.side)?.stacks[seen.stack];
  return Boolean(stack && seen.layer < stack.n_layers && seen.head < stack.n_heads);
}

/** The head that makes the example's link, else one with the clearest role, else the first. @param {State} state @returns {HeadPlace | null} */
export function bestHead(state) {
  const a = onSide(state, "a");
  const { analysis } = a;
  if (analysis === null || analysis.layers.size === 0) return null;
  const link = isStale(a) ? null : suggestedLink(analysis.tokens, chosenExample(a));
  const cell = (link && strongestAt(analysis, link.queries[0], link.keys[0])) ?? clearestRole(a) ?? { layer: 0, head: 0 };
  return { ...oneHead(cell), side: "a", stack: 0 };
}

/** The strongest head at each link of an analysis, by how many layers had arrived. */
const strongest = perObject((/** @type {Analysis} */ _) => /** @type {Map<string, Cell | null>} */ (new Map()));

/** @param {Analysis} analysis @param {number} query @param {number} key @returns {Cell | null} */
function strongestAt(analysis, query, key) {
  const known = strongest(analysis);
  const name = `${analysis.layers.size} ${query} ${key}`;
  if (!known.has(name)) known.set(name, findStrongest(analysis, query, key));
  return known.get(name) ?? null;
}

/** @param {Analysis} analysis @param {number} query @param {number} key @returns {Cell | null} */
function findStrongest({ layers }, query, key) {
  /** @type {(Cell & {weight: number}) | null} */
  let best = null;
  for (const frame of layers.values()) {
    for (let head = frame.first_head; head < frame.first_head + frame.heads; head += 1) {
      const weight = weightIn(frame, head, query, key);
      if (best === null || weight > best.weight) best = { layer: frame.layer, head, weight };
    }
  }
  return best && { layer: best.layer, head: best.head };
}

/** @param {SideView} state @returns {Cell | null} */
function clearestRole(state) {
  const record = atlasOnScreen(state);
  const best = record ? [...rolesByHead(record).values()].map(([first]) => first).filter(({ group }) => !group.idle) : [];
  const [clearest] = best.sort(byStrength);
  return clearest ? { layer: clearest.holder.layer, head: clearest.holder.head } : null;
}
