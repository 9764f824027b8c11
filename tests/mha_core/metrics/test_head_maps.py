"""Intermediate results that metrics share."""

import math

import pytest
import torch

from mha_core.attention import attention_weights, causal_bias
from mha_core.metrics.head_maps import Maps
from mha_core.metrics.passage import Passage
from mha_core.metrics.row_block import RowBlock
from tests.hand_made import looking_at, passage_of


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=1e-5)


def maps_of(pattern: torch.Tensor, passage: Passage, **more: torch.Tensor) -> Maps:
    return Maps(pattern, RowBlock(passage, 0, passage.n_tokens), **more)


def test_zero_times_its_logarithm_is_zero() -> None:
    maps = maps_of(torch.tensor([[[0.0, 1.0], [0.5, 0.5]]]), passage_of("a b"))
    close(maps.nats[0], torch.tensor([[0, math.log(2)]]))


@pytest.mark.parametrize("causal", [False, True])
def test_entropies_from_scores_need_no_logarithm(causal: bool) -> None:
    passage = passage_of("[CLS] a b c [SEP] d", causal=causal)
    draws = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 1, 3, 6, 4, generator=draws) * 4
    mask = causal_bias(6, 6) if causal else None
    weights = attention_weights(q, k, mask, 0.5).of_first()
    assert weights.scores.isfinite().all()
    from_scores = maps_of(weights.pattern, passage, scores=weights.scores, lse=weights.lse).nats
    for found, expected in zip(from_scores, maps_of(weights.pattern, passage).nats, strict=True):
        # The rounding of the scores, up to 50 here, is not lost as it is in small weights.
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)


def test_the_largest_weight_of_a_row_with_and_without_special_tokens() -> None:
    pattern = torch.tensor([[[0.6, 0.3, 0.1], [0.1, 0.7, 0.2], [0.2, 0.3, 0.5]]])
    maps = maps_of(pattern, passage_of("[CLS] a [SEP]"))
    close(maps.largest, torch.tensor([[0.6, 0.7, 0.5]]))
    close(maps.largest_ordinary, torch.tensor([[0.3, 0.7, 0.3]]))
    plain = maps_of(pattern, passage_of("a b c"))
    assert torch.equal(plain.largest, plain.largest_ordinary)


def test_keys_that_tie_for_the_largest_weight_share_the_hit() -> None:
    thirds = torch.tensor([[[0.4, 0.4, 0.2], [0.3, 0.4, 0.3], [0.5, 0.0, 0.5]]])
    maps = maps_of(torch.cat([thirds, looking_at([1, 0, 0])]), passage_of("a b c"))
    _, before, itself, after, _ = maps.near_hits.movedim(1, 0)
    assert before[:, 1:].tolist() == [[0, 0], [1, 0]]
    assert itself.tolist() == [[0.5, 1, 0.5], [0, 0, 0]]
    assert after[:, :2].tolist() == [[0.5, 0], [1, 0]]
