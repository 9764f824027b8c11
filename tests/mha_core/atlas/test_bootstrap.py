"""Intervals are those of independent groups, however many cases a group has."""

import numpy as np
import pytest

from mha_core.atlas.bootstrap import bootstrap_interval, group_sums
from mha_core.atlas.tally import Integers, Numbers
from mha_core.atlas.wilson import Z_95


def interval(values: Numbers, group: Integers) -> tuple[float, float]:
    """Of the mean of values [N]."""
    sums = group_sums(values[:, None], group)
    low, high = bootstrap_interval(sums, group_sums(np.ones(len(group)), group))
    return float(low[0]), float(high[0])


def test_cases_are_summed_by_group_in_any_order() -> None:
    values = np.array([[1, 10], [2, 20], [4, 40], [8, 80]])
    assert group_sums(values, np.array([7, 3, 7, 0])).tolist() == [[8, 80], [2, 20], [5, 50]]
    assert group_sums(np.ones(3, np.int8), np.array([2, 2, 2])).tolist() == [3]


def test_small_integers_do_not_overflow() -> None:
    assert group_sums(np.full(300, 100, np.int8), np.zeros(300, np.int64)).tolist() == [30_000]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_independent_cases_get_the_binomial_interval(share: float) -> None:
    n = 1000
    values = (np.arange(n) < share * n).astype(np.float64)
    half = Z_95 * np.sqrt(share * (1 - share) / n)
    low, high = interval(values, np.arange(n))
    assert low == pytest.approx(share - half, abs=0.15 * half)
    assert high == pytest.approx(share + half, abs=0.15 * half)


def test_saying_each_case_again_within_its_group_proves_nothing() -> None:
    values = np.random.default_rng(0).random(200)
    group = np.arange(200) // 2
    once = interval(values, group)
    again = interval(np.tile(values, 3), np.tile(group, 3))
    assert again == pytest.approx(once)
    low, high = interval(np.tile(values, 3), np.arange(600))
    assert high - low < 0.7 * (once[1] - once[0]), "as cases of their own they would count"


def test_nineteen_of_twenty_intervals_hold_the_truth_when_groups_agree_with_themselves() -> None:
    rng = np.random.default_rng(0)
    n_groups, n_trials, truth = 150, 500, 0.4
    n = rng.integers(1, 6, n_groups)
    # All cases of a group are right or wrong together.
    sums = n[:, None] * (rng.random((n_groups, n_trials)) < truth)
    low, high = bootstrap_interval(sums, n)
    assert 0.92 < ((low <= truth) & (truth <= high)).mean() < 0.97


def test_the_interval_is_the_same_each_time_and_alone_or_among_others() -> None:
    sums = np.random.default_rng(1).integers(-1, 2, (300, 4))
    low, high = bootstrap_interval(sums, np.ones(300))
    for at in range(4):
        alone = bootstrap_interval(sums[:, at : at + 1], np.ones(300))
        assert (low[at], high[at]) == (alone[0][0], alone[1][0])


def test_what_never_varies_is_certain() -> None:
    assert interval(np.full(50, 0.25), np.arange(50)) == (0.25, 0.25)
