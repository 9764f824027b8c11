"""Spearman's rank correlation of many rows with one fixed row, fast enough for every layer.

Sorting is all the work. Numpy sorts whole integers several times quicker than it finds an order, so
each value travels with its partner's rank in one 64-bit integer: the bits of a float that is not
negative sort as the float does. This file must not know attention.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


@dataclass(frozen=True, eq=False)
class FixedRanks:
    """The row that all others are compared with."""

    doubled: Tensor  # [n] int64: twice the rank counted from 0; ties share their mean rank
    spread: float  # root of the summed squares of `doubled` minus its mean
    places: NDArray[np.float32]  # [n]: twice the ranks of a row without ties, minus their mean

    @classmethod
    def of(cls, values: Tensor) -> "FixedRanks":
        """The ranks of values [n] of any sign."""
        n, values = len(values), values.contiguous()
        ordered = values.sort().values
        below = torch.searchsorted(ordered, values)  # [n]
        doubled = below + torch.searchsorted(ordered, values, right=True) - 1
        spread = float(torch.linalg.vector_norm(doubled.double() - (n - 1)))
        return cls(doubled, spread, 2 * np.arange(n, dtype=np.float32) - (n - 1))


def spearman(values: Tensor, fixed: FixedRanks) -> Tensor:
    """Correlation in [-1, 1] of each row of values [H, n], none negative, with the fixed row: [H].

    NaN where a row, or the fixed one, is all one value: no order, no correlation.
    """
    H, n = values.shape  # noqa: N806 (the shape letters)
    keys = (values.contiguous().view(torch.int32).long() << 32) | fixed.doubled  # [H, n]
    # A GPU sorts by itself; what is left is little, and numpy's small steps cost least.
    found = keys.numpy() if keys.device.type == "cpu" else keys.sort()[0].cpu().numpy()
    if keys.device.type == "cpu":
        found.sort()  # in place: much quicker than torch
    halves = found.view(np.int32).reshape(H, n, 2)
    partners, ordered = halves[..., 0].astype(np.float32), halves[..., 1]  # [H, n] each
    together = (partners @ fixed.places).astype(np.float64)  # [H]: as if there were no ties
    squares = np.full(H, n * (n * n - 1) / 3)  # [H]: whole numbers, so exact
    _share_ties(ordered[:, 1:] == ordered[:, :-1], partners, together, squares)
    spreads = np.sqrt(squares) * fixed.spread
    undefined = np.full(H, np.nan)
    correlations = np.divide(together, spreads, out=undefined, where=spreads > 0)
    return torch.from_numpy(correlations.astype(np.float32)).to(values.device)


def _share_ties(
    tied: NDArray[np.bool_],
    partners: NDArray[np.float32],
    together: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> None:
    """Give each run of equal values its mean rank, in the sums `together` and `squares` [H].

    `tied` [H, n-1] is True where a value equals the next. In a run of L values the doubled ranks
    2m become L-1, for m = 0 to L-1: the sum of squares loses L (L^2 - 1) / 3, and the sum of
    products gains (m+1) (L-1-m) times the step from each partner down to the next.
    """
    ties = np.flatnonzero(tied)  # [ties]
    if len(ties) == 0:
        return
    row, at = np.divmod(ties, tied.shape[1])  # [ties] each
    starts = np.ones(len(row), dtype=np.bool_)
    starts[1:] = (row[1:] != row[:-1]) | (at[1:] != at[:-1] + 1)
    run = np.cumsum(starts) - 1  # [ties]
    length = np.bincount(run) + 1.0  # [runs]
    m = at - at[starts][run]  # [ties]
    steps = partners[row, at].astype(np.float64) - partners[row, at + 1]
    np.add.at(together, row, (m + 1) * (length[run] - 1 - m) * steps)
    np.subtract.at(squares, row[starts], length * (length * length - 1) / 3)
