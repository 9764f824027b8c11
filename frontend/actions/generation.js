// What a model writes after the text: the tokens as they come, and the continuations written before.

import { grown, idsOf, stemOf, writtenOn } from "../generate/branches.js";
import { askedKey } from "../state/selectors.js";
import { onSide } from "../state/sides.js";

/** @param {Holder} holder */
export function generationActions(holder) {
  /** @param {Partial<Writing>} change */
  function change(change) {
    if (holder.state.writing !== null) holder.update({ writing: { ...holder.state.writing, ...change } });
  }

  /** @param {number[]} continuation the tokens before it stay, so what is locked among them stays too */
  function continued(continuation) {
    const { sides } = holder.state;
    return { sides: { ...sides, a: { ...sides.a, continuation } }, hover: null, typing: false };
  }

  /** @param {string} stem @param {Branch} written @returns {Partial<State>} */
  function withBranch(stem, written) {
    const { branches } = holder.state;
    const before = branches.get(stem) ?? [];
    const now = grown(before, written);
    return now === before ? {} : { branches: new Map(branches).set(stem, now) };
  }

  return {
    /** @param {number[]} continuation */
    continueWith: (continuation) => holder.update(continued(continuation)),
    /** The model is asked to continue the text in the boxes. */
    beginWriting() {
      const side = onSide(holder.state, "a");
      const from = askedKey(side);
      const place = { from, reached: from, stem: stemOf(side), n_before: side.continuation.length };
      const nothing = { base: [], tokens: [], rows: null, reason: null, problem: null, ms: null };
      holder.update({ writing: { ...place, phase: "asking", message: "", ...nothing } });
    },
    /** @param {string} message */
    tellWriting: (message) => change({ message }),
    /** @param {Token[]} base the text as the model reads it; whatever was written of it before is written again */
    startWriting: (base) => change({ phase: "writing", message: "", base, tokens: [], rows: null }),
    /** @param {WrittenToken} token @param {Frame} rows */
    write: (token, rows) => change({ tokens: [...(holder.state.writing?.tokens ?? []), token], rows }),
    /** @param {Pick<Writing, "reason" | "problem" | "ms">} end what is written becomes part of the text, all at once */
    endWriting(end) {
      const { writing } = holder.state;
      const side = onSide(holder.state, "a");
      if (writing === null) return;
      const ids = [...side.continuation, ...idsOf(writing.tokens)];
      const reached = askedKey({ ...side, continuation: ids });
      const isLonger = writing.tokens.length > 0;
      // In one step: between two the text without what was written would be asked for its next token.
      holder.update({ ...(isLonger ? continued(ids) : {}), writing: { ...writing, phase: "over", message: "", reached, ...end } });
    },
    /** The text is another one now: what was written after the old one is kept as one of its branches. */
    leaveWriting() {
      const { writing } = holder.state;
      if (writing === null) return;
      const { stem, n_before, base, tokens } = writing;
      const kept = tokens.length === 0 ? {} : withBranch(stem, [...base.slice(base.length - n_before), ...tokens]);
      holder.update({ writing: null, ...kept });
    },
    /** The continuation of the text is kept as one of its branches, once an answer says how it is read. */
    keepWritten() {
      const side = onSide(holder.state, "a");
      const written = writtenOn(side);
      if (written !== null) holder.update(withBranch(stemOf(side), written));
    },
  };
}
