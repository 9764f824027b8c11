// Loop against batch: sizes in links, and sentences that say what was measured and no more.

import assert from "node:assert/strict";
import { test } from "node:test";

import { loopChoice, measuredWords } from "../../../frontend/anatomy/loops.js";

test("a link carries the sizes", () => {
  for (const causal of [true, false]) {
    const sizes = { d_model: 512, n_heads: 8, n_tokens: 100, batch: 2, rounds: 5, causal };
    let word = "";
    loopChoice.write(sizes, (_, written) => (word = written));
    assert.deepEqual(loopChoice.read(() => word), sizes);
  }
});

test("whichever was quicker here is said to be, and nothing of other machines", () => {
  const slow = { medians: { loop_ms: 8, fused_ms: 4, kernel_ms: 5 }, ratios: { loop_to_fused: 2, loop_to_kernel: 1.6, fused_to_kernel: 0.8 } };
  assert.equal(measuredWords(slow, 20), "In the median of 20 rounds here the loop took 2.00 times as long as the fused projection in the same round; the quickest was: Fused projection (4.00 ms, the median).");
  const quick = { medians: { loop_ms: 2, fused_ms: 4, kernel_ms: 5 }, ratios: { loop_to_fused: 0.5, loop_to_kernel: 0.4, fused_to_kernel: 0.8 } };
  assert.match(measuredWords(quick, 3), /the loop took 0\.50 times as long as the fused projection in the same round; the quickest was: Loop over heads/);
});
