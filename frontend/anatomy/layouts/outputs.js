// How the steps after the heads are drawn: concatenation, output projection, the block, the stack of blocks.

/** @type {import("./inputs.js").Layouts} */
export const OUTPUT_LAYOUTS = {
  concat: [{ rows: ["z*", "= concat"] }],
  output: [
    { grid: true, rows: ["{Z × W_O} . w_o parts", "z = result {sum} attention_out"] },
    { grid: true, rows: ["{Z × W_O} . w_o", "z = result", ". parts", ". {sum} attention_out"] },
  ],
  block: [
    { rows: ["x + attention_out = residual", "{norm} mlp_input {gate} mlp_gate? {up} mlp_up", "{f} mlp_hidden {down} mlp_out {+ residual} block_out"] },
    { rows: ["x + attention_out = residual", "{norm} mlp_input {up} mlp_up", "{f} mlp_hidden {down} mlp_out", "{+ input} mlp_residual {norm} block_out"] },
    { rows: ["x + attention_out = residual {norm} mlp_input", "{gate} mlp_gate? {up} mlp_up {f} mlp_hidden", "{down} mlp_out {+ residual} block_out"] },
    { rows: ["x + attention_out", "= residual {norm} mlp_input", "{gate} mlp_gate?", "{up} mlp_up", "{f} mlp_hidden", "{down} mlp_out {+ residual} block_out"] },
    { rows: ["x + attention_out = residual {norm} mlp_input", "{up} mlp_up {f} mlp_hidden", "{down} mlp_out {+ input} mlp_residual {norm} block_out"] },
    { rows: ["x + attention_out", "= residual {norm} mlp_input", "{up} mlp_up", "{f} mlp_hidden", "{down} mlp_out {+ input} mlp_residual", "{norm} block_out"] },
    { rows: ["x + attention_out = residual = block_out"] },
  ],
  stack: [
    { rows: ["stream", "stream_norms stream_cosines", "final"] },
    { rows: ["stream stream_norms stream_cosines", "final"] },
  ],
};
