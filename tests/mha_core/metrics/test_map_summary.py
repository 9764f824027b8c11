"""What metrics read of maps."""

import math

import pytest
import torch

from mha_core.attention import Weights, attention_weights, causal_bias
from mha_core.metrics.map_summary import MapSummary, join_heads, summarize
from tests.hand_made import looking_at, passage_of


def close(found: torch.Tensor, expected: torch.Tensor) -> None:
    torch.testing.assert_close(found, expected, atol=1e-6, rtol=1e-5)


def summarized(text: str, pattern: torch.Tensor) -> MapSummary:
    return summarize(passage_of(text), Weights.of(pattern))


def test_zero_times_its_logarithm_is_zero() -> None:
    maps = summarized("a b", torch.tensor([[[0.0, 1.0], [0.5, 0.5]]]))
    close(maps.nats, torch.tensor([[0, math.log(2)]]))


@pytest.mark.parametrize("causal", [False, True])
def test_entropies_from_scores_need_no_logarithm(causal: bool) -> None:
    passage = passage_of("[CLS] a b c [SEP] d", causal=causal)
    draws = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 1, 3, 6, 4, generator=draws) * 4
    mask = causal_bias(6, 6) if causal else None
    weights = attention_weights(q, k, mask, 0.5).of_first()
    assert weights.scores.isfinite().all()
    expected = summarize(passage, Weights.of(weights.pattern))
    found = summarize(passage, weights)
    # The rounding of the scores, up to 50 here, is not lost as it is in small weights.
    close_enough = {"atol": 1e-5, "rtol": 1e-5}
    torch.testing.assert_close(found.nats, expected.nats, **close_enough)
    torch.testing.assert_close(found.nats_without_sink, expected.nats_without_sink, **close_enough)


def test_the_largest_weight_of_a_row_with_and_without_special_tokens() -> None:
    pattern = torch.tensor([[[0.6, 0.3, 0.1], [0.1, 0.7, 0.2], [0.2, 0.3, 0.5]]])
    maps = summarized("[CLS] a [SEP]", pattern)
    close(maps.largest, torch.tensor([[0.6, 0.7, 0.5]]))
    close(maps.largest_ordinary, torch.tensor([[0.3, 0.7, 0.3]]))
    plain = summarized("a b c", pattern)
    assert torch.equal(plain.largest, plain.largest_ordinary)


def test_keys_that_tie_for_the_largest_weight_share_the_hit() -> None:
    thirds = torch.tensor([[[0.4, 0.4, 0.2], [0.3, 0.4, 0.3], [0.5, 0.0, 0.5]]])
    maps = summarized("a b c", torch.cat([thirds, looking_at([1, 0, 0])]))
    _, before, itself, after, _ = maps.near_hits.movedim(1, 0)
    assert maps.n_largest.tolist() == [[2, 1, 2], [1, 1, 1]]
    assert before[:, 1:].tolist() == [[0, 0], [1, 0]]
    assert itself.tolist() == [[0.5, 1, 0.5], [0, 0, 0]]
    assert after[:, :2].tolist() == [[0.5, 0], [1, 0]]


def test_heads_of_several_layers_are_joined_in_order() -> None:
    text, draws = "[CLS] a b c b [SEP]", torch.Generator().manual_seed(0)
    pattern = torch.rand(6, 6, 6, generator=draws).softmax(-1)
    whole = summarized(text, pattern)
    joined = join_heads([summarized(text, pattern[:4]), summarized(text, pattern[4:])])
    for name, expected in vars(whole).items():
        if name != "passage":
            close(getattr(joined, name), expected)
