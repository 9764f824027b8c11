// Which token's row every tile shows: the one in focus, or the first piece of a merged word.

import assert from "node:assert/strict";
import { test } from "node:test";

import { comparison } from "../../../frontend/compare/comparison.js";
import { rowToken } from "../../../frontend/maps/row_token.js";
import { answer, compared, comparisonOf, ready, start, tell, tokensOf } from "../small_answer.js";

/** An answered text of four tokens, the second and third of which are pieces of one word. */
function answered() {
  const store = ready();
  const tokens = tokensOf(4).map((token) => (token.index === 2 ? { ...token, kind: "continuation", word: 1 } : token));
  answer(store, { ...start(4), tokens });
  return store;
}

test("one token has a row, a link and several tokens have none", () => {
  const store = answered();
  const shown = (queries, keys = []) => {
    store.actions.setView({ lock: { side: "a", queries, keys } });
    return rowToken(store.state, "a");
  };
  assert.equal(rowToken(store.state, "a"), null);
  assert.deepEqual([shown([2]), shown([2], [0]), shown([1, 2]), shown([], [1])], [2, null, null, null]);
});

test("where words are merged all pieces of one have a row together, other tokens have none", () => {
  const store = answered();
  store.actions.setView({ words: true });
  const shown = (queries) => {
    store.actions.hover({ side: "a", queries, keys: [] });
    return rowToken(store.state, "a");
  };
  assert.deepEqual([shown([1, 2]), shown([0, 1]), shown([1, 2, 3])], [1, null, null]);
});

test("a token that is aligned with two of the other side has a row there too", () => {
  const store = compared(3);
  const units = [{ one: [0], other: [0, 1], text: "t0", other_text: "t0 t1", same: false }];
  tell(store, comparison, comparisonOf(3, { units }));
  store.actions.hover({ side: "a", queries: [0], keys: [] });
  assert.deepEqual([rowToken(store.state, "a"), rowToken(store.state, "b")], [0, 0]);
});
