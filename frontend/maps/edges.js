// What every head gives to the link between the chosen tokens: asked for when both of its ends are chosen, while comparing
// also in the aligned tokens of side b.

import { counterpartsOf } from "../compare/alignment.js";
import { comparison, focusOn } from "../compare/comparison.js";
import { Memo } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { focusWithin, isAnswered, question } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { isMaskedLink } from "./masked.js";

/** @typedef {{queries: number[], keys: number[]}} TokenLink from tokens to tokens */
/** @typedef {Question & TokenLink} EdgesQuestion */

/** @type {Memo<TokenLink | null>} */
const chosen = new Memo();

/** The chosen link in tokens of A, the same object while nothing changes; null unless both ends are chosen. @param {State} state */
export function chosenLink(state) {
  const a = onSide(state, "a");
  const lock = isAnswered(a) && a.analysis ? focusWithin(focusOn(state, state.lock, "a"), a.analysis.n_tokens) : null;
  const { queries = [], keys = [] } = lock ?? {};
  return chosen.get([queries.join(), keys.join()], () => (queries.length > 0 && keys.length > 0 ? { queries, keys } : null));
}

/** Whether the chosen link is one that no head of the model can have. @param {State} state */
export function isMaskedChoice(state) {
  const link = chosenLink(state);
  const { analysis } = state.sides.a;
  return link !== null && analysis !== null && isMaskedLink(analysis, link);
}

/** @type {Memo<EdgesQuestion | null>} */
const asked = new Memo();

/** @param {State} state what to ask the server, the same object while nothing changes */
function edgesQuestion(state) {
  if (isMaskedChoice(state)) return null;
  const [link, text] = [chosenLink(state), question(onSide(state, "a"))];
  return asked.get([text, link], () => (text && link ? { ...text, ...link } : null));
}

/** @type {import("../requests/resource.js").Resource<EdgesQuestion, Edges>} */
export const edges = resource("/edges", edgesQuestion);

/** @type {Memo<EdgesQuestion | null>} */
const askedOfB = new Memo();

/** What to ask of B; null unless the comparison has aligned both ends. @param {State} state */
function otherQuestion(state) {
  const units = comparison.of(state)?.answer?.units;
  if (state.sides.b === null || !units) return null;
  const text = question(onSide(state, "b"));
  const link = chosenLink(state);
  return askedOfB.get([text, units, link], () => {
    const [queries, keys] = [link?.queries, link?.keys].map((tokens) => tokens && counterpartsOf(units, tokens));
    return text && queries && keys ? { ...text, queries, keys } : null;
  });
}

/** @type {import("../requests/resource.js").Resource<EdgesQuestion, Edges>} */
export const otherEdges = resource("/edges", otherQuestion, {
  when: (state) => isAnswered(onSide(state, "b")),
});

/** What was asked of a side about the chosen link. @param {Side} side */
export const edgesOf = (side) => (side === "a" ? edges : otherEdges);
