"""Metrics that are mean attention on certain cells of a map, and the table that computes them all.

    value = mean over the rows that count of the sum of A[i, j] over the cells (i, j) that count

`linear_metrics` says for each metric which cells count, from the text alone. All of them together
cost one matrix product with a table made once per text.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.metrics.passage import Passage, cached_per_passage

_FAST_WIDTH = 16  # on a CPU a product with 16 columns takes half the time of one with 14


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells a metric counts; keys that are not visible never count."""

    keys: Tensor  # bool, [T, T] by query and key, or [T] where they are the same for every query
    rows: Tensor  # [T] bool: queries to average over; none if no cell of any row counts
    factor: Tensor | None = None  # [T, T]: multiplies the attention on each cell
    minus_uniform: bool = False  # subtract the value of uniform attention


def linear_metrics(passage: Passage) -> dict[str, Cells]:
    """The metrics of this file by name."""
    offset, earlier, positions = passage.offset, passage.earlier, passage.positions
    special, choosing = passage.special, passage.choosing  # [T] bool each
    same_token = (passage.ids == passage.ids[:, None]) & earlier  # [T, T] bool
    successors = same_token.roll(1, dims=1)  # the last key is earlier than no query
    same_word = passage.word == passage.word[:, None]  # [T, T] bool
    own = passage.segment == passage.segment[:, None]  # [T, T] bool
    sees_other = (~own & ~special & passage.visible).any(1)  # [T] bool

    def in_rows_that_see_one(keys: Tensor) -> Cells:
        """Count these keys [T, T] in ordinary rows that see any of them."""
        return Cells(keys, passage.ordinary & (keys & passage.visible).any(1))

    return {
        "previous": in_rows_that_see_one(offset == -1),
        "next": in_rows_that_see_one(offset == 1),
        "self": in_rows_that_see_one(offset == 0),
        "first": Cells(positions == 0, positions > 0),
        "special": Cells(special, choosing),
        "separator": Cells(special & (positions > 0), choosing),
        "punctuation": Cells(passage.punctuation, choosing),
        "distance": Cells(passage.visible, choosing, factor=offset.abs()),
        "locality": Cells(offset.abs() <= 2, choosing),
        "duplicate": in_rows_that_see_one(same_token),
        "induction": in_rows_that_see_one(successors & earlier),
        "current_word": in_rows_that_see_one(same_word & earlier),
        "segment": Cells(own & ~special, passage.ordinary & sees_other, minus_uniform=True),
    }


@dataclass(frozen=True, eq=False)
class CellTable:
    """The M linear metrics on one text. A metric that no row exercises has n = 0 and is NaN."""

    weights: Tensor  # [M or more, T*T]: padded with zeros to a width that multiplies fast
    rows: dict[str, Tensor]  # [T] each: the weight of each row in the mean
    expected: Tensor  # [M, 1]: the value of uniform attention where it is subtracted, else 0
    n: dict[str, int]
    ceiling: dict[str, float]

    def measure(self, pattern: Tensor) -> dict[str, Tensor]:
        """Every linear metric of each head, [H], from pattern [H, T, T]."""
        sums = (pattern.flatten(1) @ self.weights.T).T  # [M or more, H]
        return dict(zip(self.n, sums[: len(self.n)] - self.expected, strict=True))


@cached_per_passage
def cell_table(passage: Passage) -> CellTable:
    metrics = linear_metrics(passage)
    cells = metrics.values()
    T, M = passage.n_tokens, len(metrics)  # noqa: N806 (the shape letters)
    weights = torch.zeros(M + -M % _FAST_WIDTH, T, T, device=passage.ids.device)
    for table, counted in zip(weights, cells, strict=False):
        table.copy_(counted.keys & passage.visible & counted.rows[:, None])
    rows = torch.stack([counted.rows for counted in cells])  # [M, T]
    rows &= (weights[:M].flatten(1).sum(1) > 0)[:, None]
    n = rows.sum(1)  # [M]
    for table, counted in zip(weights, cells, strict=False):
        if counted.factor is not None:
            table *= counted.factor
    weights[:M] /= n[:, None, None]  # NaN, by 0 / 0, where no row counts
    expected = weights[:M].flatten(1) @ passage.uniform.flatten()  # [M]
    subtract = torch.tensor([counted.minus_uniform for counted in cells], device=expected.device)
    expected = torch.where(subtract, expected, 0)
    ceiling = weights[:M].amax(-1).sum(-1) - expected  # [M]
    return CellTable(
        weights=weights.flatten(1),
        rows=dict(zip(metrics, rows / n[:, None], strict=True)),
        expected=expected[:, None],
        n=dict(zip(metrics, n.tolist(), strict=True)),
        ceiling=dict(zip(metrics, ceiling.tolist(), strict=True)),
    )
