"""Models are searched for in the stated order, and a list of them never fails."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from huggingface_hub import constants

from mha_core.errors import ModelUnavailable
from mha_core.models.catalogue import CATALOGUE, CatalogueEntry, entry_for, find
from mha_core.models.loading import LoadedModel
from mha_core.models.sources import availability, find_here, obtain
from mha_core.transformer import Transformer, save_transformer
from mha_core.transformer_config import TransformerConfig


def reachable() -> None:
    """A hub without trouble."""


def unreachable() -> str:
    """A hub with trouble."""
    return "The hub cannot be reached: the cable is cut."


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty Hugging Face cache."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def put_in_cache(cache: Path, hub_id: str, source: Path) -> None:
    repository = cache / f"models--{hub_id.replace('/', '--')}"
    shutil.copytree(source, repository / "snapshots" / "abc")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc")


def test_a_local_directory_comes_before_the_cache(
    cache: Path, tmp_path: Path, model_directory: Callable[[str], Path]
) -> None:
    entry = find("gpt2")
    assert find_here(entry, tmp_path) is None
    put_in_cache(cache, "openai-community/gpt2", model_directory("gpt2"))
    found = find_here(entry, tmp_path)
    assert found is not None
    assert (found.kind, found.revision) == ("cache", "abc")
    # A person without a network copies the model into the models directory.
    shutil.copytree(model_directory("gpt2"), tmp_path / "gpt2")
    found = find_here(entry, tmp_path)
    assert found is not None
    assert (found.kind, found.path) == ("directory", tmp_path / "gpt2")
    # A directory named in the settings comes first of all.
    named = entry_for(str(model_directory("gpt2")))
    found = find_here(named, tmp_path)
    assert found is not None
    assert (found.kind, found.path) == ("directory", model_directory("gpt2"))


def test_packaged_weights_come_before_the_cache(
    cache: Path, models_dir: Path, minilm: LoadedModel, model_directory: Callable[[str], Path]
) -> None:
    put_in_cache(cache, "sentence-transformers/all-MiniLM-L6-v2", model_directory("bert"))
    found = find_here(minilm.entry, models_dir)
    assert found is not None
    assert found.kind == "package"


def test_the_cache_comes_before_the_package_index(
    cache: Path, tmp_path: Path, model_directory: Callable[[str], Path]
) -> None:
    put_in_cache(cache, "sentence-transformers/all-MiniLM-L6-v2", model_directory("bert"))
    assert obtain(find("minilm"), tmp_path, allow_hub=False).kind == "cache"
    assert not (tmp_path / "minilm").exists()


def test_all_that_was_tried_is_told(
    cache: Path, tmp_path: Path, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{closed_port}")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(ModelUnavailable) as error:
        obtain(find("minilm"), tmp_path / "models", allow_hub=True)
    message = error.value.message
    assert "nor in the Hugging Face cache" in message
    assert "pip says: ERROR:" in message
    assert f"The hub (http://127.0.0.1:{closed_port}) cannot be reached" in message
    assert "copy its directory" in message


def test_packaged_models_can_be_had_before_they_are_here(cache: Path, tmp_path: Path) -> None:
    entry = find("minilm")
    answer = availability(entry, models_dir=tmp_path, hub=False)
    assert (answer.available, answer.source, answer.architecture) == (
        True,
        "package",
        entry.architecture,
    )
    assert answer.reason == "Not downloaded yet: headscope models get minilm"


def test_models_that_are_here_need_no_reason(models_dir: Path, minilm: LoadedModel) -> None:
    answer = availability(minilm.entry, models_dir=models_dir, hub=False)
    assert (answer.available, answer.source, answer.reason) == (True, "package", None)
    assert answer.state == "ready"
    assert answer.architecture == minilm.architecture


def test_models_of_the_hub_can_be_had_only_where_it_answers(cache: Path, tmp_path: Path) -> None:
    entry = find("bert-base-uncased")
    open_door = availability(entry, models_dir=tmp_path, hub=True, find_hub_problem=reachable)
    assert (open_door.available, open_door.source) == (True, "hub")
    shut = availability(entry, models_dir=tmp_path, hub=True, find_hub_problem=unreachable)
    assert (shut.available, shut.source, shut.reason) == (False, "hub", unreachable())
    forbidden = availability(entry, models_dir=tmp_path, hub=False)
    assert (forbidden.available, forbidden.source) == (False, "none")
    assert "settings do not allow the hub" in (forbidden.reason or "")
    assert (
        open_door.architecture == shut.architecture == forbidden.architecture == entry.architecture
    )


def test_the_own_model_is_built_in(tmp_path: Path) -> None:
    config = TransformerConfig(vocab_size=257)
    save_transformer(Transformer(config), tmp_path / "own.safetensors", {})
    entry = replace(find("headscope-tiny"), checkpoint=tmp_path / "own.safetensors")
    answer = availability(entry, models_dir=tmp_path, hub=False)
    assert (answer.available, answer.source) == (True, "built-in")
    assert answer.architecture is not None
    assert answer.architecture.family == "headscope"


def broken_entries(tmp_path: Path, good: Path) -> dict[str, CatalogueEntry]:
    """Models that are not available, each for its own reason."""
    entries = {"gone": entry_for(str(tmp_path / "gone"))}
    for name, config in {"garbage": "{", "nothing": "{}", "alien": '{"model_type": "x"}'}.items():
        shutil.copytree(good, tmp_path / name)
        (tmp_path / name / "config.json").write_text(config)
        entries[name] = entry_for(str(tmp_path / name))
    (tmp_path / "torn.safetensors").write_bytes(b"torn")
    entries["torn"] = replace(find("headscope-tiny"), checkpoint=tmp_path / "torn.safetensors")
    entries["missing"] = replace(find("headscope-tiny"), checkpoint=tmp_path / "missing")
    return entries


def test_a_broken_model_is_listed_with_its_reason(
    cache: Path, tmp_path: Path, model_directory: Callable[[str], Path]
) -> None:
    for name, entry in broken_entries(tmp_path, model_directory("bert")).items():
        answer = availability(entry, models_dir=tmp_path / "none", hub=False)
        assert (answer.available, answer.state) == (False, "broken"), name
        assert answer.reason, name


def test_every_model_of_the_catalogue_can_be_listed(cache: Path, tmp_path: Path) -> None:
    for entry in CATALOGUE:
        answer = availability(entry, models_dir=tmp_path, hub=True, find_hub_problem=unreachable)
        assert answer.available or answer.reason
