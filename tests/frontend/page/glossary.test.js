// The glossary: every term explained once, briefly, and every metric's term among them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { GLOSSARY, TERM_OF_METRIC } from "../../../frontend/page/glossary.js";

test("every term has its own name and one or two sentences", () => {
  const names = Object.values(GLOSSARY).map(({ name }) => name.toLowerCase());
  assert.equal(new Set(names).size, names.length);
  for (const { name, meaning } of Object.values(GLOSSARY)) {
    assert.ok(meaning.endsWith("."), name);
    assert.ok(meaning.split(/\. /).length <= 2, name);
    assert.ok(meaning.length <= 170, `${name}: ${meaning.length}`);
  }
});

test("the terms of metrics are in the glossary", () => {
  for (const id of Object.values(TERM_OF_METRIC)) assert.ok(Object.hasOwn(GLOSSARY, id), id);
});
