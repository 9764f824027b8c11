// A run as files.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pointsCsv, recordFile } from "../../../frontend/export/run_files.js";
import { record } from "../small_run.js";

test("the scores are a line for each head, score and checkpoint, with those of the model itself", () => {
  const lines = pointsCsv(record()).trimEnd().split("\n");
  assert.equal(lines[0], "step,what,layer,head,value,low,high,n,baseline");
  assert.equal(lines.length, 1 + 3 * (2 + 4 + 2 + 4));
  assert.ok(lines.includes("100,loss,,,0.5,,,,"));
  assert.ok(lines.includes("100,subject,1,0,0.8,,,40,0.5"));
  assert.ok(lines.includes('100,"subject: model, hard cases",,,0.45,,,9,'));
});

test("the record is saved whole under the name of the run", async () => {
  const { name, content } = recordFile(record());
  assert.equal(name, "headscope-run-1.json");
  assert.deepEqual(JSON.parse(await content.text()), record());
});
