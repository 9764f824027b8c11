// How the steps of one head are drawn: scores, scale, mask, softmax, the weighted sum of values.

/** @type {import("./inputs.js").Layouts} */
export const ATTENTION_LAYOUTS = {
  scores: [{ grid: true, rows: ["{Q × Kᵀ} . k_rotated'|k_shifted'|k'", "q_rotated|q = scores_raw"] }],
  scale: [
    { grid: true, rows: ["scores_raw {× scale} scores", "{↓ softmax} pattern_unscaled {↓ softmax} pattern"] },
    { rows: ["scores_raw {× scale} scores", "{↓ softmax} pattern_unscaled {↓ softmax} pattern"] },
  ],
  mask: [{ rows: ["scores + visible = masked"] }],
  softmax: [{ rows: ["masked {softmax} pattern"] }],
  values: [{ grid: true, rows: ["{A × V} . v", "pattern = z"] }],
};
