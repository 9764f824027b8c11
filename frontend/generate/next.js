// What may come after the text: requested while the Generate tab is open and nothing is being written.

import { perObject } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { isStale, question, writes } from "../state/selectors.js";
import { onSide } from "../state/sides.js";

/** @typedef {{tokens: Token[], n_tokens: number, candidates: Candidate[], rest: number, entropy: number}} Next */

const CANDIDATES = 20;
const withTop = perObject((/** @type {Question} */ asked) => ({ ...asked, top: CANDIDATES }));

/** @param {Pick<State, "writing">} state whether tokens are being written now */
export function isWriting({ writing }) {
  return writing !== null && writing.phase !== "over";
}

/** Asked of a text that has an answer of its own. @type {import("../requests/resource.js").Resource<Question & {top: number}, Next>} */
export const next = resource(
  "/next",
  (state) => {
    const side = onSide(state, "a");
    const asked = question(side);
    const isReady = writes(side) && !isWriting(state) && side.analysis !== null && !isStale(side);
    return asked && isReady ? withTop(asked) : null;
  },
  { when: ({ tab }) => tab === "generate" },
);
