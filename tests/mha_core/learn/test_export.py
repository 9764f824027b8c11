"""A trained own model as a GPT-2 of transformers: its maps through the tap are those of the module.

So the module that people read and the hook into transformers agree on a trained GPT-2.
"""

from pathlib import Path

import pytest
import torch
from torch import Tensor

from mha_core.errors import NotExportable, UnknownWord
from mha_core.learn.export import build_gpt2, export_gpt2
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runs import entry_of, find_run
from mha_core.models.catalogue import CatalogueEntry, entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.tap import LayerCapture, Tap
from mha_core.transformer import load_transformer


def maps_and_logits(model: LoadedModel, text: str) -> tuple[list[Tensor], Tensor]:
    maps: list[Tensor] = []

    def on_pattern(_: LayerCapture, pattern: Tensor) -> None:
        maps.append(pattern.clone())

    hidden = model.forward(model.tokenize(text), Tap(on_pattern=on_pattern))
    logits = model.unembed(hidden)
    assert logits is not None
    return maps, logits


def check_export(entry: CatalogueEntry, text: str, directory: Path) -> None:
    own = load(entry, models_dir=directory)
    assert entry.checkpoint is not None
    export_gpt2(load_transformer(entry.checkpoint), own.tokenizer, directory / "gpt2")
    gpt2 = load(entry_for(str(directory / "gpt2")), models_dir=directory)
    assert gpt2.architecture.family == "gpt2"
    assert gpt2.tokenize(text).inputs["input_ids"] == own.tokenize(text).inputs["input_ids"]
    (maps, logits), (their_maps, their_logits) = (maps_and_logits(it, text) for it in (own, gpt2))
    assert maps[0].shape[1] == own.architecture.n_heads
    for one, other in zip(maps, their_maps, strict=True):
        assert (one - other).abs().max() < 1e-5
    torch.testing.assert_close(their_logits, logits, atol=1e-4, rtol=0)
    assert (maps[0] - 1 / maps[0].shape[-1]).abs().max() > 0.1, "the maps are not uniform"


@pytest.mark.parametrize("id", ["language", "repeats", "markov-2"])
def test_an_exported_model_has_the_maps_of_the_own_module(id: str, tmp_path: Path) -> None:
    run = find_run(id, tmp_path)
    text = {"language": "The kings near the girl say that they sleep.", "markov-2": "a b b a b a a"}
    check_export(entry_of(run), text.get(id, "a b c d e a b c d e a b"), tmp_path)


def test_the_model_that_reads_bytes_can_be_exported_too(tmp_path: Path) -> None:
    check_export(entry_for("headscope-tiny"), "abcdef abcdef abc", tmp_path)


def test_an_exported_model_refuses_words_it_does_not_know(
    small_run: RunDirectory, tmp_path: Path
) -> None:
    own = load(entry_of(small_run), models_dir=tmp_path)
    export_gpt2(load_transformer(small_run.weights_file(40)), own.tokenizer, tmp_path / "gpt2")
    gpt2 = load(entry_for(str(tmp_path / "gpt2")), models_dir=tmp_path)
    with pytest.raises(UnknownWord, match="zebra"):
        gpt2.tokenize("the zebra")


@pytest.mark.parametrize("id", ["repeats-shifted-keys", "repeats-previous-only"])
def test_what_no_gpt2_does_is_refused(id: str, tmp_path: Path) -> None:
    run = find_run(id, tmp_path)
    with pytest.raises(NotExportable, match="first layer is free"):
        build_gpt2(load_transformer(run.weights_file(run.kept_steps()[-1])))
