"""Repeated random symbols: what counts can be known, and no fixed distance gives it away."""

from itertools import pairwise

import torch

from mha_core.learn.tasks.repeats import Repeats


def test_a_prediction_counts_only_where_its_pair_came_before() -> None:
    batch = Repeats().draw(seed=3, n=50)
    for row, scored in zip(batch.tokens.tolist(), batch.scored.tolist(), strict=True):
        pairs = list(pairwise(row))
        assert any(scored)
        for place, pair in enumerate(pairs):
            if scored[place]:
                assert pair in pairs[:place]


def test_no_fixed_distance_finds_most_repetitions() -> None:
    batch = Repeats().draw(seed=3, n=2000)
    tokens, scored = batch.tokens, batch.scored
    best = 0.0
    for distance in range(1, 60):
        same = torch.zeros_like(scored)
        same[:, distance - 1 :] = tokens[:, distance:] == tokens[:, :-distance]
        best = max(best, same[scored].float().mean().item())
    assert best < 0.3, "a head that counts positions and never reads"


def test_the_same_seed_draws_the_same_texts() -> None:
    once, again, other = (Repeats().draw(seed, 4).tokens for seed in (5, 5, 6))
    assert torch.equal(once, again)
    assert not torch.equal(once, other)
