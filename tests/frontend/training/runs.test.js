// Runs in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lossText, settingsWords, stateWords } from "../../../frontend/training/runs.js";
import { summary } from "../small_run.js";

test("how a run stands says how far it is", () => {
  const said = (more) => stateWords(summary(more));
  assert.equal(said({ state: "queued", ahead: 2 }), "waits for 2 runs before it");
  assert.equal(said({ state: "queued", ahead: 0 }), "starts next");
  assert.equal(said({ state: "running", step: 40 }), "training: step 40 of 100");
  assert.equal(said({ state: "stopped", step: 40 }), "stopped at step 40 of 100");
  assert.equal(said({ state: "failed", step: 40 }), "failed at step 40 of 100");
  assert.equal(said({}), "100 steps");
});

test("settings are written out, with the width of heads and what the first layer is", () => {
  const { settings } = summary();
  assert.match(settingsWords(settings), /^2 layers × 2 heads · d_model 8, d_head 4 · attention only · 100 steps · batch 64/);
  assert.match(settingsWords({ ...settings, task: "markov", n_symbols: 3, n_layers: 1, n_heads: 1, d_mlp: 16, first_layer: "previous_only" }), /^3 symbols · 1 layer × 1 head · .*d_mlp 16 · layer 0 sees only/);
});

test("small losses keep their digits", () => {
  assert.deepEqual([lossText(1.2345), lossText(0.0345)], ["1.23", "0.035"]);
});
