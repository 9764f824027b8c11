"""Spearman's correlation against its definition, ties and all."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from mha_core.metrics.rank_correlation import FixedRanks, spearman

CPU = torch.device("cpu")
moderately = settings(max_examples=60)


def by_definition(one: Tensor, other: Tensor) -> float:
    """Pearson's correlation of mean ranks, counted value by value."""
    ranks = torch.stack(
        [
            (row[:, None] > row).sum(1) + ((row[:, None] == row).sum(1) - 1) / 2
            for row in (one, other)
        ]
    ).double()
    return float(torch.corrcoef(ranks)[0, 1])


few = st.lists(st.tuples(st.integers(0, 5), st.integers(-3, 3)), min_size=3, max_size=40)


@moderately
@given(few)
def test_it_is_pearsons_correlation_of_mean_ranks(pairs: list[tuple[int, int]]) -> None:
    values, other = torch.tensor(pairs, dtype=torch.float32).T
    found = float(spearman(values[None] / 7, FixedRanks.of(other.numpy(), CPU)))
    if len(values.unique()) == 1 or len(other.unique()) == 1:
        assert found != found  # NaN: nothing to rank
    else:
        assert found == pytest.approx(by_definition(values, other), abs=1e-5)


def test_many_rows_are_compared_at_once_whether_they_hold_ties_or_not(device: torch.device) -> None:
    draws = torch.Generator().manual_seed(0)
    values = torch.rand(6, 3000, generator=draws)
    values[2] = (values[2] * 10).round() / 10
    values[4, :2000] = 0
    other = torch.randn(3000, generator=draws)
    other[:500] = other[0]
    found = spearman(values.to(device), FixedRanks.of(other.numpy(), device)).cpu()
    for row in range(6):
        assert found[row] == pytest.approx(by_definition(values[row], other), abs=1e-5)


def test_the_same_order_gives_one_and_the_opposite_minus_one() -> None:
    values = torch.rand(1, 50).sort().values
    ranks = FixedRanks.of(np.arange(50.0), CPU)
    assert spearman(values, ranks).item() == pytest.approx(1)
    assert spearman(values.flip(1), ranks).item() == pytest.approx(-1)


def test_the_smallest_weights_still_have_an_order() -> None:
    values = torch.tensor([[0.0, 1e-44, 1e-38, 1e-20, 1.0]])
    assert spearman(values, FixedRanks.of(np.arange(5.0), CPU)).item() == pytest.approx(1)


def test_values_are_left_untouched() -> None:
    values = torch.rand(2, 9)
    before = values.clone()
    spearman(values, FixedRanks.of(np.random.default_rng(0).random(9), CPU))
    assert torch.equal(values, before)
