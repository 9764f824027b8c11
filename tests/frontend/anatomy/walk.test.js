// Where the walk is, what is asked of the server for it, and what stays on screen meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";

import { editsChoice, withHead } from "../../../frontend/anatomy/edits.js";
import { STEPS, partChoice, shownAnswer, shownWalk, walkAnswer, walkChoice } from "../../../frontend/anatomy/walk.js";
import { answer, ready, start } from "../small_answer.js";
import { layer } from "../small_anatomy.js";

/** A store with the tab open and its text answered. */
function opened(n = 3) {
  const store = ready();
  store.actions.chooseTab("anatomy");
  answer(store, start(n));
  return store;
}

/** The server's answer to what is asked first. */
function tellWalk(store, about = layer({ x0: [3, 4] })) {
  const [question] = walkAnswer.questions(store.state);
  const found = { tensors: about.tensors, metadata: { meta: JSON.stringify(about.about) } };
  store.actions.keepAnswers(walkAnswer, new Map([[JSON.stringify(question), { question, answer: found, problem: null }]]));
}

test("a link carries step, layer, head and token", () => {
  for (const walk of [{ step: "scores", layer: 1, head: 11, token: null }, { step: "qkv", layer: 0, head: 3, token: 7 }]) {
    let word = "";
    walkChoice.write(walk, (_, written) => (word = written));
    assert.deepEqual(walkChoice.read(() => word), walk);
  }
  for (const word of ["nowhere.0.0", "scores", "scores.a.b"]) assert.deepEqual(walkChoice.misread(() => word), [`walk=${word}`]);
});

test("layer, head and token are within the model and text on screen; without a choice it is the last word", () => {
  const store = opened();
  assert.deepEqual(shownWalk(store.state), { step: "embeddings", layer: 0, head: 0, token: 2 });
  store.actions.choose(walkChoice, { step: "scores", layer: 9, head: 9, token: 50 });
  assert.deepEqual(shownWalk(store.state), { step: "scores", layer: 1, head: 2, token: 2 });
});

test("nothing is asked in another tab or part, nor before the text is answered", () => {
  const store = opened();
  assert.equal(walkAnswer.questions(store.state).length, 1);
  store.actions.choose(partChoice, "calculator");
  assert.equal(walkAnswer.questions(store.state).length, 0);
  store.actions.choose(partChoice, "walk");
  store.actions.editText("other words");
  assert.equal(walkAnswer.questions(store.state).length, 0);
  store.actions.chooseTab("pinned");
  assert.equal(walkAnswer.questions(store.state).length, 0);
});

test("once a step is there the ones beside it are asked for, but not with edits", () => {
  const store = opened();
  tellWalk(store);
  assert.equal(walkAnswer.questions(store.state).length, 2);
  store.actions.choose(editsChoice, withHead(editsChoice.of(store.state), 1));
  tellWalk(store, layer({ x0: [3, 4] }, { timing: { total_ms: 900, load_ms: 0 } }));
  assert.equal(walkAnswer.questions(store.state).length, 1, "a slow machine is not asked for what nobody looks at");
  const [edited, ...others] = walkAnswer.questions(store.state);
  assert.deepEqual([edited.edits.heads_off, others], [[1], []]);
});

test("the numbers before a change stay until the new ones are there", () => {
  const store = opened();
  tellWalk(store);
  assert.equal(shownAnswer(store.state).isOld, false);
  store.actions.choose(editsChoice, withHead(editsChoice.of(store.state), 1));
  const shown = shownAnswer(store.state);
  assert.deepEqual([shown.isOld, shown.answer?.about.n_tokens], [true, 3]);
  store.actions.choose(walkChoice, { ...walkChoice.of(store.state), step: STEPS[5] });
  assert.equal(shownAnswer(store.state).answer, null, "other matrices are not those of the step");
});
