"""The rows that an entropy is averaged over."""

import math

import pytest

from mha_core.metrics.entropies import entropy_rows, entropy_rows_without_sink
from tests.hand_made import passage_of


def test_rows_that_see_one_key_have_no_entropy() -> None:
    found = entropy_rows(passage_of("a b c", causal=True))
    assert found.n == 2
    assert found.per_nat.tolist() == pytest.approx([0, 1 / math.log(2), 1 / math.log(3)])


def test_the_sink_is_special_tokens_and_the_first_one() -> None:
    found = entropy_rows_without_sink(passage_of("a b [SEP] c d"))
    assert found.rows.tolist() == [0, 1, 0, 1, 1]
    assert found.per_nat[1] == pytest.approx(1 / math.log(3))
