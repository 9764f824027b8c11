// The state from one side, a or b, and at one attention of its model: code that draws a grid, a head or an order reads
// this and need not know that there are several.

import { perObject } from "../page/memo.js";
import { NOTHING_ASKED } from "./state.js";

/** The same list always: a fresh one would be another question. @type {number[]} */
const NO_CONTINUATION = [];

/**
 * What a side asks. Side b takes from side a what it does not set itself.
 * @param {State} state
 * @param {Side} side
 * @returns {import("./view.js").SideQuestion}
 */
function askedOn({ sides: { a, b } }, side) {
  if (side === "a" || b === null) return a;
  const isSameChat = b.chat === null || b.chat === (a.chat ?? false);
  const isSame = (b.model === null || b.model === a.model) && b.text === null && isSameChat;
  return {
    model: b.model ?? a.model,
    text: b.text ?? a.text,
    text_pair: b.text_pair ?? (b.text === null ? a.text_pair : null),
    // Ids of tokens mean nothing to another model, nor after another text.
    continuation: isSame ? a.continuation : NO_CONTINUATION,
    chat: b.chat ?? a.chat,
  };
}

/** The views of a state that were made already, by side and stack. */
const viewsOf = perObject((/** @type {State} */ _) => /** @type {Map<string, SideView>} */ (new Map()));

/** One object for each analysis and stack, so that identity tells whether anything changed. */
const stacksOf = perObject((/** @type {Analysis} */ analysis) =>
  analysis.stacks.map(({ n_layers, n_heads, layers, measures, opportunities }) => {
    return { ...analysis, n_layers, n_heads, layers, measures, opportunities };
  }),
);

/**
 * The state on one side. Without a second side, b is like a with no answer.
 * @param {State} state
 * @param {Side} side
 * @param {number} [stack] which attention of the model; one it does not have has no analysis
 * @returns {SideView} the cursor only when it is there
 */
export function onSide(state, side, stack = 0) {
  const name = `${side}${stack}`;
  const known = viewsOf(state).get(name);
  if (known) return known;
  const { asked, run, analysis, measured } = state.sides[side] ?? NOTHING_ASKED;
  const isThere = state.cursor?.side === side && state.cursor.stack === stack;
  const view = {
    ...state,
    ...askedOn(state, side),
    ...{ side, asked, run, measured, compared: state.sides.b !== null },
    analysis: analysis && stack > 0 ? (stacksOf(analysis)[stack] ?? null) : analysis,
    cursor: isThere ? state.cursor : null,
  };
  viewsOf(state).set(name, view);
  return view;
}

/** @param {State} state @param {Place} place */
export function atPlace(state, { side, stack }) {
  return onSide(state, side, stack);
}

/** The sides there are. @param {Pick<State, "sides">} state @returns {Side[]} */
export function sidesOf({ sides }) {
  return sides.b === null ? ["a"] : ["a", "b"];
}

/** @param {Pick<State, "sides">} state @param {Side} side @returns {Analysis | null} */
export function analysisOf({ sides }, side) {
  return sides[side]?.analysis ?? null;
}
