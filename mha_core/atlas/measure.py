"""A measure: one number a head from a corpus, with what it takes to judge it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mha_core.atlas.part import DIGITS
from mha_core.atlas.record import AtlasMeasure
from mha_core.atlas.tally import Numbers
from mha_core.rounding import round_number

Place = tuple[int, int]
"""Layer and head."""


@dataclass(frozen=True)
class Measure:
    """Arrays are [L, H], NaN where undefined; without an interval, `low` and `high` are NaN."""

    label: str
    meaning: str
    unit: str
    n: int
    baseline: float | None
    values: Numbers
    low: Numbers
    high: Numbers
    weighted: Numbers | None = None

    @classmethod
    def without_interval(
        cls, label: str, meaning: str, unit: str, n: int, values: Numbers
    ) -> "Measure":
        unknown = np.full_like(values, np.nan)
        return cls(label, meaning, unit, n, None, values, unknown, unknown)

    def record(self) -> AtlasMeasure:
        fields = {name: _to_json(getattr(self, name)) for name in AtlasMeasure.model_fields}
        if np.isnan(self.low).all():
            fields |= {"low": None, "high": None}
        return AtlasMeasure(**fields)


def _to_json(value: Any) -> Any:  # noqa: ANN401 (an array, or what JSON has)
    if not isinstance(value, np.ndarray):
        return value
    return [round_number(number, DIGITS) for number in value.ravel().tolist()]
