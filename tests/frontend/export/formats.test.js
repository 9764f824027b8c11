// The formats of an export: each makes a file of its own name from what is shown, where there is something to make.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FORMATS, KINDS, isReady } from "../../../frontend/export/formats.js";
import { ready } from "../small_answer.js";
import { exportedContent, exportedStore } from "../exported_view.js";

const format = (id) => FORMATS.find((one) => one.id === id);
const readyOnes = (content) => FORMATS.filter((one) => isReady(one, content)).map(({ id }) => id);

test("every format has a name of its own and makes what the dialog has a row for", () => {
  assert.equal(new Set(FORMATS.map(({ id }) => id)).size, FORMATS.length);
  assert.deepEqual(new Set(FORMATS.map(({ makes }) => makes)), new Set(Object.keys(KINDS)));
});

test("files are named after the text, with the type of their kind and what is shown in them", async () => {
  const content = exportedContent(exportedStore("1.2h"));
  const files = await Promise.all(["svg", "csv", "json", "npz"].map((id) => format(id).make(content)));
  assert.deepEqual(files.map(({ name }) => name.replace("headscope-both-first-example", "")), [".svg", ".csv", ".json", ".npz"]);
  assert.deepEqual(files.map(({ content: { type } }) => type), ["image/svg+xml", "text/csv", "application/json", "application/x-npz"]);
  const [svg, csv, json] = await Promise.all(files.map(({ content: blob }) => blob.text()));
  for (const text of [svg, csv, json]) assert.match(text, /L1 H2/);
  assert.match(format("curl").make(content).content, /^curl .*"cells":\[\{"layer":1,"head":2\}\]/s);
  assert.match(format("python").make(content).content, /^import json/);
});

test("a picture of all heads says so in its name, numbers are those of the pinned maps in any case", async () => {
  const { state, ...content } = exportedContent(exportedStore("0.0h"));
  const picture = { svg: () => "<svg/>" };
  const grid = { ...content, state, scope: "grid", picture };
  assert.match((await format("svg").make(grid)).name, /-all-heads\.svg$/);
  assert.match((await format("csv").make(grid)).name, /example\.csv$/);
  assert.match(format("curl").make(grid).content, /\/attention/);
});

test("what cannot be made now is not ready, and says why", () => {
  const all = FORMATS.map(({ id }) => id);
  assert.deepEqual(readyOnes(exportedContent(exportedStore("1.2h"))), all);
  const without = (...ids) => all.filter((id) => !ids.includes(id));
  const numbers = ["csv", "json", "npz"];
  const rough = exportedContent(exportedStore("0.0h", { isExact: false }));
  assert.deepEqual(readyOnes(rough), without(...numbers));
  assert.equal(KINDS.numbers.hint(rough), "Exact values are loading…");
  const unpinned = exportedContent(exportedStore(""));
  assert.deepEqual(readyOnes(unpinned), without("svg", "png", ...numbers));
  assert.match(KINDS.numbers.hint(unpinned), /^Pin the maps/);
  assert.deepEqual(readyOnes({ ...exportedContent(exportedStore("1.2h")), scale: 0 }), without("png"), "too large for an image");
  const waiting = exportedContent(ready());
  assert.deepEqual(readyOnes(waiting), []);
  assert.equal(waiting.why, "The maps of this text are loading…");
});
