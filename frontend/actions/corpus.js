// The actions of the Corpus tab: what is typed, running it, and how its answer is ranked.

import { corpusMeans, corpusQuestion } from "../corpus/question.js";

/** @param {Holder} holder */
export function corpusActions(holder) {
  /** @param {Partial<State["corpus"]>} patch */
  const change = (patch) => holder.update({ corpus: { ...holder.state.corpus, ...patch } });

  return {
    /** @param {Partial<Draft>} typed why the last run failed is no longer shown */
    draftCorpus(typed) {
      const { draft, asked } = holder.state.corpus;
      const isFailed = corpusMeans.of(holder.state)?.answer === null;
      change({ draft: { ...draft, ...typed }, problem: null, asked: isFailed ? null : asked });
    },
    /** @param {Problem} problem why a file cannot be taken */
    refuseCorpus: (problem) => change({ problem }),
    runCorpus() {
      const asked = corpusQuestion(holder.state);
      if (asked === null) return;
      // A new link is what people want to see.
      const isNewLink = asked.draft.link !== "none" && !corpusMeans.latest(holder.state)?.answer?.link;
      change({ asked, runs: asked.run, problem: null, falling: true, ...(isNewLink ? { by: null } : {}) });
    },
    cancelCorpus: () => change({ asked: null }),
    /** @param {string} by */
    rankCorpus: (by) => change({ by, falling: true }),
    turnCorpus: () => change({ falling: !holder.state.corpus.falling }),
  };
}
