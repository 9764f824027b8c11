"""How differently heads attend, and which head of one model does the work of which in another."""

from itertools import permutations

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.tally import Numbers
from mha_core.learn.probe import Probe
from mha_core.tap import LayerCapture, Tap
from mha_core.transformer import Transformer

_SMOOTHING = 0.001  # of uniform attention, as in the atlas
_MOST_HEADS = 9  # to try every matching of


@torch.inference_mode()
def maps_on(model: Transformer, probe: Probe) -> list[Tensor]:
    """The maps of all heads on each text of the probe, [L * H, T, T], layers in a row."""
    layers: list[Tensor] = []

    def on_pattern(_: LayerCapture, pattern: Tensor) -> None:
        layers.append(pattern.clone())

    batch = probe.for_maps
    model(batch.tokens, Tap(on_pattern=on_pattern))
    joined = torch.cat(layers, dim=1)  # [B, L * H, T, T]
    return [maps[:, :n, :n] for maps, n in zip(joined, batch.lengths.tolist(), strict=True)]


def distances(one: list[Tensor], other: list[Tensor]) -> Numbers:
    """Jensen-Shannon divergence of every head of one from every head of the other, in nats.

    [P, P']: the mean over the rows of all texts, but for each first row, which has no choice.
    """
    sums: Numbers = np.zeros((len(one[0]), len(other[0])))
    n_rows = 0
    for a, b in zip(one, other, strict=True):
        a, b = (_smooth(maps)[:, 1:] for maps in (a, b))  # [P, T - 1, T]
        entropy_a, entropy_b = (-(it * it.log()).sum(-1).sum(-1) for it in (a, b))  # [P]
        for head, maps in enumerate(a):
            middle = (maps[None] + b) / 2
            of_middle = -(middle * middle.log()).sum(-1).sum(-1)
            sums[head] += (of_middle - (entropy_a[head] + entropy_b) / 2).numpy()
        n_rows += a.shape[1]
    return sums / n_rows


def _smooth(maps: Tensor) -> Tensor:
    return (1 - _SMOOTHING) * maps.double() + _SMOOTHING / maps.shape[-1]


def match_heads(apart: Numbers) -> list[int]:
    """For each head of one model its partner in the other: the smallest sum of distances."""
    n = len(apart)
    if n > _MOST_HEADS or apart.shape != (n, n):
        raise ValueError(f"{apart.shape} heads are too many to try every matching of.")
    tried = np.array([*permutations(range(n))])  # [n!, n]
    totals = apart[np.arange(n), tried].sum(1)
    return [int(partner) for partner in tried[totals.argmin()]]
