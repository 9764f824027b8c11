"""Value-weighted attention (Kobayashi and others 2020).

    n[i, j] = || A[i, j] (x_j W_V + b_V) W_O^h ||,  then each row is divided by its sum

A head may give a large weight to a token whose vector is close to zero; the value-weighted map
shows that little is passed on. The norms use d x d matrices computed once for each layer,
|| v W || = sqrt(v (W W^T) v^T), so a text costs T * d * d per head instead of T * d * D.
"""

import torch
from torch import Tensor


def output_grams(projection: Tensor, n_heads: int) -> Tensor:
    """W W^T of each head's block of W_O, float32 [H, d, d], from W_O [D, H*d]."""
    # In double: the later square root would magnify the rounding errors of small norms.
    blocks = projection.double().view(projection.shape[0], n_heads, -1)  # [D, H, d]
    return torch.einsum("Dhd,Dhe->hde", blocks, blocks).float()  # [H, d, d]


def value_norms(v: Tensor, grams: Tensor) -> Tensor:
    """Norm of each key's output, [..., H, K], from v [..., G, K, d] and grams [H, d, d]."""
    shared_by = grams.shape[0] // v.shape[-3]
    v = v.float()
    v = v if shared_by == 1 else v.repeat_interleave(shared_by, dim=-3)  # [..., H, K, d]
    return (v @ grams).mul_(v).sum(-1).clamp_min_(0).sqrt_()


def weight_by_value(pattern: Tensor, norms: Tensor) -> Tensor:
    """The value-weighted pattern [..., H, Q, K]; rows sum to one.

    From pattern [..., H, Q, K] and norms [..., H, K]. A row of zeros stays zero.
    """
    weighted = pattern * norms.unsqueeze(-2)  # [..., H, Q, K]
    smallest = 1e-30  # far below any sum of real weights: avoids 0 / 0
    return weighted.mul_(weighted.sum(-1, keepdim=True).clamp_min_(smallest).reciprocal_())
