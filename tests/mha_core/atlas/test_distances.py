"""Distances between heads are Jensen-Shannon's, and the drawing of a plane is that plane."""

import math

import numpy as np
import pytest
import torch

from mha_core.atlas.distances import compute_divergences, lay_out, measure_distances
from mha_core.models.loading import LoadedModel
from mha_core.text.tokenization import tokenize

TEXTS = ["The cat sat on the mat.", "She sold sea shells by the sea shore, they say."]


def test_divergences_are_those_of_the_formula_row_by_row() -> None:
    maps = torch.rand(3, 5, 5, dtype=torch.float64)
    maps /= maps.sum(-1, keepdim=True)
    p = 0.999 * maps + 0.001 / 5
    middle = (p[0] + p[2]) / 2
    kl = [(x * (x / middle).log()).sum() for x in (p[0], p[2])]
    found = compute_divergences(maps, causal=False)
    assert found[0, 2].item() == pytest.approx(sum(kl).item() / 2)
    assert found[2, 0] == found[0, 2]
    assert found.diagonal().abs().max() == 0


def test_maps_that_share_nothing_are_about_ln_2_a_row_apart() -> None:
    first = torch.zeros(6, 6)
    first[:, 0] = 1
    itself = torch.eye(6)
    # Both look at the first token in row 0: a causal model has no choice there, and it is left out.
    apart = compute_divergences(torch.stack([first, itself]), causal=True)[0, 1].item() / 5
    assert math.log(2) - 0.01 < apart < math.log(2)


def test_what_a_causal_model_cannot_see_adds_nothing() -> None:
    maps = torch.rand(2, 4, 4).tril()
    maps /= maps.sum(-1, keepdim=True)
    wild = maps.clone()
    wild[1] += torch.full((4, 4), 9.0).triu(1)
    torch.testing.assert_close(
        compute_divergences(maps, causal=True), compute_divergences(wild, causal=True)
    )


@pytest.mark.parametrize("name", ["minilm", "smollm2", "tiny"])
def test_every_head_of_a_model_is_compared_with_every_other(
    name: str, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    texts = [tokenize(model.tokenizer, text) for text in TEXTS]
    found = measure_distances(model, texts).values
    n_heads = model.architecture.n_layers * model.architecture.n_heads
    assert found.shape == (n_heads, n_heads)
    assert (found == found.T).all()
    others = found[~np.eye(n_heads, dtype=bool)]
    assert 0 < others.min() < others.max() < math.log(2)
    alone = [measure_distances(model, [text]).values for text in texts]
    rows = [len(text.tokens) - (model.architecture.kind == "decoder") for text in texts]
    mean = (alone[0] * rows[0] + alone[1] * rows[1]) / sum(rows)
    assert found == pytest.approx(mean, abs=1e-6)


def test_points_of_a_plane_come_back_but_for_rotation() -> None:
    points = np.random.default_rng(0).normal(size=(12, 2)) * [3, 1]
    distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
    drawn, stress = lay_out(distances)
    shown = np.linalg.norm(drawn[:, None] - drawn[None], axis=-1)
    assert shown == pytest.approx(distances)
    assert stress == pytest.approx(0, abs=1e-6)
    assert np.ptp(drawn, axis=0)[0] > np.ptp(drawn, axis=0)[1]


def test_the_drawing_does_not_depend_on_how_the_heads_are_mirrored_or_ordered() -> None:
    points = np.random.default_rng(1).normal(size=(9, 2)) * [3, 1]
    order = np.random.default_rng(2).permutation(9)
    distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
    drawn, again = lay_out(distances)[0], lay_out(distances[order][:, order])[0]
    assert again == pytest.approx(drawn[order])


def test_what_no_plane_can_show_has_stress() -> None:
    alike = 1 - np.eye(8)  # eight points, all equally far from each other
    assert lay_out(alike)[1] > 0.3
    assert lay_out(np.zeros((3, 3)))[1] == 0
