"""Intermediate results that metrics share."""

import torch

from mha_core.metrics.head_maps import Maps
from mha_core.runs.value_weights import weight_by_value
from tests.hand_made import looking_at, passage_of


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=1e-5)


def test_value_weighted_maps_follow_the_raw_ones() -> None:
    passage = passage_of("[CLS] a b c [SEP]", causal=True)
    draws = torch.Generator().manual_seed(0)
    scores = torch.randn(3, 5, 5, generator=draws).masked_fill(~passage.visible, -torch.inf)
    pattern, norms = scores.softmax(-1), torch.rand(3, 5, generator=draws) * 9
    norms[1, 2] = 0  # a key that carries nothing
    norms[2] = 0  # a head that carries nothing
    before = pattern.clone()
    both = Maps(pattern, passage).with_value_weighted(norms)
    assert torch.equal(pattern, before)
    close(both.pattern, torch.cat([pattern, weight_by_value(pattern, norms)]))
    close(both.a_ln_a, Maps(both.pattern, passage).a_ln_a)


def test_zero_times_its_logarithm_is_zero() -> None:
    maps = Maps(torch.tensor([[[0.0, 1.0], [0.5, 0.5]]]), passage_of("a b"))
    close(maps.a_ln_a, torch.tensor([[[0, 0], [-0.34657359, -0.34657359]]]))


def test_the_largest_weight_of_a_row_with_and_without_special_tokens() -> None:
    pattern = torch.tensor([[[0.6, 0.3, 0.1], [0.1, 0.7, 0.2], [0.2, 0.3, 0.5]]])
    maps = Maps(pattern, passage_of("[CLS] a [SEP]"))
    close(maps.largest, torch.tensor([[0.6, 0.7, 0.5]]))
    close(maps.largest_ordinary, torch.tensor([[0.3, 0.7, 0.3]]))
    plain = Maps(pattern, passage_of("a b c"))
    assert torch.equal(plain.largest, plain.largest_ordinary)


def test_keys_that_tie_for_the_largest_weight_share_the_hit() -> None:
    thirds = torch.tensor([[[0.4, 0.4, 0.2], [0.3, 0.4, 0.3], [0.5, 0.0, 0.5]]])
    maps = Maps(torch.cat([thirds, looking_at([1, 0, 0])]), passage_of("a b c"))
    before, itself, after = maps.nearby_hits.movedim(1, 0)
    assert before[:, 1:].tolist() == [[0, 0], [1, 0]]
    assert itself.tolist() == [[0.5, 1, 0.5], [0, 0, 0]]
    assert after[:, :2].tolist() == [[0.5, 0], [1, 0]]
