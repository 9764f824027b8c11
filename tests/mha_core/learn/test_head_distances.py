"""Distances between heads, and the matching that makes their sum smallest."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from mha_core.learn.head_distances import distances, maps_on, match_heads
from mha_core.learn.probe import Probe
from mha_core.learn.tasks.catalogue import make_config, make_task
from mha_core.transformer import Transformer
from tests.mha_core.learn.conftest import SMALL


def random_maps(seed: int, n_heads: int = 4) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(n_heads, n, n, generator=generator).mul(3).softmax(-1) for n in (5, 8, 6)]


def test_a_head_is_nearest_to_itself_and_distances_are_symmetric() -> None:
    one, other = random_maps(0), random_maps(1)
    apart = distances(one, one)
    assert np.allclose(np.diag(apart), 0, atol=1e-12)
    assert np.allclose(apart, apart.T)
    assert np.allclose(distances(one, other), distances(other, one).T)
    assert (distances(one, other) > 0).all()
    assert distances(one, other).max() < math.log(2)


def test_permuted_heads_are_found_again() -> None:
    maps, order = random_maps(0, n_heads=5), [3, 0, 4, 1, 2]
    permuted = [it[order] for it in maps]
    matching = match_heads(distances(maps, permuted))
    assert [order[partner] for partner in matching] == [0, 1, 2, 3, 4]


def test_no_other_matching_is_nearer() -> None:
    apart = distances(random_maps(0), random_maps(1))
    matching = match_heads(apart)
    best = apart[range(4), matching].sum()
    rng = np.random.default_rng(0)
    assert all(apart[range(4), rng.permutation(4)].sum() >= best for _ in range(50))


def test_too_many_heads_to_try_every_matching_are_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        match_heads(np.zeros((12, 12)))


def test_maps_are_those_of_the_probe_without_padding() -> None:
    probe = Probe.of(make_task(SMALL))
    maps = maps_on(Transformer(make_config(SMALL)).eval(), probe)
    assert [it.shape for it in maps] == [(4, n, n) for n in probe.batch.lengths[:40].tolist()]
    assert all(torch.allclose(it.sum(-1), torch.ones(it.shape[:2])) for it in maps)
