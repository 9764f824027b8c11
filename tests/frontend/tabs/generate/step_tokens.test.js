// The tokens that heads attend to: which are listed, in which order, and what is written of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createStepTokens, listedShares, shareText } from "../../../../frontend/tabs/generate/step_tokens.js";
import { newPage, ofClass } from "../../small_dom.js";

const share = (key, part) => ({ key, share: part, layer: 0, head: key, weight: part });
const keysOf = (listed) => listed.map(({ key }) => key);

test("the first token leads, the others follow by their shares", () => {
  const shares = [share(0, 0.1), share(1, 0.2), share(2, 0.4), share(3, 0.3)];
  assert.deepEqual(keysOf(listedShares(shares, null)), [0, 2, 3, 1]);
  assert.deepEqual(keysOf(shares), [0, 1, 2, 3], "the list it was made of keeps its order");
  assert.deepEqual(listedShares([], null), []);
});

test("ten tokens are listed, a chosen one among them whatever its share", () => {
  const shares = Array.from({ length: 15 }, (_, key) => share(key, (20 - key) / 200));
  assert.deepEqual(keysOf(listedShares(shares, null)), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(keysOf(listedShares(shares, 14)), [0, 1, 2, 3, 4, 5, 6, 7, 8, 14]);
  assert.deepEqual(keysOf(listedShares(shares, 3)), keysOf(listedShares(shares, null)));
});

test("a share is a percentage, never zero where there is some", () => {
  assert.deepEqual([1, 0.1234, 0.0004, 0].map(shareText), ["100.0 %", "12.3 %", "<0.1 %", "0.0 %"]);
});

test("each token has its position and the head that attends to it most; a sink is faded", () => {
  newPage("root");
  const { list, render } = createStepTokens(() => {}, () => {});
  const tokens = ["<|im_start|>", "France"].map((text, id) => ({ id, text, piece: text, kind: id === 0 ? "special" : "word_start" }));
  const drawn = { step: { tokens }, shares: [share(0, 0.75), share(1, 0.25)], watched: null, isDim: (key) => key === 0 };
  render(drawn, false);
  assert.deepEqual(ofClass(list, "placed").map(({ textContent }) => textContent), ["<|im_start|>·0", "France·1"]);
  assert.deepEqual(ofClass(list, "sink").map(({ textContent }) => textContent), ["<|im_start|>·075.0 %"]);
  render({ ...drawn, isDim: () => false }, false);
  assert.equal(ofClass(list, "sink").length, 0, "unless sinks are shown like others");
  assert.equal(list.childNodes[1].childNodes[0].getAttribute("title"), "France · most from L0 H1, 0.25");
});
