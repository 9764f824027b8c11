"""Intervals over texts, against printed numbers and against a bootstrap."""

import numpy as np
import pytest

from mha_core.atlas.means import mean_interval, ratio_interval


def test_the_interval_of_a_mean_is_students() -> None:
    # Five numbers of mean 3 and variance 2.5: 2.776 sqrt(2.5 / 5) to either side.
    mean, low, high = mean_interval(np.array([[1.0, 7.0], [2, 7], [3, 7], [4, 7], [5, 7]]))
    assert mean.tolist() == [3, 7]
    assert low == pytest.approx([3 - 1.963, 7], abs=1e-3)
    assert high == pytest.approx([3 + 1.963, 7], abs=1e-3)


def test_one_case_has_a_value_and_no_interval_and_none_has_nothing() -> None:
    value, low, high = mean_interval(np.array([[0.5]]))
    assert value == 0.5
    assert np.isnan([low, high]).all()
    assert np.isnan(mean_interval(np.zeros((0, 2)))).all()


def test_a_ratio_of_sums_weighs_texts_by_their_bottom() -> None:
    ratio, low, high = ratio_interval(np.array([1.0, 30]), np.array([10.0, 90]))
    assert ratio == pytest.approx(0.31)
    assert low < 0.31 < high


def test_texts_without_a_bottom_have_no_part() -> None:
    top, bottom = np.array([1.0, 2, 2]), np.array([2.0, 3, 5])
    empty = np.zeros(4)
    whole = ratio_interval(np.concatenate([top, empty]), np.concatenate([bottom, empty]))
    assert whole == pytest.approx(ratio_interval(top, bottom))
    assert np.isnan(ratio_interval(empty, empty)).all()


def test_the_interval_of_a_ratio_is_that_of_a_bootstrap_over_texts() -> None:
    draws = np.random.default_rng(0)
    bottom = draws.gamma(2, 1, 200)
    top = bottom * draws.normal(0.4, 0.5, 200)
    ratio, low, high = ratio_interval(top, bottom)
    again = draws.integers(0, 200, (10_000, 200))
    ends = np.quantile(top[again].sum(1) / bottom[again].sum(1), [0.025, 0.975])
    assert [low, high] == pytest.approx(ends, abs=0.15 * (high - ratio))


def test_the_interval_of_a_ratio_covers_the_truth_as_often_as_it_says() -> None:
    draws = np.random.default_rng(1)
    bottom = draws.gamma(2, 1, (30, 2000))  # 30 texts, 2000 tries at once
    top = bottom * draws.normal(0.4, 0.5, (30, 2000))
    _, low, high = ratio_interval(top, bottom)
    assert 0.925 < ((low < 0.4) & (high > 0.4)).mean() < 0.965
