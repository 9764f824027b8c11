"""Intervals by resampling whole groups (sentences, documents), whose cases are not independent."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mha_core.atlas.tally import Integers, Numbers

DRAWS = 1000
_SEED = 0
_TAILS = (0.025, 0.975)


def group_sums(values: NDArray[np.generic], group: Integers) -> Numbers:
    """The sum of values [N, ...] over each group, [G, ...]; `group` [N] need not be sorted."""
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    sums: Numbers = np.add.reduceat(values[order], starts, axis=0, dtype=np.float64)
    return sums


def bootstrap_interval(sums: ArrayLike, n: ArrayLike) -> tuple[Numbers, Numbers]:
    """Lower and upper end of the 95 % interval of sum(sums) / sum(n), by percentiles.

    `sums` [G, X] and `n` [G] are those of each group; groups are drawn with replacement.
    """
    sums, cases = np.asarray(sums, np.float32), np.asarray(n, np.float32)
    weights = _draw_weights(len(cases))
    shares = (weights @ sums) / np.maximum(weights @ cases, 1)[:, None]  # [DRAWS, X]
    low, high = np.quantile(shares, _TAILS, axis=0)
    return low, high


@lru_cache(maxsize=8)
def _draw_weights(n_groups: int) -> NDArray[np.float32]:
    """How often each group occurs in each draw, [DRAWS, G]."""
    draws = np.random.default_rng(_SEED).multinomial(
        n_groups, np.full(n_groups, 1 / n_groups), DRAWS
    )
    return draws.astype(np.float32)
