// What is typed in the Corpus tab as a question to the server, and asking it once.

import { Latest } from "../requests/latest.js";
import { isWeighted } from "../state/selectors.js";

/** @typedef {"none" | "words" | "marked"} LinkKind */
/** @typedef {{text: string, link: LinkKind, from_word: string, to_word: string}} Draft what is in the boxes; one text a line */
/** @typedef {{from_word: string, to_word: string} | {marked: true}} LinkQuestion */
/** @typedef {{model: string, texts: string[], values: "raw" | "weighted", link?: LinkQuestion}} CorpusQuestion */
/** @typedef {{reason: string, meaning: string, n: number, lines: number[]}} Skipped */
/** @typedef {{layer: number, head: number, mean: number | null, low: number | null, high: number | null, n: number, texts: number}} HeadMean */
/** @typedef {{label: string, meaning: string, unit: string, n: number, texts: number, baseline: number | null, heads: HeadMean[]}} CorpusMetric */
/** @typedef {{layer: number, head: number, mean: number, low: number | null, high: number | null, by_position: number | null}} HeadLink */
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

/**
 * @param {State} state
 * @returns {CorpusQuestion | null} null: something is missing
 */
export function corpusQuestion(state) {
  const { draft } = state.corpus;
  if (state.model === null || state.connection === "lost" || draft.text.trim() === "") return null;
  /** @type {"raw" | "weighted"} */
  const values = isWeighted(state) ? "weighted" : "raw";
  const asked = { model: state.model, texts: linesOf(draft.text), values };
  if (draft.link === "none") return asked;
  if (draft.link === "marked") return { ...asked, link: { marked: true } };
  const [from_word, to_word] = [draft.from_word.trim(), draft.to_word.trim()];
  return from_word === "" || to_word === "" ? null : { ...asked, link: { from_word, to_word } };
}

export class CorpusRun {
  /** @type {Latest<CorpusAnswer>} */
  #latest = new Latest();

  /**
   * @param {Pick<Actions, "receiveCorpus">} actions
   * @param {(asked: CorpusQuestion, signal: AbortSignal) => Promise<CorpusAnswer>} fetchCorpus
   */
  constructor(actions, fetchCorpus) {
    this.actions = actions;
    this.fetchCorpus = fetchCorpus;
  }

  /** @param {State} state a run goes on while other tabs are open; nothing asked any more stops it */
  want({ corpus: { asked } }) {
    void this.#latest.want(
      asked === null ? [] : [asked],
      asked && ((signal) => this.fetchCorpus(asked, signal)),
      (known) => this.actions.receiveCorpus(known),
    );
  }
}
