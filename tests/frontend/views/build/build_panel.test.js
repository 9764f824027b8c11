// How measuring stands in words: what is spoken changes from section to section, never at each step.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createBuildPanel, remaining, sectionState, stateWords } from "../../../../frontend/views/build/build_panel.js";
import { stepWords } from "../../../../frontend/views/build/measure_button.js";
import { ready } from "../../small_answer.js";
import { buildStatus, running } from "../../small_build.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";

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
  assert.equal(stateWords(buildStatus({ state: "done" }, all)), "Everything that can be measured here has been measured.");
});

test("a running build names its section, and its words stay the same from step to step", () => {
  assert.equal(stateWords(running("sink", { done: 1, total: 9, message: "dev" })), "Section 1 of 2: Label of sink");
  assert.equal(stateWords(running("sink", { done: 2, total: 9, message: "test" })), "Section 1 of 2: Label of sink");
  assert.equal(stateWords(running("similarity")), "Section 2 of 2: Label of similarity");
  assert.equal(stepWords({ section: null, sections: [] }), "beginning");
});

test("what was stopped or failed is kept, and said to be", () => {
  for (const state of ["stopped", "failed"]) assert.match(stateWords(buildStatus({ state })), /Finished sections are kept/);
});

/** The panel of a page, and what has the focus. */
function panel() {
  const store = ready();
  const page = { focused: null };
  globalThis.HTMLDialogElement = HTMLElement;
  const { build } = newPage("build");
  Object.assign(build, { open: false, showModal: () => (build.open = true), close: () => (build.open = false) });
  HTMLElement.prototype.focus = function () {
    page.focused = this;
  };
  drawOn(store, createBuildPanel(store.actions));
  const find = (name) => ofClass(build, name)[0];
  return { store, build, page, find, tell: (status, problem = null) => store.actions.receiveBuild({ status, problem }) };
}

test("the panel opens for a model, says how it stands and closes", () => {
  const { store, build, page, find, tell } = panel();
  assert.equal(build.open, false);
  store.actions.openBuild("both");
  assert.deepEqual([build.open, find("build-step").textContent], [true, "Asking the server…"]);
  assert.equal(page.focused, find("primary"));
  tell(buildStatus());
  assert.deepEqual([find("build-step").textContent, find("primary").textContent, find("primary").hidden], ["2 sections to measure.", "Start", false]);
  assert.equal(find("build-sections").childNodes.length, 4);
  store.actions.closeBuild();
  assert.equal(build.open, false);
});

test("the list of sections stays as it is from step to step of a build", () => {
  const { store, find, tell } = panel();
  store.actions.openBuild("both");
  tell(running("sink", { done: 1, total: 9, message: "dev" }));
  const [first] = find("build-sections").childNodes;
  tell(running("sink", { done: 2, total: 9, message: "dev" }));
  assert.equal(find("build-sections").childNodes[0], first);
  assert.match(find("build-foot").textContent, /Dev, 2 of 9/);
  tell(running("similarity"));
  assert.notEqual(find("build-sections").childNodes[0], first);
});

test("a refusal because of another model leads to that model's build", () => {
  const { store, find, tell } = panel();
  store.actions.openBuild("both");
  store.actions.orderBuild("start");
  tell(null, { code: "build_running", message: "Another model is measured.", details: { model: "single" } });
  assert.equal(find("problem").hidden, false);
  ofClass(find("problem"), "chip")[0].click();
  assert.equal(store.state.build.open, "single");
});
