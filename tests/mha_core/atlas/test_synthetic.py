"""Random tokens said twice: hand-made heads score what they were made for."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from mha_core.atlas.attribution import MIN_WRITTEN_ROWS
from mha_core.atlas.means import mean_interval
from mha_core.atlas.synthetic import (
    LENGTH,
    N_TEXTS,
    SEEDS,
    _stripes,
    copying_sign,
    measure_synthetic,
)
from mha_core.atlas.template import Template
from mha_core.models.architecture import own_architecture
from mha_core.models.loading import LoadedModel
from mha_core.tap import attention_sites
from mha_core.text.byte_tokenizer import BOS_ID, VOCAB_SIZE
from mha_core.transformer import Transformer
from mha_core.transformer_config import TransformerConfig


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
    sign = copying_sign(found)
    assert sign.value.shape == (1, 2)
    assert sign.low[0, 0] > 0.9
    assert sign.high[0, 1] < -0.9
    assert sign.clear.all()
    assert (sign.rows == len(SEEDS) * N_TEXTS * LENGTH).all(), "they never rest on the first token"
    # In the second half the same token stands at two places, seen equally well.
    assert found.duplicate.mean(0)[0] == pytest.approx([0.5, 0.5], abs=0.05)
    assert found.induction.max() < 0.05


def test_rows_that_rest_on_the_first_token_do_not_count(hand_made: LoadedModel) -> None:
    # Every query of head 1 asks for what only the first token's key has.
    bos = hand_made.network.get_submodule("tokens").get_parameter("weight")[BOS_ID]
    bos[63] = 40
    query = hand_made.network.get_submodule("blocks.0.attention.query.0").get_parameter("bias")
    query[63] = 40
    sign = copying_sign(measure_synthetic(hand_made, seeds=[0]))
    assert sign.rows.tolist() == [[N_TEXTS * LENGTH, 0]]
    assert np.isnan([sign.value[0, 1], sign.low[0, 1], sign.high[0, 1]]).all()
    assert sign.clear.tolist() == [[True, False]]


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
    n_texts = len(SEEDS) * N_TEXTS
    assert found.induction.shape == found.written.shape == (n_texts, 2, 8)
    mean, low, high = mean_interval(found.induction)
    assert low[1].max() > 0.7
    assert high[0].max() < 0.1
    sign = copying_sign(found)
    assert sign.low[1, mean[1].argmax()] > 0.9
    assert found.previous.mean(0)[0].max() > 0.9
    assert found.rows.tolist() == [n_texts * 99, n_texts * 50, n_texts * 50]
    seen = np.arange(2, 2 * LENGTH + 2)  # keys that rows after the first two see
    assert found.baseline[0] == pytest.approx((1 / seen[1:]).mean())
    assert found.baseline[2] == pytest.approx((1 / seen[LENGTH:]).mean())


def test_scores_of_other_seeds_lie_where_the_intervals_say(tiny: LoadedModel) -> None:
    one, other = (measure_synthetic(tiny, seeds=seeds) for seeds in (range(5), range(100, 105)))
    _, low, high = mean_interval(one.induction)
    _, other_low, other_high = mean_interval(other.induction)
    assert ((low > other_high) | (other_low > high)).sum() <= 1
    signs, other_signs = copying_sign(one), copying_sign(other)
    both = signs.clear & other_signs.clear
    assert both.sum() >= 8
    assert (np.sign(signs.value) == np.sign(other_signs.value))[both].all()


def test_the_texts_of_all_seeds_are_in_order(tiny: LoadedModel) -> None:
    both = measure_synthetic(tiny, seeds=[7, 8]).arrays()
    one, other = (measure_synthetic(tiny, seeds=[seed]).arrays() for seed in (7, 8))
    for name in ("previous", "duplicate", "induction", "written", "written_abs"):
        assert (both[name] == np.concatenate([one[name], other[name]])).all()
    for name in ("rows", "written_rows"):
        assert (both[name] == one[name] + other[name]).all()


def test_a_seed_gives_the_same_texts_every_time(tiny: LoadedModel) -> None:
    one, again, other = (measure_synthetic(tiny, seeds=[seed]) for seed in (7, 7, 8))
    assert (one.induction == again.induction).all()
    assert (one.induction != other.induction).any()


def test_a_model_without_a_known_unembedding_has_scores_and_no_copying(
    hand_made: LoadedModel,
) -> None:
    unknown = replace(hand_made, architecture=replace(hand_made.architecture, family="unheard of"))
    found = measure_synthetic(unknown)
    assert (found.written_rows == 0).all()
    assert np.isnan(copying_sign(found).value).all()
    assert not copying_sign(found).clear.any()
    assert found.duplicate.mean() > 0.4


def test_an_end_token_changes_nothing(tiny: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = measure_synthetic(tiny, seeds=[0]).arrays()
    template = replace(Template.of(tiny.tokenizer), after=(BOS_ID,))
    monkeypatch.setattr(Template, "of", lambda tokenizer: template)
    with_end = measure_synthetic(tiny, seeds=[0]).arrays()
    for name, array in plain.items():
        assert with_end[name] == pytest.approx(array, abs=1e-4), name


def test_a_real_model_has_heads_of_each_kind(smollm2: LoadedModel) -> None:
    found = measure_synthetic(smollm2, seeds=[0])
    for scores in (found.previous, found.induction):
        assert mean_interval(scores)[1].max() > 0.5
    sign = copying_sign(found)
    assert sign.clear.any()
    assert np.nanmin(sign.low) >= -1
    assert np.nanmax(sign.high) <= 1
    assert (np.isnan(sign.value) == (sign.rows < MIN_WRITTEN_ROWS)).all()
    best = np.unravel_index(found.induction.mean(0).argmax(), sign.value.shape)
    assert sign.low[best] > 0
