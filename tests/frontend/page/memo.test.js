// What is kept is made again exactly when something it was made from is another thing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Memo } from "../../../frontend/page/memo.js";

test("a value is made once per list of sources, compared by identity", () => {
  const memo = new Memo();
  const [one, other] = [{}, {}];
  let made = 0;
  const make = () => (made += 1);
  assert.equal(memo.get([one, null], make), 1);
  assert.equal(memo.get([one, null], make), 1);
  assert.equal(memo.get([other, null], make), 2);
  assert.equal(memo.get([other, 0], make), 3);
  assert.equal(memo.get([one, null], make), 4);
});
