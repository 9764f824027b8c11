"""All metrics of `cells` on one text: their weights, and what the text lets each of them show."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from torch import Tensor

from mha_core.metrics.cells import NEAR, Cells, group_members, linear_metrics, sees_near
from mha_core.metrics.key_lists import KeyLists
from mha_core.metrics.passage import Flags, Integers, Numbers, Passage, cached_per_passage


@dataclass(frozen=True, eq=False)
class CellTable:
    """The M linear metrics on one text of T tokens. A metric that no row exercises has n = 0."""

    passage: Passage
    metrics: dict[str, Cells]  # with the rows that count

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.metrics)

    @cached_property
    def counts(self) -> Integers:
        """[M, T]: how many visible keys each metric counts in each row."""
        return np.stack([cells.count for cells in self.metrics.values()])

    @cached_property
    def rows(self) -> Flags:
        """[M, T]: the rows that count; none where no cell of any of them does."""
        rows = np.stack([cells.rows for cells in self.metrics.values()])
        return rows & (rows & (self.counts > 0)).any(1, keepdims=True)

    @cached_property
    def row_weights(self) -> Numbers:
        """[M, T]: the weight of each row in the mean; 0 where the metric is undefined."""
        n: Integers = self.rows.sum(1, keepdims=True).clip(min=1)
        return np.divide(self.rows, n)

    @cached_property
    def uniform(self) -> Numbers:
        """[M]: the mean of uniform attention on the cells; 0 where the metric is undefined."""
        shares = self.counts / self.passage.n_visible  # [M, T]
        uniform: Numbers = (shares * self.row_weights).sum(1)
        return uniform

    @cached_property
    def n(self) -> dict[str, int]:
        """Rows averaged over."""
        return dict(zip(self.names, self.rows.sum(1).tolist(), strict=True))

    @cached_property
    def subtracted(self) -> Numbers:
        """[M]: what is subtracted from the mean; NaN where the metric is undefined."""
        minus_uniform = [cells.minus_uniform for cells in self.metrics.values()]
        return np.where(self.rows.any(1), self.uniform * minus_uniform, np.nan)

    @property
    def baseline(self) -> dict[str, float]:
        """The values of uniform attention."""
        return dict(zip(self.names, (self.uniform - self.subtracted).tolist(), strict=True))

    @property
    def ceiling(self) -> dict[str, float]:
        """The largest possible values: all attention on cells that count, in rows that see any."""
        most = ((self.counts > 0) * self.row_weights).sum(1) - self.subtracted
        return dict(zip(self.names, most.tolist(), strict=True))

    @cached_property
    def lists(self) -> dict[int, KeyLists]:
        """The lists of the metrics that have any, by their place, in the rows that count."""
        return {
            place: cells.lists.only_in(rows)
            for place, (cells, rows) in enumerate(
                zip(self.metrics.values(), self.rows, strict=True)
            )
            if cells.lists is not None and (cells.lists.count * rows).any()
        }

    @cached_property
    def near(self) -> Tensor:
        """[len(NEAR) * T, M]: the weight of the key at each offset, for metrics of offsets."""
        chosen = np.array([[it in cells.offsets for it in NEAR] for cells in self.metrics.values()])
        seen = sees_near(self.passage)[..., None]  # [len(NEAR), T, 1]
        weights = seen * chosen.T[:, None] * self.row_weights.T  # [len(NEAR), T, M]
        return self.passage.to_device(weights.reshape(-1, len(self.names)))

    @cached_property
    def keys(self) -> "KeyMetrics":
        return KeyMetrics.of(self)


@dataclass(frozen=True, eq=False)
class KeyMetrics:
    """The metrics of whole key vectors: rows are summed first, in one pass over a map for all.

    There are R vectors of rows, the first of them `choosing`.
    """

    rows: Tensor  # [R, T]: 1 for the rows that are summed
    weights: Tensor  # [R * T, M]: the weight of each key in the sum of the metric's rows

    @classmethod
    def of(cls, table: CellTable) -> "KeyMetrics":
        passage = table.passage
        rows, weights = [passage.choosing], [np.zeros((passage.n_tokens, len(table.names)))]
        for metric, (cells, n) in enumerate(
            zip(table.metrics.values(), table.n.values(), strict=True)
        ):
            if n > 0 and cells.keys is not None:
                weights[0][:, metric] = cells.keys / n
            elif n > 0 and cells.group is not None:
                for members in group_members(cells.group):
                    rows.append(cells.rows & members)
                    weights.append(np.zeros_like(weights[0]))
                    weights[-1][:, metric] = members / n
        to_device = passage.to_device
        return cls(to_device(np.stack(rows)), to_device(np.concatenate(weights)))


@cached_per_passage
def cell_table(passage: Passage) -> CellTable:
    return CellTable(passage, linear_metrics(passage))
