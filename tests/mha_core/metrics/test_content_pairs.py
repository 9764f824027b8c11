"""The pairs of content words that `similarity` compares."""

import numpy as np
import pytest
import torch

from mha_core.metrics import content_pairs as module
from mha_core.metrics.content_pairs import MAX_PAIRS, content_pairs
from tests.hand_made import passage_of


def test_pairs_are_different_content_words() -> None:
    text = "[CLS] cat the dog , cat"
    vectors = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
    pairs = content_pairs(passage_of(text, embeddings=vectors))
    assert len(pairs.keys) == 4
    found = zip(pairs.queries.tolist(), pairs.keys.tolist(), strict=True)
    assert list(found) == [(1, 3), (3, 1), (3, 5), (5, 3)]
    # Two pairs, (3, 1) and (5, 3), are too few.
    assert len(content_pairs(passage_of(text, causal=True, embeddings=vectors)).keys) == 0
    assert len(content_pairs(passage_of(text)).keys) == 0  # no embeddings known


def test_of_very_many_pairs_evenly_spaced_ones_are_compared() -> None:
    n_tokens = 100
    text = " ".join(f"noun{at}" for at in range(n_tokens))
    passage = passage_of(text, embeddings=torch.eye(n_tokens))
    pairs = content_pairs(passage)
    assert MAX_PAIRS / 2 < len(pairs.keys) <= MAX_PAIRS
    cells = pairs.queries * n_tokens + pairs.keys
    assert len(np.unique(cells)) == len(cells)
    assert cells.max() > 0.99 * n_tokens**2


@pytest.mark.parametrize("causal", [False, True])
def test_pairs_found_some_rows_at_a_time_are_the_same(
    causal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = " ".join(f"noun{at % 60}" for at in range(100))
    vectors = torch.randn(60, 4, generator=torch.Generator().manual_seed(0)).repeat(2, 1)[:100]
    at_once = content_pairs(passage_of(text, causal=causal, embeddings=vectors))
    monkeypatch.setattr(module, "ROWS_AT_ONCE", 7)
    in_parts = content_pairs(passage_of(text, causal=causal, embeddings=vectors))
    assert np.array_equal(at_once.queries, in_parts.queries)
    assert np.array_equal(at_once.keys, in_parts.keys)
    assert torch.equal(at_once.ranks.doubled, in_parts.ranks.doubled)


def test_pairs_of_the_same_two_tokens_tie_whichever_looks() -> None:
    vectors = torch.randn(3, 384, generator=torch.Generator().manual_seed(0)).repeat(3, 1)
    pairs = content_pairs(passage_of("cat dog fish " * 3, embeddings=vectors))
    assert len(pairs.ranks.doubled.unique()) == 3


def test_the_pairs_of_some_rows_follow_each_other() -> None:
    vectors = torch.randn(5, 4, generator=torch.Generator().manual_seed(0))
    pairs = content_pairs(passage_of("cat dog fish bird cow", embeddings=vectors))
    assert set(pairs.queries[pairs.within(slice(1, 3))].tolist()) == {1, 2}
    assert pairs.within(slice(0, 5)) == slice(0, len(pairs.keys))
