// What may come after the text: asked for while the Generate tab is open and nothing is being written.

import { perObject } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { isStale, question, writes } from "../state/selectors.js";
import { onSide } from "../state/sides.js";

/** @typedef {{tokens: Token[], n_tokens: number, candidates: Candidate[], rest: number, entropy: number}} Next */
/** @typedef {Question & {top: number}} NextQuestion */

const CANDIDATES = 20;
const withTop = perObject((/** @type {Question} */ asked) => ({ ...asked, top: CANDIDATES }));

/** @param {Pick<State, "writing">} state whether tokens are being written now */
export function isWriting({ writing }) {
  return writing !== null && writing.phase !== "over";
}

/**
 * What the server is to be asked of the next token: nothing while tokens are being written, or the text in the boxes has
 * no answer of its own yet.
 * @param {State} state
 * @returns {NextQuestion | null} the same object while nothing changes
 */
export function nextQuestion(state) {
  const side = onSide(state, "a");
  const asked = question(side);
  if (asked === null || !writes(side) || isWriting(state) || side.analysis === null || isStale(side)) return null;
  return withTop(asked);
}

/** @type {import("../requests/resource.js").Resource<NextQuestion, Next>} */
export const next = resource("/next", nextQuestion, { when: ({ tab }) => tab === "generate" });
