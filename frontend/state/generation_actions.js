// What a model writes after the text: the tokens as they come, what was written before, what may come next; and the
// steps behind one weight. It must not know the page's elements or the network.

import { question, questionKey } from "./selectors.js";

/** @typedef {import("../server/api.js").Problem} Problem */
/** @typedef {import("../server/api.js").Token} Token */
/** @typedef {import("../generate/branches.js").Branch} Branch */
/** @typedef {import("../generate/generation.js").Next} Next */
/** @typedef {import("../generate/generation.js").Candidate} Candidate */
/** @typedef {import("./state.js").Holder} Holder */
/** @typedef {import("./view.js").Sampling} Sampling */
/** @typedef {import("../server/wire.js").Frame} Frame */
/** @typedef {Token & {probability: number, candidates: Candidate[]}} WrittenToken */
/** @typedef {{asked: string, answer: Next | null, problem: Problem | null}} KnownNext */
/** @typedef {{asked: string, answer: import("../maps/query_key.js").QueryKey | null, problem: Problem | null}} KnownQueryKey */
/**
 * @typedef {object} Writing one run of generation
 * @property {string} from the key of the question it goes on from
 * @property {string} reached that of the question with what it wrote; the same while it writes
 * @property {"asking" | "writing" | "over"} phase
 * @property {string} message what happens before the first token
 * @property {Token[]} base the tokens it goes on from
 * @property {WrittenToken[]} tokens
 * @property {Frame | null} rows what each head looked at while the last of them was predicted
 * @property {"length" | "end" | "limit" | "stopped" | null} reason why it is over; null: it is not, or it failed
 * @property {Problem | null} problem
 * @property {number | null} ms how long it took
 */

/** @param {Holder} holder */
export function generationActions(holder) {
  /** @param {Partial<Writing>} change */
  function change(change) {
    if (holder.state.writing !== null) holder.update({ writing: { ...holder.state.writing, ...change } });
  }

  return {
    /** The model is asked to go on with the text in the boxes. */
    beginWriting() {
      const from = questionKey(question(holder.state));
      const nothing = { base: [], tokens: [], rows: null, reason: null, problem: null, ms: null };
      holder.update({ writing: { from, reached: from, phase: "asking", message: "", ...nothing } });
    },
    /** @param {string} message */
    tellWriting(message) {
      change({ message });
    },
    /** @param {Token[]} base the text as the model reads it; whatever was written of it before is written again */
    startWriting(base) {
      change({ phase: "writing", message: "", base, tokens: [], rows: null });
    },
    /** @param {WrittenToken} token @param {Frame} rows */
    write(token, rows) {
      change({ tokens: [...(holder.state.writing?.tokens ?? []), token], rows });
    },
    /** @param {Pick<Writing, "reason" | "problem" | "ms">} end */
    endWriting(end) {
      const { continuation, writing } = holder.state;
      const written = (writing?.tokens ?? []).map(({ id }) => id);
      const reached = questionKey(question({ ...holder.state, continuation: [...continuation, ...written] }));
      change({ phase: "over", message: "", reached, ...end });
    },
    /** Nobody wants what is being written any more. */
    forgetWriting() {
      holder.update({ writing: null });
    },
    /** @param {KnownNext} next */
    receiveNext(next) {
      holder.update({ next });
    },
    /** @param {Partial<Sampling>} choice */
    sample(choice) {
      holder.update({ sampling: { ...holder.state.sampling, ...choice } });
    },
    /** @param {string} of what was gone on from @param {Branch[]} branches */
    keepBranches(of, branches) {
      holder.update({ branches: new Map(holder.state.branches).set(of, branches) });
    },
    /** @param {KnownQueryKey} query_key */
    receiveQueryKey(query_key) {
      holder.update({ query_key });
    },
  };
}
