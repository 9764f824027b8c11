// The actions of the Corpus tab: what is typed, running it, and how its answer is ranked.

import { corpusMeans, corpusQuestion } from "../corpus/question.js";
import { rankingOf } from "../corpus/ranking.js";

/** @param {Holder} holder */
export function corpusActions(holder) {
  /** @param {Partial<State["corpus"]>} patch */
  const change = (patch) => holder.update({ corpus: { ...holder.state.corpus, ...patch } });

  /** @param {string} by @param {boolean} falling */
  function rank(by, falling) {
    const known = corpusMeans.latest(holder.state);
    change({ ranking: { by, falling, run: known?.question.run ?? 0, had_link: Boolean(known?.answer?.link) } });
  }

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
      if (asked !== null) change({ asked, runs: asked.run, problem: null });
    },
    cancelCorpus: () => change({ asked: null }),
    /** @param {string} by */
    rankCorpus: (by) => rank(by, true),
    turnCorpus() {
      const ranking = rankingOf(holder.state);
      if (ranking !== null) rank(ranking.by, !ranking.falling);
    },
  };
}
