"""Single numbers of a layer beside its matrices: variances, differences, entropies."""

from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.anatomy.forward import ForwardPass


@dataclass(frozen=True)
class MapNumbers:
    """What the rows of one map are like; a row that sees no key has no strongest."""

    entropy: list[float]  # nats, of each query
    strongest: list[int | None]  # key, of each query


@dataclass(frozen=True)
class Numbers:
    """Numbers of the layer and of the chosen head in it."""

    scale: float
    variance_raw: float  # of the chosen head's scores over visible cells
    variance_scaled: float
    n_parameters_separate: int  # of the attention, with a matrix for each head
    n_parameters_fused: int  # with one matrix for all heads
    fused_difference: float  # the largest of any q, k, v or output between the two
    parts_difference: float  # between the output and the sum of its parts
    empty_queries: list[int]  # rows of the pattern that are zeros: every key is hidden
    heads: list[MapNumbers]
    mean: MapNumbers  # of the mean of all heads
    one_head: MapNumbers  # of one head of the same total size


def count_numbers(run: ForwardPass, head: int) -> Numbers:
    """The numbers of the layer that was written down."""
    steps, fused = run.steps.attention, run.fused
    visible = steps.how.visible
    parts = steps.results.sum(0)
    if steps.weights.output.bias is not None:
        parts = parts + steps.weights.output.bias.float()
    pairs = [(steps.q, fused.q), (steps.k, fused.k), (steps.v, fused.v)]
    return Numbers(
        scale=steps.how.scale,
        variance_raw=_variance(steps.raw[head][visible]),
        variance_scaled=_variance(steps.scores[head][visible]),
        n_parameters_separate=steps.n_parameters,
        n_parameters_fused=fused.n_parameters,
        fused_difference=max(
            largest_difference(one, other) for one, other in [*pairs, (steps.output, fused.output)]
        ),
        parts_difference=largest_difference(parts, steps.output),
        empty_queries=(~visible.any(-1)).nonzero()[:, 0].tolist(),
        heads=[_map_numbers(pattern) for pattern in steps.pattern],
        mean=_map_numbers(steps.pattern.mean(0)),
        one_head=_map_numbers(steps.softmax(steps.one_head_scores)),
    )


def largest_difference(one: Tensor, other: Tensor) -> float:
    return float((one - other).abs().max())


def _variance(values: Tensor) -> float:
    return float(values.var(correction=0)) if len(values) else 0.0


def _map_numbers(pattern: Tensor) -> MapNumbers:
    entropy = torch.special.entr(pattern).sum(-1).tolist()
    largest, keys = pattern.max(-1)
    strongest = [
        key if weight > 0 else None
        for key, weight in zip(keys.tolist(), largest.tolist(), strict=True)
    ]
    return MapNumbers(entropy, strongest)
