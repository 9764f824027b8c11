// The loop over heads against the batch: which sizes are timed, what the server says, and its sums.

import { choice } from "../state/choice.js";

/** @typedef {{d_model: number, n_heads: number, n_tokens: number, batch: number, causal: boolean, rounds: number}} LoopSizes */
/** @typedef {{loop_ms: number, fused_ms: number, kernel_ms: number}} Times */
/** @typedef {LoopSizes & {d_head: number, flops: number, differences: {fused: number, kernel: number}, largest: number, device: string, threads: number}} LoopStart */
/** @typedef {{medians: Times, ratios: {loop_to_fused: number, loop_to_kernel: number, fused_to_kernel: number}}} LoopDone */
/**
 * @typedef {object} Loop
 * @property {"idle" | "asking" | "running" | "over"} phase
 * @property {LoopStart | null} start
 * @property {Times[]} rounds
 * @property {LoopDone | null} done
 * @property {Problem | null} problem
 */

/** @type {Loop} */
export const NO_LOOP = { phase: "idle", start: null, rounds: [], done: null, problem: null };
export const WAYS = /** @type {const} */ ([
  { key: "loop_ms", text: "Loop over heads", about: "One head after the other, each with small matrices of its own." },
  { key: "fused_ms", text: "Fused projection", about: "One matrix for all heads, then the formula for all of them at once." },
  { key: "kernel_ms", text: "torch's fused kernel", about: "The same projection; attention by a kernel that never holds a whole map." },
]);

export const loopChoice = choice("anatomy_loop", {
  link: "loop",
  usual: /** @type {LoopSizes} */ ({ d_model: 256, n_heads: 8, n_tokens: 128, batch: 4, causal: false, rounds: 20 }),
  write: ({ d_model, n_heads, n_tokens, batch, causal, rounds }) => [d_model, n_heads, n_tokens, batch, rounds, ...(causal ? ["causal"] : [])].join("."),
  read(word) {
    const match = /^(\d{1,6})\.(\d{1,6})\.(\d{1,8})\.(\d{1,8})\.(\d{1,3})(\.causal)?$/.exec(word);
    if (!match) return null;
    const [d_model, n_heads, n_tokens, batch, rounds] = match.slice(1, 6).map(Number);
    return { d_model, n_heads, n_tokens, batch, rounds, causal: match[6] !== undefined };
  },
});

/** What was measured, in a sentence: it promises nothing of other sizes and machines. @param {LoopDone} done @param {number} n rounds */
export function measuredWords({ medians, ratios }, n) {
  const [best] = [...WAYS].sort((one, other) => medians[one.key] - medians[other.key]);
  return `In the median of ${n} rounds here the loop took ${ratios.loop_to_fused.toFixed(2)} times as long as the fused projection in the same round; the quickest was: ${best.text} (${medians[best.key].toFixed(2)} ms, the median).`;
}
