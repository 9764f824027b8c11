"""The kinds of things that are named: axes, scopes, how terms combine, leaves. Free of torch."""

from typing import Literal

Axis = Literal[
    "token", "dimension", "head_dimension", "all_heads", "key_heads", "hidden",
    "head", "part", "layer", "vocabulary", "one",
]  # fmt: skip
"""What an axis counts.

dimension: of the residual stream, d_model. head_dimension: of one head, d_head. all_heads: the
dimensions of all heads, one head after the other; key_heads: the same of the key/value heads.
hidden: of the MLP. part: the heads, then the bias. layer: before the first block, then after each.
one: a single row or column.
"""

Scope = Literal["model", "layer", "head"]
"""Whether a matrix is of the model, of the chosen layer, or of the chosen head in it."""

Combine = Literal["sum", "root", "softmax", "function", "leaf"]
"""How terms become the number.

sum: added. root: the square root of their sum. softmax: the share of one term in the sum of all.
function: an activation of the only term. leaf: there are no terms, the number is given.
"""

LeafKind = Literal["token", "position", "segment", "weight", "mask", "scale", "none"]
"""Where a number comes from that is not computed; none: it is zero, or has no meaning."""

EditedMatrix = Literal["w_q", "w_k", "w_v", "w_o"]
"""The matrices of a head whose weights can be edited."""
