"""All metrics that count cells as one table: what every head's map of a text is multiplied with.

This file must not know what the metrics are, nor heads.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.metrics.cells import LINEAR
from mha_core.metrics.passage import Passage, made_once

_FAST_WIDTH = 16
"""On a CPU a product with 16 columns takes half the time of one with 14."""


@dataclass(frozen=True, eq=False)
class CellTable:
    """The M metrics of LINEAR on one text. A metric that no row exercises has n = 0 and is NaN."""

    weights: Tensor  # [M or more, T*T]: zeros fill it up to a width that multiplies fast
    rows: dict[str, Tensor]  # [T] each: the share of each row in the mean
    expected: Tensor  # [M, 1]: taken off where a metric is what goes beyond uniform attention
    n: dict[str, int]
    ceiling: dict[str, float]

    def measure(self, pattern: Tensor) -> dict[str, Tensor]:
        """Every metric of LINEAR of each head, [H], from pattern [H, T, T]."""
        sums = (pattern.flatten(1) @ self.weights.T).T  # [M or more, H]
        return dict(zip(LINEAR, sums[: len(LINEAR)] - self.expected, strict=True))


@made_once
def cell_table(passage: Passage) -> CellTable:
    """The table of a passage."""
    T, M = passage.n_tokens, len(LINEAR)  # noqa: N806 (the shape letters)
    cells = [metric(passage) for metric in LINEAR.values()]
    width = M + -M % _FAST_WIDTH
    weights = torch.zeros(width, T, T, device=passage.ids.device)
    for table, counted in zip(weights, cells, strict=False):
        table.copy_(counted.keys & passage.visible & counted.rows[:, None])
    rows = torch.stack([counted.rows for counted in cells])  # [M, T]
    rows &= (weights[:M].flatten(1).sum(1) > 0)[:, None]
    n = rows.sum(1)  # [M]
    for table, counted in zip(weights, cells, strict=False):
        if counted.times is not None:
            table *= counted.times
    weights[:M] /= n[:, None, None]  # NaN, by 0 / 0, where no row counts
    expected = weights[:M].flatten(1) @ passage.uniform.flatten()  # [M]
    above = torch.tensor([counted.above_uniform for counted in cells], device=expected.device)
    expected = torch.where(above, expected, 0)
    ceiling = weights[:M].amax(-1).sum(-1) - expected  # [M]
    return CellTable(
        weights=weights.flatten(1),
        rows=dict(zip(LINEAR, rows / n[:, None], strict=True)),
        expected=expected[:, None],
        n=dict(zip(LINEAR, n.tolist(), strict=True)),
        ceiling=dict(zip(LINEAR, ceiling.tolist(), strict=True)),
    )
