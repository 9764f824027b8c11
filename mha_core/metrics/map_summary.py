"""What metrics read of attention maps: a few numbers for each row and key, in few passes.

A[h, i, j]: share of its attention that head h gives, at query i, to key j; rows sum to one
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property, reduce
from itertools import groupby

import torch
from torch import Tensor

from mha_core.attention import Weights
from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.passage import Flags, Passage, cached_per_passage
from mha_core.metrics.row_block import CELLS_AT_ONCE, RowBlock, row_blocks
from mha_core.row_maxima import row_maxima


@dataclass(frozen=True, eq=False)
class MapSummary:
    """The maps of H heads on one text of T tokens, in O(T) numbers each."""

    passage: Passage
    row_sums: Tensor  # [H, R, T]: attention on each key, summed over each vector of rows in a table
    listed: Tensor  # [H, M]: the part of listed cells in each metric of the text's table
    distance: Tensor  # [H]: mean distance of what is looked at
    near: Tensor  # [H, len(NEAR), T]: attention on the key at each offset, clamped to the text
    between_pairs: Tensor  # [H, pairs]: attention of each pair of content words
    largest: Tensor  # [H, T]: the largest weight of each row
    n_largest: Tensor  # [H, T]: how many keys have it
    largest_ordinary: Tensor  # [H, T]: the largest on a key that is no special token
    without_sink: Tensor  # [H, T]: attention on keys that are neither special nor the first
    nats: Tensor  # [H, T]: entropy of each row, -sum A ln A
    nats_without_sink: Tensor  # [H, T]: the same sum over the keys of `without_sink`

    @cached_property
    def linear(self) -> Tensor:
        """[H, M]: each metric of the text's table."""
        table = cell_table(self.passage)
        near = self.near.flatten(1) @ table.near
        return (self.row_sums.flatten(1) @ table.keys.weights).add_(near).add_(self.listed)

    @cached_property
    def near_hits(self) -> Tensor:
        """[H, len(NEAR), T]: 1/n where the key at an offset is one of n with the largest weight."""
        return (self.near == self.largest[:, None]) / self.n_largest[:, None]


_TENSORS = [field.name for field in fields(MapSummary) if field.name != "passage"]
_SUMS_OVER_ROWS = ("row_sums", "listed", "distance")


def summarize(passage: Passage, weights: Weights, cells_at_once: int = CELLS_AT_ONCE) -> MapSummary:
    """Summarize the maps of H heads, [H, T, T]; the memory of their scores is overwritten."""
    blocks = row_blocks(passage, len(weights.pattern), cells_at_once)
    return reduce(_append_rows, (_summarize_rows(block, weights) for block in blocks))


def join_heads(summaries: Sequence[MapSummary]) -> MapSummary:
    """The heads of several layers, one after the other, in one summary."""
    if len(summaries) == 1:
        return summaries[0]
    joined = {name: torch.cat([getattr(it, name) for it in summaries]) for name in _TENSORS}
    return MapSummary(summaries[0].passage, **joined)


def _append_rows(above: MapSummary, below: MapSummary) -> MapSummary:
    """One summary of two that follow each other."""
    joined = {}
    for name in _TENSORS:
        one, other = getattr(above, name), getattr(below, name)
        joined[name] = one + other if name in _SUMS_OVER_ROWS else torch.cat([one, other], -1)
    return MapSummary(above.passage, **joined)


def _summarize_rows(block: RowBlock, weights: Weights) -> MapSummary:
    """The same of some neighbouring rows."""
    passage = block.passage
    pattern, terms, lse, largest = (it[:, block.rows] for it in weights)
    near, listed, between_pairs = block.read(pattern)
    without_sink = _sum_over(_keys_without_sink(passage), pattern)

    # A ln A = A (scores - lse). In place: clearing new memory takes as long as filling it.
    terms *= pattern
    nats = lse - terms.sum(-1)
    nats_without_sink = lse * without_sink - _sum_over(_keys_without_sink(passage), terms)
    return MapSummary(
        passage,
        row_sums=torch.matmul(block.key_rows, pattern),
        listed=listed @ block.listed_weights,
        distance=_sum_distances(block, pattern),
        near=near,
        between_pairs=between_pairs,
        largest=largest,
        n_largest=torch.eq(pattern, largest[..., None], out=terms).sum(-1),
        largest_ordinary=_largest_ordinary(passage, pattern, largest),
        without_sink=without_sink,
        nats=nats,
        nats_without_sink=nats_without_sink,
    )


def _largest_ordinary(passage: Passage, pattern: Tensor, largest: Tensor) -> Tensor:
    """[H, b]: the largest weight on a key that is no special token; 0 if there are no others."""
    stretches = _ordinary_keys(passage)
    if stretches == [slice(0, passage.n_tokens)]:
        return largest
    if not stretches:
        return torch.zeros_like(largest)
    found: Tensor = reduce(torch.maximum, [row_maxima(pattern[..., it]) for it in stretches])
    return found


def _sum_distances(block: RowBlock, pattern: Tensor) -> Tensor:
    """[H]: the part of these rows in the mean distance."""
    # In parts: over a sum of T * T terms the rounding would add up to 1e-4.
    parts = zip(pattern.split(128, 1), block.distances.split(128), strict=True)
    total: Tensor = reduce(torch.add, [rows.flatten(1) @ far.flatten() for rows, far in parts])
    return total


def _sum_over(stretches: Sequence[slice], values: Tensor) -> Tensor:
    """The sum of values [H, b, T] over the keys in some stretches, [H, b]."""
    sums = [values[..., stretch].sum(-1) for stretch in stretches]
    return reduce(torch.add, sums) if sums else values.new_zeros(values.shape[:2])


@cached_per_passage
def _ordinary_keys(passage: Passage) -> list[slice]:
    return _stretches(~passage.special)


@cached_per_passage
def _keys_without_sink(passage: Passage) -> list[slice]:
    return _stretches(passage.no_sink)


def _stretches(keys: Flags) -> list[slice]:
    """The stretches of neighbours among some keys, [T]."""
    found, start = [], 0
    for is_one, run in groupby(keys.tolist()):
        stop = start + len(list(run))
        if is_one:
            found.append(slice(start, stop))
        start = stop
    return found
