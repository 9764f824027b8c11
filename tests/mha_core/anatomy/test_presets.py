"""The sizes of known models divide, have sources, and are those of models that are here."""

from pathlib import Path

import pytest
import torch
from transformers import AutoConfig, AutoModel

from mha_core.anatomy.calculator import HeadShape, find_problems
from mha_core.anatomy.presets import BIAS, PRESETS, Preset, shipped_presets, usual_widths
from mha_core.models.catalogue import CATALOGUE, find
from mha_core.models.loading import load

BY_ID = {preset.id: preset for preset in PRESETS}


def sizes_of(preset: Preset) -> tuple[int, ...]:
    return (preset.d_model, preset.n_heads, preset.n_kv_heads, preset.n_layers)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.id)
def test_every_preset_divides_and_names_paper_and_year(preset: Preset) -> None:
    assert not find_problems(HeadShape(preset.d_model, preset.n_heads, preset.n_kv_heads))
    assert preset.source[-4:].isdigit()
    assert len(preset.source.split(",")) >= 3, "authors, title, year"


def test_ids_are_unique() -> None:
    assert len(BY_ID) == len(PRESETS)


def test_the_models_people_ask_for_are_there() -> None:
    assert {id: sizes_of(preset) for id, preset in BY_ID.items()} == {
        "transformer": (512, 8, 8, 6),
        "bert-base-uncased": (768, 12, 12, 12),
        "gpt2": (768, 12, 12, 12),
        "gpt-3": (12_288, 96, 96, 96),
        "llama-2-7b": (4096, 32, 32, 32),
        "llama-2-70b": (8192, 64, 8, 80),
        "llama-3.1-405b": (16_384, 128, 8, 126),
    }


@pytest.mark.parametrize(("id", "family"), [("bert-base-uncased", "bert"), ("gpt2", "gpt2")])
def test_models_of_the_catalogue_have_the_sizes_that_transformers_gives_them(
    id: str, family: str
) -> None:
    config = AutoConfig.for_model(family)
    sizes = config.hidden_size, config.num_attention_heads, config.num_hidden_layers
    preset = BY_ID[id]
    assert (preset.d_model, preset.n_heads, preset.n_layers) == sizes
    assert preset.max_tokens == config.max_position_embeddings
    assert preset.model == id


@pytest.mark.parametrize("family", [family for family in BIAS if family != "headscope"])
def test_a_family_has_biases_in_attention_or_not(family: str) -> None:
    sizes = {"num_hidden_layers": 1, "hidden_size": 32, "num_attention_heads": 4}
    with torch.device("meta"):
        model = AutoModel.from_config(AutoConfig.for_model(family, **sizes))
    norms = ("norm", "ln_")  # which have biases of their own
    names = [
        name
        for name, _ in model.named_parameters()
        if "att" in name and not any(norm in name.lower() for norm in norms)
    ]
    assert names
    assert any(name.endswith("bias") for name in names) == BIAS[family]


def test_models_that_come_with_headscope_are_those_whose_weights_do(tmp_path: Path) -> None:
    shipped = [entry.id for entry in CATALOGUE if entry.checkpoint or entry.package]
    presets = shipped_presets(tmp_path)
    assert [preset.id for preset in presets] == shipped
    for preset in presets:
        assert not find_problems(HeadShape(preset.d_model, preset.n_heads, preset.n_kv_heads))
        assert preset.source


def test_the_sizes_of_headscopes_own_model_are_those_of_its_weights(tmp_path: Path) -> None:
    preset = next(it for it in shipped_presets(tmp_path) if it.id == "headscope-tiny")
    model = load(find("headscope-tiny"), models_dir=tmp_path)
    sizes = model.architecture
    assert sizes_of(preset) == (sizes.d_model, sizes.n_heads, sizes.n_kv_heads, sizes.n_layers)
    names = [name for name, _ in model.network.named_parameters()]
    assert any(".attention.query" in name and name.endswith("bias") for name in names)
    assert preset.bias is BIAS["headscope"] is True


def test_usual_heads_are_as_wide_as_those_of_published_models() -> None:
    assert usual_widths() == (64, 128)
