"""What a metric that is no mean over cells is made of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from torch import Tensor

from mha_core.metrics.map_summary import MapSummary
from mha_core.metrics.passage import Passage

Measure: TypeAlias = Callable[[MapSummary], Tensor]


@dataclass(frozen=True)
class MapMetric:
    """A metric, made of a function of its name by `@over(n, uniform=...)`."""

    name: str
    measure: Measure  # one number for each head, [H]
    n: Callable[[Passage], int]  # cases that it averages; where there is none it is undefined
    uniform: Callable[[Passage], float]  # the metric of uniform attention
    ceiling: Callable[[Passage], float]  # the largest possible value


def over(
    n: Callable[[Passage], int],
    *,
    uniform: Callable[[Passage], float],
    ceiling: Callable[[Passage], float] = lambda _: 1.0,
) -> Callable[[Measure], MapMetric]:
    """Make a metric of a function."""
    return lambda measure: MapMetric(measure.__name__, measure, n, uniform, ceiling)
