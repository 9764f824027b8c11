"""A block of rows of some heads' maps, with the intermediate results that several metrics share.

A[h, i, j]: share of its attention that head h gives, at query i, to key j; rows sum to one
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import torch
from torch import Tensor

from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.passage import Passage, cached_per_passage
from mha_core.metrics.row_block import RowBlock

SMALLEST = torch.finfo(torch.float32).tiny  # replaces 0 in a logarithm or a denominator


@dataclass(frozen=True, eq=False)
class Maps:
    """The b rows of a block in the maps of H heads; the pattern is never written to."""

    pattern: Tensor  # [H, b, T]
    block: RowBlock
    # Before the softmax, ln A = scores - lse; finite where masked. None: ln A is computed. Their
    # memory is overwritten: clearing new memory takes as long as what is computed in it.
    scores: Tensor | None = None  # [H, b, T]
    lse: Tensor | None = None  # [H, b]

    @property
    def passage(self) -> Passage:
        return self.block.passage

    @cached_property
    def row_sums(self) -> Tensor:
        """[H, R, T]: the attention on each key, summed over each vector of rows in the table."""
        return torch.matmul(self.block.key_rows, self.pattern)

    @cached_property
    def read(self) -> Tensor:
        """[H, cells]: the cells that metrics read one by one."""
        return self.pattern.flatten(1).index_select(1, self.block.read_cells)

    @cached_property
    def near(self) -> Tensor:
        """[H, len(NEAR), b]: the attention on the key at each offset, clamped to the text."""
        shape = self.block.near_keys.shape
        return self.read[:, : shape.numel()].view(-1, *shape)

    @cached_property
    def between_pairs(self) -> Tensor:
        """[H, pairs]: the attention of the pairs of content words in these rows."""
        return self.read[:, self.block.n_counted :]

    @cached_property
    def linear(self) -> Tensor:
        """[H, M]: the part of these rows in each metric of the text's table."""
        by_key = self.row_sums.flatten(1) @ cell_table(self.passage).keys.weights
        return by_key.addmm_(self.read[:, : self.block.n_counted], self.block.cell_weights)

    @cached_property
    def attention_without_sink(self) -> Tensor:
        """[H, b]: the attention of each row on keys that are neither special nor the first."""
        return _sum_over(self.pattern, runs_without_sink(self.passage))

    @cached_property
    def nats(self) -> tuple[Tensor, Tensor]:
        """-sum A ln A of each row over all keys, and over those of `attention_without_sink`."""
        logs = self.pattern.clamp_min(SMALLEST).log_() if self.scores is None else self.scores
        terms = logs.mul_(self.pattern)  # [H, b, T]
        without_sink = _sum_over(terms, runs_without_sink(self.passage))  # [H, b]
        everywhere = without_sink + terms.index_select(2, _sink_keys(self.passage)).sum(-1)
        if self.lse is None:
            return -everywhere, -without_sink
        return self.lse - everywhere, self.lse * self.attention_without_sink - without_sink

    @cached_property
    def largest(self) -> Tensor:
        """[H, b]: the largest weight of each row."""
        special = _special_keys(self.passage)
        if len(special) == 0:
            return self.largest_ordinary
        return torch.maximum(self.pattern.index_select(2, special).amax(-1), self.largest_ordinary)

    @cached_property
    def largest_ordinary(self) -> Tensor:
        """[H, b]: the largest weight of each row on a key that is no special token."""
        runs = ordinary_runs(self.passage)
        if not runs:
            return self.pattern.new_zeros(self.pattern.shape[:2])
        return torch.stack([self.pattern[..., run].amax(-1) for run in runs]).amax(0)

    @cached_property
    def near_hits(self) -> Tensor:
        """[H, len(NEAR), b]: 1/n where the key at an offset is one of n with the largest weight."""
        hits = self.near == self.largest[:, None]
        shares = hits.to(self.pattern.dtype)
        # Hits are few: count ties in their rows only.
        head, row = hits.any(1).nonzero(as_tuple=True)
        ties = self.pattern[head, row] == self.largest[head, row, None]  # [rows with a hit, T]
        shares[head, :, row] /= ties.sum(-1, keepdim=True)
        return shares


@cached_per_passage
def _special_keys(passage: Passage) -> Tensor:
    """[S] long."""
    return passage.special.nonzero()[:, 0]


@cached_per_passage
def _sink_keys(passage: Passage) -> Tensor:
    """[S] long: special tokens and the first."""
    return (~passage.no_sink).nonzero()[:, 0]


@cached_per_passage
def ordinary_runs(passage: Passage) -> list[slice]:
    """The stretches of neighbouring keys that are no special token."""
    return _runs(passage.special)


@cached_per_passage
def runs_without_sink(passage: Passage) -> list[slice]:
    """The same without the first token."""
    return _runs(~passage.no_sink)


def _runs(left_out: Tensor) -> list[slice]:
    """The stretches between the tokens that are left out, [T] bool."""
    ends = [-1, *left_out.nonzero()[:, 0].tolist(), len(left_out)]
    stretches = (slice(one + 1, other) for one, other in pairwise(ends))
    return [it for it in stretches if it.start < it.stop]


def _sum_over(values: Tensor, runs: Sequence[slice]) -> Tensor:
    """The sum of values [H, b, T] over the keys in some stretches, [H, b]."""
    total = values.new_zeros(values.shape[:2])
    for run in runs:
        total += values[..., run].sum(-1)
    return total
