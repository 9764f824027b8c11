// The continuations of a text: each kept until a longer one continues it.

import { lettersOf } from "../page/labels.js";
import { isChat, isStale } from "../state/selectors.js";

/** @typedef {Pick<Token, "id" | "text" | "piece" | "kind">} Piece */
/** @typedef {Piece[]} Branch the tokens after the text, at least one */

/** @param {SideView} state what branches belong to: another model or text, wrapped or not, has others */
export function stemOf(state) {
  return JSON.stringify([state.model, state.text, isChat(state)]);
}

/** @type {Branch[]} */
const NO_BRANCHES = [];

/** @param {SideView} state @returns {Branch[]} of the text in the boxes; the same list while nothing changes */
export function branchesOf(state) {
  return state.branches.get(stemOf(state)) ?? NO_BRANCHES;
}

/** The tokens written after the text, as the answer on screen reads them; null while that answer is not here. @param {SideView} state */
export function writtenOn(state) {
  const { analysis, continuation } = state;
  if (analysis === null || isStale(state) || analysis.n_tokens < continuation.length) return null;
  return analysis.tokens.slice(analysis.tokens.length - continuation.length);
}

/** Whether one continuation is the beginning of another, or all of it. @param {number[]} short @param {number[]} long */
export function isBeginning(short, long) {
  return short.every((id, at) => id === long[at]);
}

/** @param {Branch} branch */
export function idsOf(branch) {
  return branch.map(({ id }) => id);
}

/**
 * The branches with one more, in place of those it continues; the same list if one of them begins with it.
 * @param {Branch[]} branches
 * @param {Branch} written
 */
export function grown(branches, written) {
  const ids = idsOf(written);
  if (ids.length === 0 || branches.some((branch) => isBeginning(ids, idsOf(branch)))) return branches;
  return [...branches.filter((branch) => !isBeginning(idsOf(branch), ids)), written];
}

/** @param {Piece} token with its blanks: only its piece shows whether one comes before it */
function spelled({ text, piece }) {
  return `${/^[Ġ▁]./u.test(piece) && !text.startsWith("␣") ? " " : ""}${text.replaceAll("␣", " ")}`;
}

/**
 * Tokens as somebody would have typed them, all of them.
 * @param {Piece[]} tokens
 * @returns {string | null} null: they hold something that nobody can type, such as a part of a character
 */
export function asTyped(tokens) {
  const words = tokens.filter(({ kind }) => kind !== "special").map(spelled).join("");
  return /[⟨⟩◌×]/u.test(words) ? null : words.replaceAll("↵", "\n").replaceAll("⇥", "\t");
}

/** Tokens as running text, cut after so many letters. @param {Piece[]} tokens @param {number} [longest] */
export function inWords(tokens, longest = 60) {
  const letters = lettersOf(tokens.map(spelled).join("").trim());
  return letters.length <= longest ? letters.join("") : `${letters.slice(0, longest).join("").trimEnd()}…`;
}
