"""Spearman's rank correlation of many rows with one fixed row, fast enough for every layer.

Most of the time goes into sorting. Numpy sorts integers several times faster than it computes an
argsort, so each value is packed with the fixed row's rank into one 64-bit integer: the bits of a
non-negative float sort as the float does.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


@dataclass(frozen=True, eq=False)
class FixedRanks:
    """Ranks of the row that all others are compared with."""

    doubled: Tensor  # [n] int64: twice the rank counted from 0; ties share their mean rank
    norm: float  # of `doubled` minus its mean
    untied: NDArray[np.float32]  # [n]: twice the ranks of a row without ties, minus their mean

    @classmethod
    def of(cls, values: NDArray[np.float64], device: torch.device) -> "FixedRanks":
        """From values [n] of any sign, for rows on a device."""
        n, ordered = len(values), np.sort(values)
        below, above = (np.searchsorted(ordered, values, side) for side in ("left", "right"))
        doubled = below + above - 1  # [n]
        norm = float(np.linalg.norm(doubled - (n - 1)))
        centred = 2 * np.arange(n, dtype=np.float32) - (n - 1)
        return cls(torch.from_numpy(doubled).to(device), norm, centred)


def spearman(values: Tensor, fixed: FixedRanks) -> Tensor:
    """Correlation in [-1, 1] of each row of values [H, n], none negative, with the fixed row: [H].

    NaN where a row, or the fixed one, is constant.
    """
    H, n = values.shape  # noqa: N806 (the shape letters)
    keys = (values.contiguous().view(torch.int32).long() << 32) | fixed.doubled  # [H, n]
    # Sort on the GPU where there is one; numpy is fastest at the rest, and at sorting on a CPU.
    on_cpu = keys.device.type == "cpu"
    ordered_keys = np.sort(keys.numpy()) if on_cpu else keys.sort()[0].cpu().numpy()
    halves = ordered_keys.view(np.int32).reshape(H, n, 2)
    partners, ordered = halves[..., 0].astype(np.float32), halves[..., 1]  # [H, n] each
    products = (partners @ fixed.untied).astype(np.float64)  # [H]: as if there were no ties
    squares = np.full(H, n * (n * n - 1) / 3)  # [H]: whole numbers, so exact
    _correct_ties(ordered[:, 1:] == ordered[:, :-1], partners, products, squares)
    norms = np.sqrt(squares) * fixed.norm
    correlations = np.divide(products, norms, out=np.full(H, np.nan), where=norms > 0)
    return torch.from_numpy(correlations.astype(np.float32)).to(values.device)


def _correct_ties(
    tied: NDArray[np.bool_],
    partners: NDArray[np.float32],
    products: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> None:
    """Give each run of equal values its mean rank, in the sums `products` and `squares` [H].

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
    np.add.at(products, row, (m + 1) * (length[run] - 1 - m) * steps)
    np.subtract.at(squares, row[starts], length * (length * length - 1) / 3)
