"""The interval is Wilson's, and says nothing where nothing was counted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.atlas.wilson import wilson_interval


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(4, 4, 0.5101, 1.0), (0, 10, 0.0, 0.2775), (50, 100, 0.4038, 0.5962)],
)
def test_known_intervals(hits: int, n: int, low: float, high: float) -> None:
    assert wilson_interval(hits, n) == pytest.approx((low, high), abs=1e-4)


def test_no_cases_have_no_interval() -> None:
    low, high = wilson_interval([0, 1], [0, 2])
    assert np.isnan([low[0], high[0]]).all()
    assert not np.isnan([low[1], high[1]]).any()


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_share_lies_within_and_more_cases_say_more(counted: tuple[int, int]) -> None:
    hits, n = counted
    low, high = wilson_interval(hits, n)
    assert 0 <= low <= hits / n <= high <= 1
    closer_low, closer_high = wilson_interval(10 * hits, 10 * n)
    assert closer_high - closer_low < high - low
