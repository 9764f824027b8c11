// How measuring stands in words: what is spoken changes from section to section, never at each step.

import assert from "node:assert/strict";
import { test } from "node:test";

import { remaining, sectionState, stateWords } from "../../../../frontend/views/build/build_panel.js";
import { stepWords } from "../../../../frontend/views/build/measure_button.js";
import { buildStatus, running } from "../../small_build.js";

const states = (status) => status.sections.map((section) => sectionState(section, status)[0]);

test("each section says how it stands", () => {
  assert.deepEqual(states(buildStatus()), ["measured", "open", "needs", "open"]);
  assert.deepEqual(states(running("sink")), ["measured", "now", "needs", "waiting"]);
  assert.equal(sectionState(buildStatus().sections[0], buildStatus())[1], "measured 2026-01-01");
});

test("what can be measured and is not is what a start would measure", () => {
  assert.deepEqual(remaining(buildStatus()).map(({ section }) => section), ["sink", "similarity"]);
  assert.equal(stateWords(buildStatus()), "2 sections to measure.");
  const all = { sink: { measured: "2026-01-01" }, similarity: { measured: "2026-01-01" } };
  assert.equal(stateWords(buildStatus({ state: "done" }, all)), "All that can be measured here is measured.");
});

test("a running build names its section, and its words stay the same from step to step", () => {
  assert.equal(stateWords(running("sink", { done: 1, total: 9, message: "dev" })), "Section 1 of 2: Label of sink");
  assert.equal(stateWords(running("sink", { done: 2, total: 9, message: "test" })), "Section 1 of 2: Label of sink");
  assert.equal(stateWords(running("similarity")), "Section 2 of 2: Label of similarity");
  assert.equal(stepWords({ section: null, sections: [] }), "beginning");
});

test("what was stopped or failed is kept, and said to be", () => {
  for (const state of ["stopped", "failed"]) assert.match(stateWords(buildStatus({ state })), /What is done is kept/);
});
