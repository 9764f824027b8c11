// How the first steps are drawn: embeddings, one head against many, queries with keys and values.
//
// Rows of figures, written as formulas: a name is a matrix, `a|b` the first of them that the model has, `a?` one that it
// may lack, `a'` one that is drawn with rows and columns exchanged, `{words}` an operator, `.` an empty place. Of several
// arrangements the one with most matrices that fits best is drawn. In a `grid` figures of a column stand below each other:
// rows of the left factor lie beside the rows of the product, columns of the right one above its columns.

/** @typedef {{grid?: boolean, rows: string[]}} Arrangement */
/** @typedef {Record<string, Arrangement[]>} Layouts the arrangements of each step */

/** @type {Layouts} */
export const INPUT_LAYOUTS = {
  embeddings: [
    { rows: ["token_embedding + segment_embedding? + position_embedding?", "= x0"] },
    { rows: ["token_embedding + segment_embedding? + position_embedding? = x0"] },
    { grid: true, rows: ["token_embedding", "+ segment_embedding?", "+ position_embedding?", "= x0"] },
    { rows: ["token_embedding + segment_embedding? + position_embedding?", "= embedding_sum {norm} x0"] },
    { grid: true, rows: ["token_embedding", "+ segment_embedding?", "+ position_embedding?", "= embedding_sum", "{norm} x0"] },
  ],
  one_or_many: [{ rows: ["patterns*", "mean_pattern one_head_pattern"] }],
  qkv: [
    { grid: true, rows: ["x w_q w_k w_v w_q_fused", ". b_q? b_k? b_v? b_q_fused?", "{↓ norm} normed {=} q {=} k {=} v {=} q_fused"] },
    { grid: true, rows: ["x w_q w_k w_v w_q_fused", ". b_q? b_k? b_v? b_q_fused?", "{↓ norm} normed {=} q {=} k {=} v {=} q_fused", ". {↓ rotate} q_rotated {↓ rotate} k_rotated"] },
    { grid: true, rows: ["x w_q w_k w_v w_q_fused", ". b_q? b_k? b_v? b_q_fused?", "{↓ norm} normed {=} q {=} k {=} v {=} q_fused", ". . {↓ shift} k_shifted"] },
  ],
};
