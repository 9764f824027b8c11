"""The twelve steps of the computation, and the matrices that show each."""

from dataclasses import dataclass
from typing import Literal

StepId = Literal[
    "embeddings", "one_or_many", "qkv", "scores", "scale", "mask",
    "softmax", "values", "concat", "output", "block", "stack",
]  # fmt: skip


@dataclass(frozen=True)
class Step:
    id: StepId
    title: str
    formula: str
    matrices: tuple[str, ...]  # in the order they are computed; a model may lack some
    numbers: tuple[str, ...] = ()  # of `Numbers`, that belong to it


STEPS: tuple[Step, ...] = (
    Step(
        "embeddings",
        "Tokens and embeddings",
        "x₀ = token + position",
        ("token_embedding", "segment_embedding", "position_embedding", "embedding_sum", "x0"),
    ),
    Step(
        "one_or_many",
        "One head against many",
        "softmax(Q₁ K₁ᵀ), …, softmax(Q_h K_hᵀ) against softmax(Q Kᵀ)",
        ("patterns", "mean_pattern", "one_head_pattern"),
        ("heads", "mean", "one_head"),
    ),
    Step(
        "qkv",
        "Queries, keys and values",
        "Q = x W_Q + b_Q,  K = x W_K + b_K,  V = x W_V + b_V",
        (
            *("x", "normed", "w_q", "b_q", "q", "w_k", "b_k", "k", "w_v", "b_v", "v"),
            *("rotary_cos", "rotary_sin", "q_rotated", "k_rotated", "k_shifted"),
            *("w_q_fused", "b_q_fused", "q_fused", "k_fused", "v_fused"),
        ),
        ("n_parameters_separate", "n_parameters_fused", "fused_difference"),
    ),
    Step(
        "scores",
        "Scores",
        "S = Q Kᵀ",
        ("q", "k", "q_rotated", "k_rotated", "k_shifted", "scores_raw"),
    ),
    Step(
        "scale",
        "Divided by the root of d_head",
        "S / √d_head",
        ("scores_raw", "scale", "scores", "pattern_unscaled", "pattern"),
        ("scale", "variance_raw", "variance_scaled"),
    ),
    Step("mask", "Mask", "S / √d_head + mask", ("scores", "visible", "masked")),
    Step(
        "softmax",
        "Softmax",
        "A = softmax(S / √d_head + mask)",
        ("masked", "pattern"),
        ("empty_queries",),
    ),
    Step("values", "Weighted sum of values", "Z = A V", ("pattern", "v", "z")),
    Step("concat", "Concatenation", "[Z₁ | … | Z_h]", ("z", "concat")),
    Step(
        "output",
        "Output projection",
        "MHA(x) = [Z₁ | … | Z_h] W_O + b_O = Z₁ W_O₁ + … + Z_h W_Oₕ + b_O",
        (
            *("concat", "w_o", "b_o", "result", "parts", "attention_out"),
            *("result_norms", "attention_out_norm", "result_cosines"),
        ),
        ("parts_difference",),
    ),
    Step(
        "block",
        "The whole block",
        "x = x + MHA(norm(x)),  x = x + MLP(norm(x));  in BERT x = norm(x + MHA(x)), "
        "x = norm(x + MLP(x))",
        (
            *("x", "attention_out", "residual", "mlp_input", "mlp_gate", "mlp_up"),
            *("mlp_hidden", "mlp_out", "mlp_residual", "block_out"),
        ),
    ),
    Step(
        "stack",
        "Stacking blocks",
        "x₀ → block → block → … → prediction",
        ("stream", "stream_norms", "stream_cosines", "final"),
    ),
)

STEP_OF: dict[str, Step] = {step.id: step for step in STEPS}
