// Never empty: an answer brings its best head into focus, and on a first visit the word that the example is about is chosen.

import { bestHead, isSeenThere } from "../heads/focus_head.js";
import { suggestedLink } from "../heads/ranking.js";
import { chosenExample, isAnswered } from "../state/selectors.js";
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
