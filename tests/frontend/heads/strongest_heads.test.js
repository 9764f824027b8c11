// The heads that are underlined: where the one token in focus attends most to another word, from the overview or exactly.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atlas } from "../../../frontend/heads/atlas.js";
import { signsOf } from "../../../frontend/heads/cells.js";
import { strongestHeads } from "../../../frontend/heads/strongest_heads.js";
import { exactRows } from "../../../frontend/maps/exact_rows.js";
import { onSide } from "../../../frontend/state/sides.js";
import { answer, overview, ready, start, tell, threeStacks } from "../small_answer.js";
import { smallAtlas } from "../small_atlas.js";

const N = 5;
const QUERY = 3;
const code = (weight) => Math.round(255 * Math.sqrt(weight));

/**
 * Side a of a store with two layers of three heads whose token in focus attends to single keys.
 * @param links weight of each, as {"layer.head": {key: weight}}
 */
function seen(links, { kinds = {}, focus = { queries: [QUERY], keys: [] }, look = {}, n = N } = {}) {
  const store = ready();
  tell(store, atlas, smallAtlas());
  const message = start(n);
  for (const [at, kind] of Object.entries(kinds)) message.tokens[at] = { ...message.tokens[at], kind };
  answer(store, message);
  for (const layer of [0, 1]) store.actions.sides.a.receive(frame(layer, links));
  store.actions.setView(look);
  store.actions.toggleLock({ side: "a", ...focus });
  store.actions.hover(null);
  return { store, state: () => onSide(store.state, "a") };
}

/** A layer of the overview whose row of the query has these weights and all others none. */
function frame(layer, links) {
  const made = overview(layer, N);
  made.values.fill(0);
  for (let head = 0; head < 3; head += 1) {
    for (const [key, weight] of Object.entries(links[`${layer}.${head}`] ?? {})) made.values[(head * N + QUERY) * N + Number(key)] = code(weight);
  }
  return made;
}

const names = (cells) => cells.map(({ layer, head }) => `${layer}.${head}`);

test("up to five heads, the strongest first, each by its largest weight", () => {
  const links = { "0.0": { 1: 0.3 }, "0.1": { 1: 0.2, 2: 0.9 }, "0.2": { 2: 0.5 }, "1.0": { 4: 0.4 }, "1.1": { 1: 0.15 }, "1.2": { 1: 0.12 } };
  const { state } = seen(links);
  assert.deepEqual(names(strongestHeads(state())), ["0.1", "0.2", "1.0", "0.0", "1.1"]);
  assert.deepEqual(signsOf(state()).strongest, strongestHeads(state()));
});

test("none where no link is worth it", () => {
  assert.deepEqual(strongestHeads(seen({ "0.0": { 1: 0.09 }, "1.2": { 2: 0.05 } }).state()), []);
  assert.deepEqual(names(strongestHeads(seen({ "0.0": { 1: 0.09 }, "1.2": { 2: 0.11 } }).state())), ["1.2"]);
});

test("what goes to the first token, to special ones or to the token itself does not count", () => {
  const links = { "0.0": { 0: 0.9 }, "0.1": { 4: 0.8 }, "0.2": { [QUERY]: 0.7 }, "1.0": { 0: 0.7, 1: 0.2 }, "1.1": { 2: 0.3 } };
  assert.deepEqual(names(strongestHeads(seen(links, { kinds: { 4: "special" } }).state())), ["1.1", "1.0"]);
});

test("none while several tokens or a link are in focus, nothing is, or cells show a number", () => {
  const links = { "0.0": { 1: 0.5 } };
  const others = [
    { focus: { queries: [QUERY], keys: [1] } },
    { focus: { queries: [], keys: [QUERY] } },
    { look: { color_by: "role" } },
    { look: { color_by: "corpus:entropy" } },
  ];
  for (const more of others) assert.deepEqual(strongestHeads(seen(links, more).state()), [], JSON.stringify(more));
  const { store, state } = seen(links);
  store.actions.release();
  assert.deepEqual(strongestHeads(state()), []);
});

test("a token that is pointed at counts before the locked one", () => {
  const { store, state } = seen({ "0.0": { 1: 0.5 } });
  store.actions.hover({ side: "a", queries: [2], keys: [] });
  assert.deepEqual(strongestHeads(state()), []);
  store.actions.hover(null);
  assert.deepEqual(names(strongestHeads(state())), ["0.0"]);
});

test("in a long text the exact rows count as soon as they are here, sinks left out as well", () => {
  const n = 200;
  const query = 150;
  const store = ready();
  answer(store, start(n));
  const pooled = overview(0, n, { rows: 100, cols: 100, pooled: true });
  pooled.values.fill(0);
  pooled.values[75 * 100 + 20] = code(0.4); // head 0, tokens 150 and 151 to tokens 40 and 41
  store.actions.sides.a.receive(pooled);
  store.actions.toggleLock({ side: "a", queries: [query], keys: [] });
  const cells = () => names(strongestHeads(onSide(store.state, "a")));
  assert.deepEqual(cells(), ["0.0"]);
  const weights = new Float32Array(2 * 3 * n);
  weights[0] = 0.9; // head 0 of layer 0, to the first token
  weights[n + query] = 0.9; // head 1, to itself
  weights[(3 + 1) * n + 41] = 0.35; // head 1 of layer 1
  weights[(3 + 2) * n + 199] = 0.5;
  tell(store, exactRows, { layers: 2, heads: 3, n_keys: n, weights });
  assert.deepEqual(cells(), ["1.2", "1.1"]);
});

test("a token that an attention does not look from has none", () => {
  const store = ready();
  answer(store, start(5, { stacks: threeStacks(3, 2) }));
  const made = overview(0, 3);
  made.values.fill(255);
  store.actions.sides.a.receive(made);
  store.actions.toggleLock({ side: "a", queries: [4], keys: [] });
  assert.deepEqual(strongestHeads(onSide(store.state, "a")), [], "the decoder's token is none of the encoder's");
});
