"""Means of links over texts, against sums done by hand."""

from math import sqrt

import numpy as np
import pytest

from mha_core.atlas.student import t_95
from mha_core.corpus.link_tally import LinkTally


def tally_of(weights: list[float]) -> LinkTally:
    tally = LinkTally.empty(1, 1)
    tally.texts[...] = len(weights)
    tally.total[:] = sum(weights)
    tally.total_squared[:] = sum(it**2 for it in weights)
    return tally


def test_the_interval_is_students_over_texts() -> None:
    weights = [0.2, 0.4, 0.3, 0.35]
    tally = tally_of(weights)
    reach = float(t_95(3)) * np.std(weights, ddof=1) / sqrt(4)
    low, high = tally.interval
    assert tally.mean == pytest.approx(np.mean(weights))
    assert (low[0, 0], high[0, 0]) == pytest.approx((0.3125 - reach, 0.3125 + reach))


def test_one_text_has_no_interval_and_no_end_leaves_0_to_1() -> None:
    assert np.isnan(tally_of([0.4]).interval).all()
    low, high = tally_of([0.1, 0.9]).interval
    assert (low[0, 0], high[0, 0]) == (0, 1)


def test_position_is_unknown_where_no_text_has_such_pairs() -> None:
    assert np.isnan(tally_of([0.4]).mean_by_position).all()


def test_the_interval_covers_the_truth_as_often_as_it_says_also_on_few_texts() -> None:
    draws, covered, tries = np.random.default_rng(0), 0, 2000
    for _ in range(tries):
        low, high = tally_of(list(np.clip(draws.normal(0.5, 0.1, 4), 0, 1))).interval
        covered += bool(low[0, 0] < 0.5 < high[0, 0])
    assert 0.935 < covered / tries < 0.965, "the normal quantile would give 0.85"
