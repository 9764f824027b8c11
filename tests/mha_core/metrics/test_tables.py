"""Entropy terms and content pairs of a text."""

import math

import pytest
import torch

from mha_core.metrics.tables import (
    MAX_PAIRS,
    content_pairs,
    entropy_terms,
    entropy_terms_without_sink,
    ordinary_row_weights,
)
from tests.hand_made import passage_of


def test_rows_that_see_one_key_have_no_entropy() -> None:
    found = entropy_terms(passage_of("a b c", causal=True))
    assert found.n == 2
    assert found.per_nat.tolist() == pytest.approx([0, 1 / math.log(2), 1 / math.log(3)])


def test_the_sink_is_special_tokens_and_the_first_one() -> None:
    found = entropy_terms_without_sink(passage_of("a b [SEP] c d"))
    assert found.keys.tolist() == [0, 1, 0, 1, 1]
    assert found.rows.tolist() == [0, 1, 0, 1, 1]
    assert found.per_nat[1] == pytest.approx(1 / math.log(3))


def test_ordinary_rows_have_equal_shares() -> None:
    assert ordinary_row_weights(passage_of("[CLS] a b [SEP]")).tolist() == [0, 0.5, 0.5, 0]


def test_pairs_are_different_content_words() -> None:
    text = "[CLS] cat the dog , cat"
    vectors = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
    pairs = content_pairs(passage_of(text, embeddings=vectors))
    assert len(pairs.cells) == 4
    assert {divmod(int(cell), 6) for cell in pairs.cells} == {(1, 3), (3, 1), (3, 5), (5, 3)}
    # Two pairs, (3, 1) and (5, 3), are too few.
    assert len(content_pairs(passage_of(text, causal=True, embeddings=vectors)).cells) == 0
    assert len(content_pairs(passage_of(text)).cells) == 0  # no embeddings known


def test_of_very_many_pairs_evenly_spaced_ones_are_compared() -> None:
    n_tokens = 100
    text = " ".join(f"noun{at}" for at in range(n_tokens))
    passage = passage_of(text, embeddings=torch.eye(n_tokens))
    pairs = content_pairs(passage)
    assert MAX_PAIRS / 2 < len(pairs.cells) <= MAX_PAIRS
    assert len(pairs.cells.unique()) == len(pairs.cells)
    assert pairs.cells.max() > 0.99 * n_tokens**2
