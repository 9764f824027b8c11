// Arrays for numpy: a zip archive whose every number is where the format says. numpy itself reads one in the browser test.

import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";

import { npy, npz } from "../../../frontend/export/npz.js";

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const ascii = (bytes) => String.fromCharCode(...bytes);

/** The entries of an archive, read from its end as zip programs do. */
function entriesOf(bytes) {
  const view = viewOf(bytes);
  const end = bytes.length - 22;
  assert.equal(view.getUint32(end, true), 0x06054b50);
  let at = view.getUint32(end + 16, true);
  return Array.from({ length: view.getUint16(end + 10, true) }, () => {
    assert.equal(view.getUint32(at, true), 0x02014b50);
    assert.equal(view.getUint16(at + 10, true), 0, "stored");
    const [crc, packed, size] = [16, 20, 24].map((field) => view.getUint32(at + field, true));
    assert.equal(packed, size);
    const [length, local] = [view.getUint16(at + 28, true), view.getUint32(at + 42, true)];
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
    assert.equal(view.getUint32(local, true), 0x04034b50);
    assert.deepEqual(bytes.slice(local + 14, local + 30), bytes.slice(at + 16, at + 32), "both headers say the same");
    const data = bytes.subarray(local + 30 + length, local + 30 + length + size);
    assert.equal(crc, crc32(data));
    at += 46 + length;
    return { name, data };
  });
}

function headerOf(data) {
  assert.equal(ascii(data.subarray(0, 8)), "\x93NUMPY\x01\x00");
  const length = viewOf(data).getUint16(8, true);
  assert.equal((10 + length) % 64, 0, "what follows is aligned");
  const text = ascii(data.subarray(10, 10 + length));
  assert.match(text, /\n$/);
  return { text: text.trimEnd(), body: data.subarray(10 + length) };
}

test("every array is found by its name, whole and with the right sum", () => {
  const arrays = [
    { name: "map_1", shape: [2, 3], values: Float32Array.from([0, 1, 0.5, 0.1, -2, 3e-8]) },
    { name: "größe", shape: [2], values: ["a", "b"] },
  ];
  const entries = entriesOf(npz(arrays));
  assert.deepEqual(entries.map(({ name }) => name), ["map_1.npy", "größe.npy"]);
  entries.forEach(({ data }, at) => assert.deepEqual([...data], [...npy(arrays[at])]));
});

test("floats keep every bit, the lowest byte first, row after row", () => {
  const values = Float32Array.from([0.1, 1 / 3, 1e-45, -0]);
  const { text, body } = headerOf(npy({ name: "x", shape: [4, 1], values }));
  assert.equal(text, "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 1,), }");
  values.forEach((value, at) => assert.ok(Object.is(viewOf(body).getFloat32(4 * at, true), value)));
  assert.equal(body.length, 16);
});

test("texts are as many code points wide as the longest of them", () => {
  const { text, body } = headerOf(npy({ name: "x", shape: [3], values: ["é", "🦊x", ""] }));
  assert.match(text, /'descr': '<U2'.*'shape': \(3,\)/);
  const points = Array.from({ length: 6 }, (_, at) => viewOf(body).getUint32(4 * at, true));
  assert.deepEqual(points, [0xe9, 0, 0x1f98a, 0x78, 0, 0]);
});

test("a single value has no sides", () => {
  assert.match(headerOf(npy({ name: "x", shape: [], values: ["{}"] })).text, /'<U2'.*'shape': \(\)/);
});

test("no arrays are an archive too, and the same arrays give the same bytes", () => {
  assert.deepEqual(entriesOf(npz([])), []);
  const arrays = [{ name: "a", shape: [1], values: Float32Array.of(1) }];
  assert.deepEqual(npz(arrays), npz(arrays));
});
