// The list of tokens that may come next.

import assert from "node:assert/strict";
import { test } from "node:test";

import { createCandidates, percentText } from "../../../../frontend/tabs/generate/candidates.js";
import { ofClass } from "../../small_dom.js";

const candidates = Array.from({ length: 20 }, (_, id) => ({ id, text: `t${id}`, piece: `Ġt${id}`, probability: 0.04 }));

test("percentages have two decimals and are not zero where there is something", () => {
  assert.deepEqual([0, 0.00001, 0.77253, 1].map(percentText), ["0.00 %", "<0.01 %", "77.25 %", "100.00 %"]);
});

test("what is not listed counts among the others, and who wants all of them has all from then on", () => {
  const taken = [];
  const { root, render } = createCandidates(({ id }) => taken.push(id));
  const others = () => Number(ofClass(root, "others")[0].getAttribute("data-probability")).toFixed(2);
  render({ candidates, rest: 0.2, chosen: null });
  assert.deepEqual([ofClass(root, "candidate").length, others()], [10, "0.60"]);
  ofClass(root, "plain")[0].click();
  assert.deepEqual([ofClass(root, "candidate").length, others()], [20, "0.20"]);
  ofClass(root, "candidate")[3].click();
  assert.deepEqual(taken, [3]);
  render({ candidates: [...candidates], rest: 0.2, chosen: 4 });
  assert.equal(ofClass(root, "candidate").length, 20);
  assert.equal(ofClass(root, "chosen")[0].textContent, "t4 4.00 %");
});

test("what is not known leaves its room and nothing to read", () => {
  const { root, render } = createCandidates(() => {});
  root.offsetHeight = 300;
  render(null);
  assert.equal(root.style.minHeight, undefined);
  render({ candidates, rest: 0.2, chosen: null });
  render(null);
  assert.deepEqual([root.style.minHeight, root.textContent], ["300px", "Show 20"]);
  assert.ok(ofClass(root, "plain")[0].hidden);
});
