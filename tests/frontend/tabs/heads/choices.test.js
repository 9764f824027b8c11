// What is chosen of the chart and of the table.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FIRST_ORDER, sortedBy } from "../../../../frontend/tabs/heads/choices.js";

test("a column sorts numbers from the largest and names from the first; again it turns round", () => {
  let order = FIRST_ORDER;
  const sort = (by) => {
    order = sortedBy(order, by);
    return `${order.by} ${order.falling ? "falling" : "rising"}`;
  };
  assert.equal(sort("entropy"), "entropy falling");
  assert.equal(sort("entropy"), "entropy rising");
  assert.equal(sort("head"), "head rising");
  assert.equal(sort("roles"), "roles rising");
  assert.equal(sort("roles"), "roles falling");
});
