"""All metrics of `cells` on one text: their weights, and what the text lets each of them show."""

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from mha_core.metrics.cells import NEAR, Cells, group_members, linear_metrics, sees_near
from mha_core.metrics.key_lists import KeyLists
from mha_core.metrics.passage import Passage, cached_per_passage


@dataclass(frozen=True, eq=False)
class CellTable:
    """The M linear metrics on one text of T tokens. A metric that no row exercises has n = 0."""

    passage: Passage
    metrics: dict[str, Cells]  # with the rows that count

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.metrics)

    @cached_property
    def counts(self) -> Tensor:
        """[M, T] long: how many visible keys each metric counts in each row."""
        return torch.stack([cells.count(self.passage) for cells in self.metrics.values()])

    @cached_property
    def rows(self) -> Tensor:
        """[M, T] bool: the rows that count; none where no cell of any of them does."""
        rows = torch.stack([cells.rows for cells in self.metrics.values()])
        return rows & (rows & (self.counts > 0)).any(1, keepdim=True)

    @cached_property
    def row_weights(self) -> Tensor:
        """[M, T]: the weight of each row in the mean; 0 where the metric is undefined."""
        return self.rows / self.rows.sum(1, keepdim=True).clamp_min(1)

    @cached_property
    def uniform(self) -> Tensor:
        """[M]: the mean of uniform attention on the cells; 0 where the metric is undefined."""
        return (self.counts / self.passage.n_visible * self.row_weights).sum(1)

    @cached_property
    def n(self) -> dict[str, int]:
        """Rows averaged over."""
        return dict(zip(self.names, self.rows.sum(1).tolist(), strict=True))

    @cached_property
    def expected(self) -> Tensor:
        """[M]: what is subtracted from the mean; NaN where the metric is undefined."""
        subtract = [cells.minus_uniform for cells in self.metrics.values()]
        expected = self.uniform * torch.tensor(subtract, device=self.uniform.device)
        return expected.masked_fill(~self.rows.any(1), torch.nan)

    @property
    def baseline(self) -> dict[str, float]:
        """The values of uniform attention."""
        return dict(zip(self.names, (self.uniform - self.expected).tolist(), strict=True))

    @property
    def ceiling(self) -> dict[str, float]:
        """The largest possible values: all attention on cells that count, in rows that see any."""
        most = ((self.counts > 0) * self.row_weights).sum(1) - self.expected
        return dict(zip(self.names, most.tolist(), strict=True))

    def weights_of(self, name: str) -> Tensor:
        """[T]: the weight of each row in the mean of one metric."""
        return self.row_weights[self.names.index(name)]

    @cached_property
    def keys(self) -> "KeyMetrics":
        return KeyMetrics.of(self)

    @cached_property
    def near(self) -> Tensor:
        """[len(NEAR), T, M]: the weight of the key at each offset, for metrics of offsets."""
        chosen = torch.tensor(
            [[it in cells.offsets for it in NEAR] for cells in self.metrics.values()],
            device=self.passage.ids.device,
        )
        seen = sees_near(self.passage)[..., None]  # [len(NEAR), T, 1]
        return seen * chosen.T[:, None] * self.row_weights.T

    @cached_property
    def lists(self) -> dict[int, KeyLists]:
        """The lists of the metrics that have any, by their place, in the rows that count."""
        return {
            place: cells.lists.only_in(rows)
            for place, (cells, rows) in enumerate(
                zip(self.metrics.values(), self.rows, strict=True)
            )
            if cells.lists is not None and bool((cells.lists.count * rows).any())
        }


@dataclass(frozen=True, eq=False)
class KeyMetrics:
    """The metrics of whole key vectors: rows are summed first, in one pass over a map for all.

    There are R vectors of rows, the first of them `choosing`.
    """

    rows: Tensor  # [R, T]: 1 for the rows that are summed
    weights: Tensor  # [R * T, M]: the weight of each key in the sum of the metric's rows

    @classmethod
    def of(cls, table: CellTable) -> "KeyMetrics":
        rows = [table.passage.choosing]  # [T] bool each
        weights: list[tuple[int, int, Tensor]] = []  # place in `rows`, metric, weights of keys [T]

        def count(metric: int, summed: Tensor, keys: Tensor) -> None:
            known = [place for place, it in enumerate(rows) if torch.equal(it, summed)]
            if not known:
                rows.append(summed)
            n = table.rows[metric].sum()
            weights.append(((known or [len(rows) - 1])[0], metric, keys / n))

        for place, cells in enumerate(table.metrics.values()):
            if not table.n[table.names[place]]:
                continue
            if cells.keys is not None:
                count(place, table.rows[place], cells.keys)
            elif cells.group is not None:
                for members in group_members(cells.group):
                    count(place, table.rows[place] & members, members)
        by_row = torch.zeros(
            len(rows), table.passage.n_tokens, len(table.names), device=rows[0].device
        )
        for row, metric, of_keys in weights:
            by_row[row, :, metric] = of_keys
        return cls(torch.stack(rows).float(), by_row.flatten(0, 1))


@cached_per_passage
def cell_table(passage: Passage) -> CellTable:
    return CellTable(passage, linear_metrics(passage))
