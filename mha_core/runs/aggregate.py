"""One map made of many: the mean of some heads, their largest weights, or the rollout of layers.

    mean[i, j]   mean over the heads h of A_h[i, j]
    max[i, j]    largest over the heads h of A_h[i, j]; its rows may sum to more than one
    rollout      R_l = W_l R_(l-1), W_l = (mean of layer l's heads + I) / 2 (Abnar and Zuidema 2020)

Maps arrive one layer at a time, [heads, Q, K], and are freed before the next layer's are computed:
memory holds one layer, however many heads are combined.
"""

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor

from mha_core.runs.value_weights import value_norms, weight_by_value
from mha_core.tap import LayerCapture

Combine = Callable[[Iterable[Tensor]], Tensor]
"""Combines the maps of each layer, [heads, Q, K], into one map [Q, K]."""


def derive_maps(
    capture: LayerCapture, heads: Sequence[int] | None = None, grams: Tensor | None = None
) -> Tensor:
    """Maps of some heads of a layer (None: all), float32 [heads, Q, K].

    Value-weighted if `grams` [H, d, d] of the layer's output projection are given.
    """
    pattern = capture.pattern(heads)[0]
    if grams is None:
        return pattern
    norms = value_norms(capture.v[0], grams)  # [H, K]
    return weight_by_value(pattern, norms if heads is None else norms[list(heads)])


@torch.inference_mode()
def mean_map(layers: Iterable[Tensor]) -> Tensor:
    """The mean of all maps, [Q, K]: each head counts the same, whatever its layer."""
    total, n_maps = torch.zeros(()), 0
    for maps in layers:
        total = total.to(maps.device) + maps.sum(0)
        n_maps += len(maps)
    return total / n_maps


@torch.inference_mode()
def max_map(layers: Iterable[Tensor]) -> Tensor:
    """The largest weight of all maps, cell by cell, [Q, K]."""
    largest = torch.zeros(())  # no weight is smaller
    for maps in layers:
        largest = torch.maximum(largest.to(maps.device), maps.amax(0))
    return largest


@torch.inference_mode()
def rollout_map(layers: Iterable[Tensor]) -> Tensor:
    """Attention multiplied through all layers, first layer first, [T, T].

    Row i: how much of position i after the last layer comes from each position before the first,
    assuming that each layer keeps half of a position and takes half from its heads' mean attention.
    """
    rolled: Tensor | None = None
    for maps in layers:
        here = torch.eye(maps.shape[-1], device=maps.device)
        step = maps.mean(0) + here  # [T, T]
        # Normalised, not halved: a fully masked query has a row of zeros, and keeps itself.
        step /= step.sum(-1, keepdim=True)
        rolled = step if rolled is None else step @ rolled
    assert rolled is not None, "a rollout has a first layer"  # noqa: S101
    return rolled
