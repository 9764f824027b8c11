// The server's list of steps and matrices (a Python test compares them), and a made-up layer of a small model.

import { readFileSync } from "node:fs";

const recorded = new URL("anatomy_catalogue.json", import.meta.url);
export const catalogue = JSON.parse(readFileSync(recorded, "utf8"));

/** Numbers that are all different. */
export const numbered = (n, from = 0) => Float32Array.from({ length: n }, (_, at) => from + at);

const tokensOf = (n) => Array.from({ length: n }, (_, index) => ({ index, id: index, text: `t${index}`, piece: `t${index}`, kind: "word_start", word: index, start: index, end: index + 1, segment: 0 }));

/** A layer's answer with matrices of these shapes, in the words of the catalogue. */
export function layer(shapes, { n = 3, n_heads = 2, d_head = 2, d_model = 4, head = 1, token = 2, ...more } = {}) {
  const matrices = Object.entries(shapes).map(([name, shape]) => ({ ...catalogue.matrices.find((kind) => kind.name === name), shape }));
  const tensors = Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { shape, values: numbered(shape.reduce((product, size) => product * size, 1)) }]));
  const sizes = { n_layers: 2, n_heads, n_kv_heads: n_heads, d_model, d_head, d_mlp: 8 };
  const computation = { norm: "LayerNorm", norm_first: true, positions: "added", activation: "GELU", gated: false, causal: true, predicts: true };
  return { about: { matrices, absent: [], tokens: tokensOf(n), n_tokens: n, layer: 0, head, key_head: head, token, sizes, computation, changes: null, timing: { total_ms: 20, load_ms: 0 }, ...more }, tensors };
}
