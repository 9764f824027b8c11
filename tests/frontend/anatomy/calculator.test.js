// The head calculator: sizes in links, presets, large numbers in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bytesText, isPreset, largeText, sizesChoice, sizesOf } from "../../../frontend/anatomy/calculator.js";

const LLAMA = { id: "llama", name: "", d_model: 8192, n_heads: 64, n_kv_heads: 8, n_layers: 80, max_tokens: 4096, bias: false, source: "", note: "", model: null };

test("a link carries the sizes", () => {
  for (const sizes of [sizesOf(LLAMA), { ...sizesOf(LLAMA), n_kv_heads: null, bias: true, bytes_per_number: 4 }]) {
    let word = "";
    sizesChoice.write(sizes, (_, written) => (word = written));
    assert.deepEqual(sizesChoice.read(() => word), sizes);
  }
  assert.deepEqual(sizesChoice.misread(() => "768.12"), ["sizes=768.12"]);
});

test("a preset is recognised by its sizes, whatever the text's length", () => {
  assert.ok(isPreset(LLAMA, { ...sizesOf(LLAMA), n_tokens: 7 }));
  assert.ok(!isPreset(LLAMA, { ...sizesOf(LLAMA), n_heads: 32 }));
  assert.equal(sizesOf({ ...LLAMA, n_kv_heads: 64 }).n_kv_heads, null);
});

test("large numbers are written with their names", () => {
  assert.deepEqual([999, 12_345, 1_234_567, 1.21e10, 1.43e14].map(largeText), ["999", "12,345", "1.23 million", "12.1 billion", "143 trillion"]);
  assert.deepEqual([100, 2048, 1.25 * 2 ** 30].map(bytesText), ["100 bytes", "2 KiB", "1.25 GiB"]);
});
