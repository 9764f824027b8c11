// What the token in focus sees in every head, exactly: asked for where the overview of a long text has no rows of single
// tokens.

import { focusOn } from "../compare/comparison.js";
import { perObject } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { FRAME_TYPE } from "../requests/wire.js";
import { isAnswered, isWeighted, questionOfKey, shownFocus } from "../state/selectors.js";
import { analysisOf, onSide, sidesOf } from "../state/sides.js";

/** @typedef {import("../requests/wire.js").ExactRows} ExactRows */
/** @typedef {Question & {stack?: string, query: number, values?: "weighted"}} RowsQuestion one token in every head */

/** The questions about the tokens of an analysis, so that each is the same object every time. */
const questionsAbout = perObject((/** @type {Analysis} */ _) => /** @type {Map<string, RowsQuestion>} */ (new Map()));

/** One token as the server is asked for it. @param {Analysis} analysis @param {number} stack @param {number} query @param {boolean} weighted */
function rowsQuestion(analysis, stack, query, weighted) {
  const known = questionsAbout(analysis);
  const key = `${stack} ${query} ${weighted}`;
  /** @type {RowsQuestion} */
  const question = known.get(key) ?? {
    .../** @type {Question} */ (questionOfKey(analysis.question)),
    ...(analysis.stacks.length > 1 ? { stack: analysis.stacks[stack].stack } : {}),
    query,
    ...(weighted ? { values: "weighted" } : {}),
  };
  known.set(key, question);
  return question;
}

/**
 * The token in focus on each side, in every attention that looks from it. A link or several tokens ask nothing: no single
 * row shows them.
 * @param {State} state
 * @returns {RowsQuestion[]}
 */
function rowsQuestions(state) {
  const focus = shownFocus(state);
  return sidesOf(state).flatMap((side) => {
    const { queries = [], keys = [] } = focusOn(state, focus, side) ?? {};
    const analysis = analysisOf(state, side);
    if (analysis === null || queries.length !== 1 || keys.length > 0 || !isAnswered(onSide(state, side))) return [];
    return analysis.stacks.flatMap((stack, at) => {
      const [first, end] = stack.queries;
      const [overview] = stack.layers.values();
      const isAsked = overview?.pooled && first <= queries[0] && queries[0] < end;
      return isAsked ? [rowsQuestion(analysis, at, queries[0], isWeighted(state))] : [];
    });
  });
}

/**
 * While the pointer moves only the latest token is asked for: the request for the one before is aborted, and the server
 * stops working on it. Some answers are kept, so that the way back over the tokens asks nothing.
 * @type {import("../requests/resource.js").Resource<RowsQuestion, ExactRows>}
 */
export const exactRows = resource("/rows", rowsQuestions, { accept: FRAME_TYPE, keep: 16 });

/** What the server said of a token in every head of an attention; null: nothing yet. @param {State} state @param {Place} place @param {number} query */
export function exactRowsKnown(state, { side, stack }, query) {
  const analysis = analysisOf(state, side);
  return analysis?.stacks[stack] ? exactRows.find(state, rowsQuestion(analysis, stack, query, isWeighted(state))) : null;
}

/**
 * What a token sees in every head of an attention, raw or value-weighted as the grid shows it.
 * @param {State} state
 * @param {Place} place
 * @param {number} query
 * @returns {ExactRows | null} null while it is not known
 */
export function exactRowsOf(state, place, query) {
  return exactRowsKnown(state, place, query)?.answer ?? null;
}
