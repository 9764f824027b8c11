// The actions of the Corpus tab: what is typed, running it, and how its answer is ranked.

import { corpusMeans, corpusQuestion } from "../corpus/question.js";

/** @typedef {import("../state/state.js").CorpusWork} CorpusWork */

/** @param {Holder} holder */
export function corpusActions(holder) {
  /** @param {Partial<CorpusWork>} patch */
  const change = (patch) => holder.update({ corpus: { ...holder.state.corpus, ...patch } });

  return {
    /** @param {Partial<Draft>} typed why the last run failed is no longer shown */
    draftCorpus(typed) {
      const { draft, asked } = holder.state.corpus;
      const isFailed = corpusMeans.of(holder.state)?.answer === null;
      change({ draft: { ...draft, ...typed }, problem: null, asked: isFailed ? null : asked });
    },
    /** @param {Problem} problem why a file cannot be taken */
    refuseCorpus(problem) {
      change({ problem });
    },
    runCorpus() {
      const { by } = holder.state.corpus;
      const asked = corpusQuestion(holder.state);
      if (asked === null) return;
      // A link that is new is what one wants to see.
      const isNewLink = asked.draft.link !== "none" && !corpusMeans.latest(holder.state)?.answer?.link;
      change({ asked, runs: asked.run, problem: null, by: isNewLink ? null : by, falling: true });
    },
    cancelCorpus() {
      change({ asked: null });
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
