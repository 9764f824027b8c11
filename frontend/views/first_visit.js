// Never empty: an answer brings its best head into focus, a link the head that makes it most; on a first visit the word that
// the example is about is chosen.

import { bestHead, isSeenThere } from "../heads/focus_head.js";
import { suggestedLink } from "../heads/ranking.js";
import { chosenLink, edges } from "../maps/edges.js";
import { chosenExample, isAnswered, isWeighted } from "../state/selectors.js";
import { onSide } from "../state/sides.js";

/** @param {Store} store @param {boolean} isFirst whether no link was opened */
export function showExample(store, isFirst) {
  let isDue = isFirst;
  store.subscribe((state) => {
    const a = onSide(state, "a");
    if (a.analysis === null || !isAnswered(a)) return;
    if (!isSeenThere(state)) store.actions.see(bestHead(state));
    if (!isDue) return;
    isDue = false;
    const link = suggestedLink(a.analysis.tokens, chosenExample(a));
    if (link && state.lock === null && state.pins.length === 0) store.actions.showExample({ side: "a", queries: link.queries, keys: [] });
  });
}

/** The head that makes a link most comes into focus once the link is chosen, unless another one was pointed at meanwhile. @param {Store} store */
export function showStrongest(store) {
  /** What waits for its ranking, and the head that was in focus before. @type {{lock: Focus | null, seen: State["seen"]}} */
  let due = { lock: null, seen: null };
  let isDue = false;
  store.subscribe((state) => {
    if (state.lock !== due.lock) [due, isDue] = [{ lock: state.lock, seen: state.seen }, true];
    if (!isDue || chosenLink(state) === null) return;
    const answer = edges.of(state)?.answer;
    if (!answer) return;
    isDue = false;
    if (due.seen !== null && state.seen !== due.seen) return;
    const place = strongestOf(answer, isWeighted(state) ? "weighted" : "weight");
    const stack = state.sides.a.analysis?.stacks.findIndex((one) => one.stack === place?.stack) ?? -1;
    if (place && stack >= 0) store.actions.see({ side: "a", stack, layer: place.layer, head: place.head });
  });
}

/** @param {Edges} edges @param {"weight" | "weighted"} values */
function strongestOf({ heads }, values) {
  return heads.reduce((best, one) => ((one[values] ?? 0) > (best[values] ?? 0) ? one : best), heads[0]);
}
