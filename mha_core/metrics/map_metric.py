"""What a metric that is no mean over cells is made of.

It is a sum over rows, so that the maps of a long text can be measured in blocks of rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from torch import Tensor

from mha_core.metrics.head_maps import Maps
from mha_core.metrics.passage import Passage

Add: TypeAlias = Callable[[Maps], Tensor]
Finish: TypeAlias = Callable[[Passage, Tensor], Tensor]


def _as_it_is(_: Passage, total: Tensor) -> Tensor:
    return total


@dataclass(frozen=True)
class MapMetric:
    """A metric, made of a function of its name by `@over(n, uniform=...)`."""

    name: str
    add: Add  # what a block of rows adds to the sum over all rows, [H, ...]; rows are weighted
    n: Callable[[Passage], int]  # cases that it averages; where there is none it is undefined
    uniform: Callable[[Passage], float]  # the metric of uniform attention
    finish: Finish  # from the sum to one number for each head, [H]
    ceiling: Callable[[Passage], float]  # the largest possible value


def over(
    n: Callable[[Passage], int],
    *,
    uniform: Callable[[Passage], float],
    finish: Finish = _as_it_is,
    ceiling: Callable[[Passage], float] = lambda _: 1.0,
) -> Callable[[Add], MapMetric]:
    """Make a metric of a function; `finish` where the sum over rows is not yet the value."""
    return lambda add: MapMetric(add.__name__, add, n, uniform, finish, ceiling)
