// The maps of every head at every step, read from one array.

import assert from "node:assert/strict";
import { test } from "node:test";

import { codesAt, films, frameOf, mapAt, predictionsAt, readFilm, shownFilm, shownText } from "../../../frontend/training/film.js";
import { records } from "../../../frontend/training/record.js";
import { ready, tell } from "../small_answer.js";
import { film, record } from "../small_run.js";

test("each head's map is its part of the array", () => {
  const read = readFilm(film());
  assert.deepEqual([read.n_layers, read.n_heads, read.steps], [2, 2, [0, 50, 100]]);
  const map = mapAt(read, 1, { layer: 1, head: 0 });
  assert.deepEqual([map.length, Math.round(1000 * map[0])], [9, 36 + 18]);
  const codes = codesAt(read, 1, { layer: 1, head: 0 });
  assert.deepEqual([codes.rows, codes.cols, codes.codes[0]], [3, 3, Math.round(255 * Math.sqrt(0.054))]);
});

test("a step without a frame shows the one before it", () => {
  const read = readFilm(film());
  assert.deepEqual([0, 49, 50, 99, 100, 400].map((step) => frameOf(read, step)), [0, 0, 1, 1, 2, 2]);
});

test("a prediction is right when it is what follows; after the last token nothing follows", () => {
  const right = predictionsAt(readFilm(film()), 2).map(({ next, isRight }) => [next, isRight]);
  assert.deepEqual(right, [["b", true], ["c", false], [null, false]]);
});

test("the film of fewer steps stays until the one with the new checkpoint is here, that of another text does not", () => {
  const store = ready();
  store.actions.chooseTab("training");
  store.actions.showRun("run-1");
  tell(store, records, record({ kept_steps: [0, 50] }));
  assert.equal(shownText(store.state, record()), "a b c");
  tell(store, films, film([0, 50]));
  tell(store, records, record());
  assert.equal(films.of(store.state), null);
  assert.deepEqual(shownFilm(store.state).steps, [0, 50]);
  store.actions.showTrainingText("c");
  assert.equal(shownFilm(store.state), null);
  assert.deepEqual(films.questions(store.state), [{ id: "run-1", text: "c", n_steps: 3 }]);
  store.actions.showTrainingText("  ");
  assert.deepEqual(films.questions(store.state), []);
});
