// A made-up server: two models, a config, answers of few tokens in the shape it gives them, and a store that has them.

import { createStore } from "../../frontend/actions/store.js";
import { keyOf } from "../../frontend/requests/resource.js";
import { ViewCodec } from "../../frontend/state/permalink.js";
import { choicesWith } from "../../frontend/state/view.js";
import { TABS } from "../../frontend/tabs/index.js";

/** The view of the page with all its tabs. */
export const views = new ViewCodec(choicesWith(TABS));

/** A view with these choices; those of the questions by their own names, side b's as `against`. */
export function viewWith({ model = null, text = null, text_pair = null, continuation = [], chat = null, against = null, ...choices } = {}) {
  const b = against && { model: null, text: null, text_pair: null, continuation: [], chat: null, ...against };
  return { ...views.usual(), sides: { a: { model, text, text_pair, continuation, chat }, b }, ...choices };
}

/** A store in which nothing has happened yet. */
export function newStore() {
  return createStore(views);
}

/** The server's answer to what a resource asks now, or to one of its questions. */
export function tell(store, resource, answer, question = resource.questions(store.state)[0], problem = null) {
  const known = new Map(store.state.answers.get(resource) ?? []);
  store.actions.keepAnswers(resource, known.set(keyOf(question), { question, answer, problem }));
}

const MODEL = { n_layers: 2, n_heads: 3, kind: "encoder", available: true, loaded: true, no_atlas: null };
export const models = [
  { ...MODEL, id: "both", name: "both", pairs: true },
  { ...MODEL, id: "single", name: "single", pairs: false },
];
export const config = {
  default_model: "both",
  examples: [{ title: "One", text: "first example", text_pair: null, hint: "" }],
  limits: { max_tokens: 9, max_characters: 1200, max_corpus_characters: 2000, max_snapshot_cells: 1000 },
  filters: [
    { id: "all", label: "All" },
    { id: "ab", label: "A→B", query_segment: 0, key_segment: 1 },
  ],
  limits_of_attention: [],
};

export function tokensOf(n, segmentOf = () => 0) {
  return Array.from({ length: n }, (_, index) => {
    const text = `t${index}`;
    return { index, id: index, text, piece: text, kind: "word_start", word: index, start: 0, end: 1, segment: segmentOf(index) };
  });
}

/** The first message of an answer: one attention of two layers of three heads, unless it says others. */
export function start(n, { segmentOf, stacks, ...more } = {}) {
  const whole = { stack: "encoder", n_layers: 2, n_heads: 3, queries: [0, n], keys: [0, n], causal: false };
  const tokens = tokensOf(n, segmentOf);
  return { id: "a1", model: "both", value_weights: true, n_tokens: n, tokens, opportunities: {}, stacks: stacks ?? [whole], ...more };
}

/** The attentions of an encoder-decoder: so many source tokens, then so many of the output. */
export function threeStacks(source, output) {
  const [from, to] = [[0, source], [source, source + output]];
  return [
    { stack: "encoder", n_layers: 2, n_heads: 3, queries: from, keys: from, causal: false },
    { stack: "decoder", n_layers: 1, n_heads: 2, queries: to, keys: to, causal: true },
    { stack: "cross", n_layers: 1, n_heads: 2, queries: to, keys: from, causal: false },
  ];
}

export function overview(layer, n, more = {}) {
  const shape = { rows: n, cols: n, n_queries: n, n_keys: n, heads: 3, ...more };
  const values = Uint8Array.from({ length: shape.heads * shape.rows * shape.cols }, (_, at) => at % 256);
  return { kind: 1, stack: "encoder", layer, first_head: 0, pooled: false, causal: false, ...shape, values };
}

/** A store that knows the models and shows the first example. */
export function ready() {
  const store = newStore();
  store.actions.describe(models, config, { metrics: [], shapes: [] });
  return store;
}

/** The whole answer to the question now in the boxes of a side. */
export function answer({ actions }, message, side = "a") {
  const run = actions.sides[side];
  run.pend();
  run.begin(message);
  run.finish({ total_ms: 1 });
}

/** A store with both sides answered: the example against another text, side b one token longer. */
export function compared(n = 3) {
  const store = ready();
  store.actions.compareWith({ text: "other words" });
  answer(store, start(n));
  answer(store, start(n + 1, { id: "b1" }), "b");
  return store;
}

/** A comparison in which each token stands opposite the one of its number, the last of side b opposite nothing. */
export function comparisonOf(n, changes = {}) {
  const units = Array.from({ length: n }, (_, at) => ({ one: [at], other: [at], text: `t${at}`, other_text: `t${at}`, same: true }));
  return { units: [...units, { one: [], other: [n], text: "", other_text: `t${n}`, same: false }], same_model: true, heads: [], ...changes };
}
