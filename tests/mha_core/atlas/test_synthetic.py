"""Random tokens said twice: hand-made heads score what they were made for."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from mha_core.atlas.synthetic import LENGTH, _stripes, measure_synthetic
from mha_core.models.architecture import own_architecture
from mha_core.models.loading import LoadedModel
from mha_core.tap import attention_sites
from mha_core.text.byte_tokenizer import VOCAB_SIZE
from mha_core.transformer import Transformer, TransformerConfig


@pytest.fixture
def hand_made(tiny: LoadedModel) -> LoadedModel:
    """One layer, two heads that look at the same token; one writes it on, one its opposite."""
    torch.manual_seed(0)
    config = TransformerConfig(VOCAB_SIZE, n_layers=1, n_heads=2, d_model=64, d_mlp=64)
    network = Transformer(config).to(tiny.device).eval().requires_grad_(False)
    network.positions.zero_()
    itself = torch.eye(64, device=tiny.device)  # head 0 reads the first half of it, head 1 the rest
    signs = torch.tensor([1.0] * 32 + [-1.0] * 32, device=tiny.device)
    made = {"query": 6 * itself, "key": 6 * itself, "value": itself, "output": itself * signs}
    for name, matrix in made.items():
        projection = network.get_submodule(f"blocks.0.attention.{name}.0")
        projection.get_parameter("weight").copy_(matrix)
        if name != "output":
            projection.get_parameter("bias").zero_()
    return replace(
        tiny, network=network, architecture=own_architecture(config), sites=attention_sites(network)
    )


def test_copying_is_positive_for_a_head_that_writes_what_it_reads_and_negative_for_its_negation(
    hand_made: LoadedModel,
) -> None:
    found = measure_synthetic(hand_made)
    assert found.copying.shape == (1, 2)
    assert found.copying[0, 0] > 0.9
    assert found.copying[0, 1] < -0.9
    # In the second half the same token stands at two places, seen equally well.
    assert found.duplicate.mean(0)[0] == pytest.approx([0.5, 0.5], abs=0.05)
    assert found.induction.max() < 0.05


def test_scores_of_maps_with_known_answers(tiny: LoadedModel) -> None:
    n_tokens, start = 1 + 2 * LENGTH, 1
    rows = torch.arange(n_tokens)

    def looking(back: int) -> Tensor:
        keys = (rows - back).clamp(min=0)
        return torch.eye(n_tokens)[keys]

    maps = torch.stack([looking(back) for back in (1, LENGTH, LENGTH - 1)])[None]
    scores = torch.stack([cells.mean((0, 2)) for cells in _stripes(maps, start)])
    assert torch.equal(scores, torch.eye(3))
    assert [cells.shape[-1] for cells in _stripes(maps, start)] == [2 * LENGTH - 1, LENGTH, LENGTH]


def test_the_own_model_induces_in_its_second_layer_and_copies_there(tiny: LoadedModel) -> None:
    found = measure_synthetic(tiny)
    assert found.induction.shape == (3, 2, 8)
    best = found.induction.mean(0)[1]
    assert best.max() > 0.7
    assert found.induction.mean(0)[0].max() < 0.1
    assert found.copying[1, best.argmax()] > 0.9
    assert found.previous.mean(0)[0].max() > 0.9
    assert np.ptp(found.induction, axis=0).max() < 0.1, "seeds should agree"
    assert found.rows.tolist() == [30 * 99, 30 * 50, 30 * 50]
    seen = np.arange(2, 2 * LENGTH + 2)  # keys that rows after the first two see
    assert found.baseline[0] == pytest.approx((1 / seen[1:]).mean())
    assert found.baseline[2] == pytest.approx((1 / seen[LENGTH:]).mean())


def test_a_seed_gives_the_same_texts_every_time(tiny: LoadedModel) -> None:
    one, again, other = (measure_synthetic(tiny, seeds=[seed]) for seed in (7, 7, 8))
    assert (one.induction == again.induction).all()
    assert (one.induction != other.induction).any()


def test_a_model_without_a_known_unembedding_has_scores_and_no_copying(
    hand_made: LoadedModel,
) -> None:
    unknown = replace(hand_made, architecture=replace(hand_made.architecture, family="unheard of"))
    found = measure_synthetic(unknown)
    assert np.isnan(found.copying).all()
    assert found.duplicate.mean() > 0.4


def test_a_real_model_has_heads_of_each_kind(smollm2: LoadedModel) -> None:
    found = measure_synthetic(smollm2, seeds=[0])
    for scores in (found.previous, found.induction):
        assert scores.max() > 0.5
    assert np.nanmin(found.copying) >= -1
    assert np.nanmax(found.copying) <= 1
    best = np.unravel_index(found.induction[0].argmax(), found.copying.shape)
    assert found.copying[best] > 0
