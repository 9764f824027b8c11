// What may come next is asked of a text that has an answer, once, and not while tokens are written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isWriting, next } from "../../../frontend/generate/next.js";
import { writes } from "../../../frontend/state/selectors.js";
import { onSide } from "../../../frontend/state/sides.js";
import { tell } from "../small_answer.js";
import { read, writerStore } from "../small_writer.js";

const asked = ({ state }) => next.questions(state)[0] ?? null;

test("only causal models write", () => {
  const side = onSide(writerStore().state, "a");
  assert.ok(writes(side));
  assert.ok(!writes({ ...side, model: "both" }));
});

test("candidates are asked for where they are looked at, of the text in the boxes", () => {
  const store = writerStore();
  const question = asked(store);
  assert.deepEqual(question, { model: "writer", text: "first example", top: 20 });
  store.actions.setView({ scale: "log" });
  assert.equal(asked(store), question, "the same question while nothing changes");
  assert.ok(next.when(store.state));
  tell(store, next, { n_tokens: 3 });
  assert.equal(next.of(store.state).answer.n_tokens, 3);
  store.actions.continueWith([0]);
  assert.equal(next.of(store.state), null, "what was said of the shorter text is not shown");
  read(store, 4);
  assert.deepEqual(asked(store).continuation, [0]);
  store.actions.chooseTab("heads");
  assert.ok(!next.when(store.state));
});

test("nothing is asked while tokens are written, without an answer, or of a model that does not write", () => {
  const changes = [({ actions }) => actions.beginWriting(), ({ actions }) => actions.editText("x"), ({ actions }) => actions.chooseModel("both")];
  for (const change of [...changes, ({ actions }) => actions.sides.a.fail({ code: "x", message: "", details: null })]) {
    const store = writerStore();
    change(store);
    assert.equal(asked(store), null, String(change));
  }
  const store = writerStore();
  store.actions.beginWriting();
  assert.ok(isWriting(store.state));
});
