// Reading safetensors: what Python's library writes, and bytes that are something else.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SafetensorsError, readSafetensors } from "../../../frontend/requests/safetensors.js";

/** Bytes of a header and of data, as the format has them. */
function bytesOf(header, data) {
  const text = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const bytes = new Uint8Array(8 + text.length + data.byteLength);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), 8 + text.length);
  return bytes.buffer;
}

const numbers = new Uint8Array([...new Uint8Array(Float32Array.of(0.5, -2, 3).buffer), ...new Uint8Array(BigInt64Array.of(7n).buffer)]);
const header = { __metadata__: { meta: "{}" }, maps: { dtype: "F32", shape: [1, 3], data_offsets: [0, 12] }, steps: { dtype: "I64", shape: [1], data_offsets: [12, 20] } };

test("arrays have their shapes and numbers, wherever they begin, and the metadata is there", () => {
  for (const blanks of ["", " ", "  ", "   "]) {
    const { tensors, metadata } = readSafetensors(bytesOf(JSON.stringify(header) + blanks, numbers));
    assert.deepEqual([tensors.maps.shape, [...tensors.maps.values]], [[1, 3], [0.5, -2, 3]]);
    assert.deepEqual([...tensors.steps.values], [7n]);
    assert.deepEqual(metadata, { meta: "{}" });
  }
});

test("a file without metadata or arrays is read, too", () => {
  assert.deepEqual(readSafetensors(bytesOf({}, new Uint8Array())), { tensors: {}, metadata: {} });
});

test("what Python's library has written is read", () => {
  // safetensors.numpy.save({"a": np.arange(4, dtype=np.float32).reshape(2, 2)}, {"meta": "x"})
  const written = "WAAAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJtZXRhIjoieCJ9LCJhIjp7ImR0eXBlIjoiRjMyIiwic2hhcGUiOlsyLDJdLCJkYXRhX29mZnNldHMiOlswLDE2XX19ICAgAAAAAAAAgD8AAABAAABAQA==";
  const { tensors, metadata } = readSafetensors(Uint8Array.from(Buffer.from(written, "base64")).buffer);
  assert.deepEqual([tensors.a.shape, [...tensors.a.values], metadata], [[2, 2], [0, 1, 2, 3], { meta: "x" }]);
});

test("other bytes are refused with what is wrong", () => {
  const refused = (buffer, words) => assert.throws(() => readSafetensors(buffer), (error) => error instanceof SafetensorsError && words.test(error.message));
  refused(new ArrayBuffer(5), /too few/);
  refused(bytesOf("no json", new Uint8Array()), /no JSON/);
  const long = new ArrayBuffer(16);
  new DataView(long).setBigUint64(0, 99n, true);
  refused(long, /99 bytes, only 8/);
  refused(bytesOf({ a: { dtype: "BF16", shape: [1], data_offsets: [0, 2] } }, new Uint8Array(2)), /type BF16/);
  refused(bytesOf({ a: { dtype: "F32", shape: [2], data_offsets: [0, 4] } }, new Uint8Array(4)), /should have 8 bytes, 4 are here/);
  refused(bytesOf({ a: { dtype: "F32", shape: [2], data_offsets: [0, 8] } }, new Uint8Array(4)), /should have 8 bytes, 4 are here/);
});
