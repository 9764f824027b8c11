// What is typed in the Corpus tab as a question to the server.

import { resource } from "../requests/resource.js";
import { isWeighted } from "../state/selectors.js";

/** @typedef {"none" | "words" | "marked"} LinkKind */
/** @typedef {{text: string, link: LinkKind, from_word: string, to_word: string}} Draft what is in the boxes; one text per line */
/** @typedef {{from_word: string, to_word: string} | {marked: true}} LinkQuestion */
/** @typedef {{run: number, model: string, values: "raw" | "weighted", draft: Draft}} CorpusQuestion each run is another one */
/** @typedef {{reason: string, meaning: string, n: number, lines: number[]}} Skipped */
/** @typedef {Cell & {mean: number | null, low: number | null, high: number | null, n: number, texts: number}} HeadMean */
/** @typedef {{label: string, meaning: string, n: number, texts: number, baseline: number | null, heads: HeadMean[]}} CorpusMetric */
/** @typedef {Cell & {mean: number, low: number | null, high: number | null, by_position: number | null}} HeadLink */
/** @typedef {{texts: number, uniform: number, by_position_texts: number, skipped: Skipped[], heads: HeadLink[]}} CorpusLink */
/**
 * @typedef {object} CorpusAnswer
 * @property {string} model
 * @property {"raw" | "weighted"} values
 * @property {number} given
 * @property {number} texts
 * @property {number} n_tokens
 * @property {Skipped[]} skipped
 * @property {Record<string, CorpusMetric>} metrics
 * @property {CorpusLink | null} link
 * @property {{total_ms: number}} timing
 */

/** @param {string} text the lines of a box or file, empty ones too, so that their numbers are those on screen */
export function linesOf(text) {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}

/** The link to look for. @param {Draft} draft @returns {LinkQuestion | undefined} undefined: none */
export function linkOf({ link, from_word, to_word }) {
  if (link === "marked") return { marked: true };
  return link === "words" ? { from_word: from_word.trim(), to_word: to_word.trim() } : undefined;
}

/** @param {State} state @returns {CorpusQuestion | null} null: something is missing */
export function corpusQuestion(state) {
  const { draft, runs } = state.corpus;
  const { model } = state.sides.a;
  if (model === null || state.connection === "lost" || draft.text.trim() === "") return null;
  if (Object.values(linkOf(draft) ?? {}).includes("")) return null;
  return { run: runs + 1, model, values: isWeighted(state) ? "weighted" : "raw", draft };
}

/** A run continues while other tabs are open. @type {import("../requests/resource.js").Resource<CorpusQuestion, CorpusAnswer>} */
export const corpusMeans = resource("/corpus", (state) => state.corpus.asked, {
  body: ({ model, values, draft }) => ({ model, texts: linesOf(draft.text), values, link: linkOf(draft) }),
});

/** @param {State} state whether texts are being measured */
export function isMeasuring(state) {
  return state.corpus.asked !== null && corpusMeans.of(state) === null;
}
