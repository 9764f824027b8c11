// The binary frame as the page reads it. The golden frame is the one the Python tests read too.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  FrameError,
  PATTERN,
  ROWS,
  codeOfWeight,
  decodeFrame,
  headValues,
  rowValues,
  rowsOfFrame,
  weightOfCode,
} from "../../../frontend/requests/wire.js";

const golden = JSON.parse(readFileSync(new URL("../golden_frame.json", import.meta.url), "utf8"));
const bytes = () => {
  const file = readFileSync(new URL("../golden_frame.bin", import.meta.url));
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
};

/** A frame of exact weights made byte by byte. */
function exactFrame(kind, weights, rows, cols, layer = 0) {
  const buffer = new ArrayBuffer(32 + 4 * weights.length);
  const view = new DataView(buffer);
  [..."HSCP"].forEach((letter, at) => view.setUint8(at, letter.charCodeAt(0)));
  [1, kind, 2, 0].forEach((value, at) => view.setUint8(4 + at, value));
  view.setUint16(8, layer, true);
  view.setUint16(12, weights.length / (rows * cols), true);
  [rows, cols, rows, cols].forEach((value, at) => view.setUint32(16 + 4 * at, value, true));
  weights.forEach((weight, at) => view.setFloat32(32 + 4 * at, weight, true));
  return buffer;
}

test("the golden frame reads as its description says", () => {
  const frame = decodeFrame(bytes());
  for (const field of [
    "kind",
    "layer",
    "first_head",
    "heads",
    "rows",
    "cols",
    "n_queries",
    "n_keys",
    "pooled",
    "causal",
  ]) {
    assert.equal(frame[field], golden[field], field);
  }
  assert.equal(frame.stack, "decoder");
  assert.deepEqual([...frame.values], golden.values);
});

test("a head is counted over the whole layer and is a view of its frame", () => {
  const frame = decodeFrame(bytes());
  assert.deepEqual([...headValues(frame, 4)], golden.values.slice(0, 9));
  assert.deepEqual([...headValues(frame, 5)], golden.values.slice(9));
  assert.equal(headValues(frame, 5).buffer, frame.values.buffer);
});

test("float32 weights arrive to the last bit", () => {
  const weights = Float32Array.from([0, 1, 0.1, 1 / 3, 1e-30, 0.99999994]);
  const frame = decodeFrame(exactFrame(PATTERN, [...weights], 2, 3));
  assert.ok(frame.values instanceof Float32Array);
  assert.deepEqual([...frame.values], [...weights]);
});

test("a frame of rows has every head's row, layer after layer", () => {
  const weights = Array.from({ length: 3 * 2 * 4 }, (_, at) => at / 32); // 3 layers of 2 heads, 4 keys
  const frame = decodeFrame(exactFrame(3, weights, 1, 4));
  assert.deepEqual([frame.kind, frame.heads, frame.rows, frame.cols], [3, 6, 1, 4]);
  for (const [layer, head] of [[0, 0], [1, 0], [2, 1]]) {
    const first = 4 * (2 * layer + head);
    assert.deepEqual([...rowValues(frame, 2, layer, head)], weights.slice(first, first + 4));
  }
});

test("rows are given with their layers, heads and keys, to the last bit", () => {
  const weights = Float32Array.from({ length: 3 * 2 * 4 }, (_, at) => 1 / (at + 1));
  const rows = rowsOfFrame(decodeFrame(exactFrame(ROWS, [...weights], 1, 4, 3)));
  assert.deepEqual(rows, { layers: 3, heads: 2, n_keys: 4, weights });
});

test("a frame that is not one row of every head is refused in words", () => {
  const refused = (...parts) => () => rowsOfFrame(decodeFrame(exactFrame(...parts)));
  assert.throws(refused(PATTERN, [1, 0, 0, 1], 2, 2, 1), /a frame of kind 2 came/);
  assert.throws(() => rowsOfFrame(decodeFrame(bytes())), FrameError);
  assert.throws(refused(ROWS, [1, 0, 0, 1], 1, 2, 0), /2 heads of 0 layers/);
  assert.throws(refused(ROWS, [1, 0, 0, 1, 0, 1], 1, 2, 2), /3 heads of 2 layers/);
  assert.throws(refused(ROWS, [1, 0, 0, 1], 2, 2, 1), /with 2 rows each/);
});

test("each code survives the way to a weight and back", () => {
  for (let code = 0; code < 256; code += 1) assert.equal(codeOfWeight(weightOfCode(code)), code);
});

test("bytes that are no frame of this version are refused in words", () => {
  const changed = (at, value) => {
    const buffer = bytes();
    new Uint8Array(buffer)[at] = value;
    return buffer;
  };
  assert.throws(() => decodeFrame(new ArrayBuffer(8)), FrameError);
  assert.throws(() => decodeFrame(changed(0, 0)), /not a HeadScope frame/);
  assert.throws(() => decodeFrame(changed(4, 2)), /version 2/);
  assert.throws(() => decodeFrame(changed(6, 9)), /format 9/);
  assert.throws(() => decodeFrame(changed(7, 7)), /Stack 7/);
  assert.throws(() => decodeFrame(bytes().slice(0, -1)), /announces 18 bytes/);
});
