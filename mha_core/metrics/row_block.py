"""Some neighbouring rows of a text's maps, and where the cells that metrics read are in them.

The maps of a long text are summarized block by block: what depends on both a row and a key exists
for one block at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.cells import near_keys
from mha_core.metrics.content_pairs import content_pairs
from mha_core.metrics.passage import Integers, Passage, cached_per_passage

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

    def read(self, pattern: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The cells of these rows, pattern [H, b, T], that metrics read one by one.

        Those near the diagonal [H, len(NEAR), b], those that metrics list, and the pairs of content
        words, [H, cells] each.
        """
        cells = pattern.flatten(1).index_select(1, self._read_cells)
        n_near, n_listed = self._near.size, len(self.listed_weights)
        near, listed, pairs = cells.tensor_split([n_near, n_near + n_listed], 1)
        return near.unflatten(1, self._near.shape), listed, pairs

    @cached_property
    def _read_cells(self) -> Tensor:
        """The same as numbers T * (i - start) + j, [cells]."""
        T = self.passage.n_tokens  # noqa: N806 (the shape letters)
        pairs = content_pairs(self.passage)
        here = pairs.within(self.rows)
        between = (pairs.queries[here] - self.start) * T + pairs.keys[here]
        cells = np.concatenate([self._near.ravel(), *self._listed.values(), between])
        return self.passage.to_device(cells)

    @cached_property
    def _near(self) -> Integers:
        """[len(NEAR), b]: the cells near the diagonal."""
        first_cells = self.passage.positions[: self.stop - self.start] * self.passage.n_tokens
        return first_cells + near_keys(self.passage)[:, self.rows]

    @cached_property
    def listed_weights(self) -> Tensor:
        """[listed cells, M]: the weight of each listed cell in each metric of the table."""
        table = cell_table(self.passage)
        n_cells = sum(map(len, self._listed.values()))
        weights = np.zeros((n_cells, len(table.names)))
        start = 0
        for metric, cells in self._listed.items():
            weights[start : start + len(cells), metric] = 1 / table.n[table.names[metric]]
            start += len(cells)
        return self.passage.to_device(weights)

    @cached_property
    def _listed(self) -> dict[int, Integers]:
        """The cells of each metric that lists them, by the place of the metric in the table."""
        T = self.passage.n_tokens  # noqa: N806 (the shape letters)
        lists = cell_table(self.passage).lists
        return {metric: it.cells(self.rows, T) for metric, it in lists.items()}

    @cached_property
    def key_rows(self) -> Tensor:
        """[R, b]: these rows of the vectors that the text's table sums over."""
        return cell_table(self.passage).keys.rows[:, self.rows]

    @cached_property
    def distances(self) -> Tensor:
        """[b, T]: the distance of each cell, over the number of rows in the mean of distances."""
        passage = self.passage
        keys = torch.arange(passage.n_tokens, device=passage.device)
        weights = passage.to_device(passage.choosing[self.rows] / max(1, passage.n_choosing))
        return (keys - keys[self.rows, None]).abs() * weights[:, None]


def row_blocks(
    passage: Passage, n_heads: int, cells_at_once: int = CELLS_AT_ONCE
) -> Iterator[RowBlock]:
    """The blocks in which the maps of some heads are read: one, unless the text is long."""
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
