// The actions of the Corpus tab: what is typed, running it, its answer and how that is ranked.

import { corpusQuestion } from "../corpus/question.js";
import { LINK } from "../corpus/ranking.js";

/** @typedef {import("../corpus/question.js").Draft} Draft */
/**
 * @typedef {object} CorpusWork
 * @property {Draft} draft
 * @property {CorpusQuestion | null} asked what is under way; null: nothing
 * @property {{question: CorpusQuestion, draft: Draft, answer: CorpusAnswer} | null} known the last answer
 * @property {Problem | null} problem why there is no newer answer
 * @property {string} by what heads are ranked by
 * @property {boolean} falling
 */

/** @type {Draft} */
const NOTHING_TYPED = { text: "", link: "none", from_word: "", to_word: "" };

/** @type {CorpusWork} */
export const NO_CORPUS = { draft: NOTHING_TYPED, asked: null, known: null, problem: null, by: "previous", falling: true };

/** @param {Holder} holder */
export function corpusActions(holder) {
  /** @param {Partial<CorpusWork>} patch */
  const change = (patch) => holder.update({ corpus: { ...holder.state.corpus, ...patch } });
  /** What was typed when the present run began. @type {Draft} */
  let running = NOTHING_TYPED;

  return {
    /** @param {Partial<Draft>} typed */
    draftCorpus(typed) {
      change({ draft: { ...holder.state.corpus.draft, ...typed }, problem: null });
    },
    /** @param {Problem} problem why a file cannot be taken */
    refuseCorpus(problem) {
      change({ problem });
    },
    runCorpus() {
      const asked = corpusQuestion(holder.state);
      if (asked === null) return;
      running = holder.state.corpus.draft;
      change({ asked, problem: null });
    },
    cancelCorpus() {
      change({ asked: null });
    },
    /** @param {{answer: CorpusAnswer | null, problem: Problem | null}} received */
    receiveCorpus({ answer, problem }) {
      const { asked, known, by } = holder.state.corpus;
      if (asked === null) return;
      if (answer === null) return change({ asked: null, problem });
      const isNewLink = answer.link !== null && known?.answer.link == null;
      const isGone = by === LINK && answer.link === null;
      const ranked = isNewLink ? LINK : isGone ? Object.keys(answer.metrics)[0] : by;
      change({ asked: null, known: { question: asked, draft: running, answer }, by: ranked, falling: true });
    },
    /** @param {string} by */
    rankCorpus(by) {
      change({ by, falling: true });
    },
    turnCorpus() {
      change({ falling: !holder.state.corpus.falling });
    },
  };
}
