"""Quantiles of Student's t, against printed tables."""

import numpy as np
import pytest

from mha_core.atlas.student import t_95
from mha_core.atlas.wilson import Z_95

PRINTED = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 10: 2.228, 30: 2.042}


@pytest.mark.parametrize("degrees", PRINTED)
def test_quantiles_are_those_of_the_tables(degrees: int) -> None:
    assert t_95(degrees) == pytest.approx(PRINTED[degrees], rel=2e-3)


def test_many_degrees_are_the_normal_distribution_and_none_has_no_quantile() -> None:
    found = t_95(np.array([[0, 10**9]]))
    assert np.isnan(found[0, 0])
    assert found[0, 1] == pytest.approx(Z_95)
