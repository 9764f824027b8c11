// The model picker's words: what choosing a model means, and what it is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { description, modelGroups } from "../../../frontend/views/models.js";

const model = (id, available, reason) => ({ id, name: id, available, reason, state: reason ? "not installed" : "ready" });

test("every model stands in the one group that says what choosing it means", () => {
  const models = [
    model("away", false, "no hub"),
    model("fetched", true, "Downloaded on first use"),
    model("here", true, null),
    model("silent", false, null),
    { ...model("language", true, null), examples: ["the king runs ."] },
  ];
  const named = modelGroups(models).map(({ label, models: members }) => [label, members.map(({ id }) => id)]);
  assert.deepEqual(named, [
    ["Ready to use", ["here"]],
    ["Small models of a few words", ["language"]],
    ["Downloaded on first use", ["fetched"]],
    ["Not available", ["away", "silent"]],
  ]);
  assert.deepEqual(
    modelGroups(models.slice(2, 3)).map(({ label }) => label),
    ["Ready to use"],
    "a group without models is left out",
  );
});

test("the line on a model gives its shape, its licence and whether it is installed", () => {
  const shape = { n_layers: 6, n_heads: 12, n_kv_heads: 12, d_model: 384, kind: "encoder", licence: "Apache-2.0" };
  const here = { ...model("m", true, null), ...shape };
  assert.equal(description(here), "6 layers × 12 heads · 384 wide · encoder · Apache-2.0");
  assert.equal(
    description({ ...here, n_kv_heads: 3, kind: "decoder", state: "not installed" }),
    "6 layers × 12 heads · 3 key/value heads · 384 wide · decoder · Apache-2.0 · not installed here",
  );
  const unread = { n_layers: null, n_heads: null, n_kv_heads: null, d_model: null, kind: null, licence: "not stated" };
  assert.equal(description({ ...here, ...unread }), "licence: not stated");
});
