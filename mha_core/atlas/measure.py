"""A measure: one number a head from a corpus, with what it takes to judge it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mha_core.atlas.record import DIGITS, AtlasMeasure
from mha_core.atlas.tally import Numbers
from mha_core.rounding import round_number

Place = tuple[int, int]
"""Layer and head."""


@dataclass(frozen=True)
class Measure:
    """Arrays are [L, H], NaN where undefined."""

    label: str
    meaning: str
    unit: str
    n: int
    baseline: float | None
    values: Numbers
    low: Numbers | None = None
    high: Numbers | None = None
    weighted: Numbers | None = None
    confirmed: NDArray[np.bool_] | None = None  # where it also held on the data heads are chosen on
    ranking: Numbers | None = None  # the values on that data; heads are ordered by them
    against: str = "uniform attention"  # what the baseline is of

    @property
    def order(self) -> Numbers:
        """What heads are ordered by."""
        return self.values if self.ranking is None else self.ranking

    def rank(self, place: Place) -> float:
        """How far one head is above the baseline in that order."""
        return float(self.order[place]) - (self.baseline or 0.0)

    def record(self) -> AtlasMeasure:
        names = AtlasMeasure.model_fields
        return AtlasMeasure(**{name: _to_json(getattr(self, name)) for name in names})


def _to_json(value: Any) -> Any:  # noqa: ANN401 (an array, or what JSON has)
    if not isinstance(value, np.ndarray):
        return value
    return [round_number(number, DIGITS) for number in value.ravel().tolist()]
