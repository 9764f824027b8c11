"""The largest number of each row."""

import pytest
import torch

from mha_core.row_maxima import row_maxima


@pytest.mark.parametrize("n", [1, 31, 32, 33, 63, 64, 100])
@pytest.mark.parametrize("start", [0, 1])
def test_it_is_the_maximum_wherever_it_stands(n: int, start: int) -> None:
    rows = torch.rand(n, n + start).scatter_(1, torch.arange(start, n + start)[:, None], 2.0)
    assert torch.equal(row_maxima(rows[:, start:]), torch.full((n,), 2.0))
    assert torch.equal(row_maxima(-rows[:, start:]), (-rows[:, start:]).amax(-1))
