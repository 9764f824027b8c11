"""Attention weighted by what it carries (Kobayashi and others 2020).

    n[i, j] = || A[i, j] (x_j W_V + b_V) W_O^h ||,  then each row is divided by its sum

A head may look hard at a token whose vector is almost nothing; this tells the two apart. The norms
come from d x d matrices made once for each layer, || v W || = sqrt(v (W W^T) v^T), so a text costs
T * d * d a head and not T * d * D. This file must not know models.
"""

import torch
from torch import Tensor


def output_grams(projection: Tensor, n_heads: int) -> Tensor:
    """W W^T of each head's block of W_O, float32 [H, d, d], from W_O [D, H*d]."""
    # In double: the square root taken later would magnify what rounding leaves of small norms.
    blocks = projection.double().view(projection.shape[0], n_heads, -1)  # [D, H, d]
    return torch.einsum("Dhd,Dhe->hde", blocks, blocks).float()  # [H, d, d]


def value_norms(v: Tensor, grams: Tensor) -> Tensor:
    """Length of what each key would write, [..., H, K], from v [..., G, K, d], grams [H, d, d]."""
    shared_by = grams.shape[0] // v.shape[-3]
    v = v.float()
    v = v if shared_by == 1 else v.repeat_interleave(shared_by, dim=-3)  # [..., H, K, d]
    return (v @ grams).mul_(v).sum(-1).clamp_min_(0).sqrt_()


def value_weighted(pattern: Tensor, norms: Tensor) -> Tensor:
    """Shares of what each query receives, rows summing to one, [..., H, Q, K].

    From pattern [..., H, Q, K] and norms [..., H, K]. A row that receives nothing stays nothing.
    """
    twin = torch.empty_like(pattern)
    weigh(pattern, norms, out=twin)
    return twin


def weigh(pattern: Tensor, norms: Tensor, *, out: Tensor) -> Tensor:
    """Write the value-weighted pattern into `out`; what each query received, [..., H, Q, 1]."""
    torch.mul(pattern, norms.unsqueeze(-2), out=out)  # [..., H, Q, K]
    smallest = 1e-30  # far below any sum of real weights: keeps 0 / 0 from becoming NaN
    received = out.sum(-1, keepdim=True).clamp_min_(smallest)  # [..., H, Q, 1]
    out *= received.reciprocal()
    return received
