// The first heads of a ranking in one line above pinned maps.

import assert from "node:assert/strict";
import { test } from "node:test";

import { edges } from "../../../../frontend/maps/edges.js";
import { createRankingLine } from "../../../../frontend/tabs/pinned/ranking_line.js";
import { answer, ready, start, tell } from "../../small_answer.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";

const edge = (head, weight) => ({ stack: "encoder", layer: 0, head, weight, by_position: null, by_others: null, weighted: null });

test("it names the link and its first heads while something is pinned; a click pins a head", () => {
  const store = ready();
  answer(store, start(5));
  newPage();
  let shown = 0;
  const { root, view } = createRankingLine(store, () => (shown += 1));
  drawOn(store, [view]);
  for (const token of [3, 1]) store.actions.chooseToken("a", token);
  const heads = [0, 1, 2].flatMap((head) => [edge(head, 0.5 - 0.1 * head)]);
  tell(store, edges, { queries: [3], keys: [1], uniform: 0.2, elsewhere: 3, others: 0, heads: [...heads, { ...edge(0, 0.1), layer: 1 }] });
  assert.equal(root.hidden, true, "the whole ranking is beside the head in focus");
  store.actions.togglePin({ layer: 1, head: 1 });
  assert.equal(root.hidden, false);
  assert.match(root.textContent, /^“t3” → “t1”L0 H0 0\.500L0 H1 0\.400L0 H2 0\.300All heads ranked$/);
  const [first] = ofClass(root, "chip");
  first.click();
  assert.deepEqual(store.state.pins.map(({ layer, head }) => [layer, head]), [[1, 1], [0, 0]]);
  ofClass(root, "plain")[0].click();
  assert.equal(shown, 1);
  store.actions.setView({ lock: null });
  assert.equal(root.hidden, true);
});
