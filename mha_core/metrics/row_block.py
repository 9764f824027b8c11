"""Some neighbouring rows of a text's maps, and where the cells that metrics read are in them.

Metrics are sums over rows, so a long text is measured block by block: what depends on both a row
and a key exists for one block at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.cells import NEAR
from mha_core.metrics.content_pairs import content_pairs
from mha_core.metrics.passage import Passage, cached_per_passage

CELLS_AT_ONCE = 2**23
"""Cells, of all heads, in a block: 32 MB, which the allocator still keeps for the next layer."""


@dataclass(frozen=True, eq=False)
class RowBlock:
    """The b rows from `start` to `stop` of a text of T tokens."""

    passage: Passage
    start: int
    stop: int

    @property
    def rows(self) -> slice:
        return slice(self.start, self.stop)

    @cached_property
    def near_keys(self) -> Tensor:
        """[len(NEAR), b] long: the key at each offset from each row, clamped to the text."""
        offsets = torch.tensor(NEAR, device=self.passage.ids.device)[:, None]
        keys = self.passage.positions[self.rows] + offsets
        return keys.clamp_(0, self.passage.n_tokens - 1)

    @cached_property
    def read_cells(self) -> Tensor:
        """The cells T * (i - start) + j that metrics read one by one, [cells] long.

        First those near the diagonal, then those that metrics list, then pairs of content words.
        """
        T = self.passage.n_tokens  # noqa: N806 (the shape letters)
        rows = self.passage.positions[: self.stop - self.start]
        pairs = content_pairs(self.passage)
        between = (pairs.queries[self.pairs] - self.start) * T + pairs.keys[self.pairs]
        near = (rows * T + self.near_keys).flatten()
        return torch.cat([near, *self._listed.values(), between])

    @cached_property
    def n_counted(self) -> int:
        """How many of `read_cells` are counted by metrics, all but the pairs."""
        return len(self.cell_weights)

    @cached_property
    def cell_weights(self) -> Tensor:
        """[counted cells, M]: the weight of each counted cell in each metric of the table."""
        table = cell_table(self.passage)
        near = table.near[:, self.rows].flatten(0, 1)  # [len(NEAR) * b, M]
        listed = near.new_zeros(sum(map(len, self._listed.values())), near.shape[1])
        start = 0
        for metric, cells in self._listed.items():
            listed[start : start + len(cells), metric] = 1 / table.n[table.names[metric]]
            start += len(cells)
        return torch.cat([near, listed])

    @cached_property
    def _listed(self) -> dict[int, Tensor]:
        """The cells of each metric that lists them, by the place of the metric in the table."""
        T = self.passage.n_tokens  # noqa: N806 (the shape letters)
        lists = cell_table(self.passage).lists
        return {metric: it.cells(self.rows, T) for metric, it in lists.items()}

    @cached_property
    def pairs(self) -> slice:
        """Which of the pairs of content words have their query in these rows."""
        return content_pairs(self.passage).within(self.rows)

    @cached_property
    def key_rows(self) -> Tensor:
        """[R, b]: these rows of the vectors that the text's table sums over."""
        return cell_table(self.passage).keys.rows[:, self.rows]

    @cached_property
    def distances(self) -> Tensor:
        """[b, T]: the distance of each cell, over the number of rows in the mean of distances."""
        passage = self.passage
        rows = passage.positions[self.rows, None]
        weights = passage.choosing[self.rows, None] / passage.n_choosing
        return (passage.positions - rows).abs() * weights


def row_blocks(
    passage: Passage, n_heads: int, cells_at_once: int = CELLS_AT_ONCE
) -> Iterator[RowBlock]:
    """The blocks in which the maps of some heads are measured: one, unless the text is long."""
    T = passage.n_tokens  # noqa: N806 (the shape letters)
    size = max(1, cells_at_once // (n_heads * T))
    if size >= T:
        yield _whole(passage)
        return
    for start in range(0, T, size):
        yield RowBlock(passage, start, min(start + size, T))


@cached_per_passage
def _whole(passage: Passage) -> RowBlock:
    """All rows, with what is derived from them kept for the next layer."""
    return RowBlock(passage, 0, passage.n_tokens)
