// What a model writes after the text: the tokens as they come, what was written before, what may come next; and the
// steps behind one weight.

import { grown, stemOf } from "../generate/branches.js";
import { question, questionKey } from "../state/selectors.js";

/** @typedef {import("../generate/branches.js").Branch} Branch */
/** @typedef {import("../generate/generation.js").Next} Next */
/** @typedef {import("../generate/generation.js").Candidate} Candidate */
/** @typedef {Token & {probability: number, candidates: Candidate[]}} WrittenToken */
/** @typedef {{asked: string, answer: Next | null, problem: Problem | null}} KnownNext */
/** @typedef {{asked: string, answer: QueryKey | null, problem: Problem | null}} KnownQueryKey */
/**
 * @typedef {object} Writing one run of generation
 * @property {string} from the key of the question it goes on from
 * @property {string} stem what its branches belong to
 * @property {number} n_before how many tokens were written before it
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

  /** @param {number[]} continuation the tokens before it stay, so what is locked among them stays too */
  function goneOn(continuation) {
    return { continuation, hover: null, edges: null, comparison: null, typing: false };
  }

  return {
    /** @param {number[]} continuation */
    continueWith(continuation) {
      holder.update(goneOn(continuation));
    },
    /** The model is asked to go on with the text in the boxes. */
    beginWriting() {
      const from = questionKey(question(holder.state));
      const place = { from, reached: from, stem: stemOf(holder.state), n_before: holder.state.continuation.length };
      const nothing = { base: [], tokens: [], rows: null, reason: null, problem: null, ms: null };
      holder.update({ writing: { ...place, phase: "asking", message: "", ...nothing } });
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
    /** @param {Pick<Writing, "reason" | "problem" | "ms">} end what is written becomes part of the text, all at once */
    endWriting(end) {
      const { continuation, writing } = holder.state;
      if (writing === null) return;
      const ids = [...continuation, ...writing.tokens.map(({ id }) => id)];
      const reached = questionKey(question({ ...holder.state, continuation: ids }));
      const isLonger = ids.length > continuation.length;
      // In one step: between two the text without what was written would be asked for its next token.
      holder.update({ ...(isLonger ? goneOn(ids) : {}), writing: { ...writing, phase: "over", message: "", reached, ...end } });
    },
    /** The text is another one now: what was written after the old one is kept as one of its branches. */
    leaveWriting() {
      const { writing, branches } = holder.state;
      if (writing === null) return;
      const { stem, n_before, base, tokens } = writing;
      const before = branches.get(stem) ?? [];
      const now = tokens.length === 0 ? before : grown(before, [...base.slice(base.length - n_before), ...tokens]);
      holder.update({ writing: null, ...(now === before ? {} : { branches: new Map(branches).set(stem, now) }) });
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
