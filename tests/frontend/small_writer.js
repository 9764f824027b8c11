// A made-up causal model whose text has an answer, and what its socket says.

import { answer, config, models, newStore, overview, start } from "./small_answer.js";

const WRITER = { ...models[1], id: "writer", name: "writer", kind: "decoder", chat_template: true };

/** A store that shows a text of so many tokens, read by the writer, with the tab of generation open. */
export function writerStore(n = 3) {
  const store = newStore();
  store.actions.describe([...models, WRITER], config, { metrics: [], shapes: [] });
  store.actions.chooseModel("writer");
  store.actions.setView({ tab: "generate" });
  read(store, n);
  return store;
}

/** The whole answer to what is in the boxes, maps included. */
export function read(store, n, shape = {}) {
  answer(store, start(n, { model: "writer" }));
  for (const layer of [0, 1]) store.actions.sides.a.receive(overview(layer, n, shape));
}

/** A token as the socket tells of it. */
export function written(index, id = index) {
  const candidates = [{ id, text: `␣t${id}`, piece: `Ġt${id}`, probability: 0.75 }];
  return { index, id, text: `t${id}`, piece: `Ġt${id}`, kind: "word_start", segment: 0, probability: 0.75, candidates };
}

/** The rows of all six heads at the position before `index`: head h looks at token h, or at the last there is. */
export function rowsBefore(index) {
  const values = new Float32Array(6 * index);
  for (let head = 0; head < 6; head += 1) values[head * index + Math.min(head, index - 1)] = 1;
  return { kind: 3, stack: "decoder", layer: 0, first_head: 0, heads: 6, pooled: false, causal: true, rows: 1, cols: index, n_queries: 1, n_keys: index, values };
}
