"""A folder with a model in it is recognised, and a folder without says what it lacks."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from mha_core.models.directory import (
    checked_architecture,
    find_problem,
    has_chat_template,
    revision_of,
)


@pytest.fixture
def directory(model_directory: Callable[[str], Path], tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copytree(model_directory("gpt2"), tmp_path / "gpt2"))


def test_a_saved_model_is_whole(directory: Path) -> None:
    assert find_problem(directory) is None
    assert checked_architecture(directory).family == "gpt2"


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        ("config.json", "no config.json"),
        ("model.safetensors", "no weights"),
        ("tokenizer.json", "no tokenizer"),
    ],
)
def test_a_missing_file_is_named(directory: Path, lost: str, words: str) -> None:
    (directory / lost).unlink()
    assert words in (find_problem(directory) or "")


def test_weights_in_pickle_are_not_weights(directory: Path) -> None:
    (directory / "model.safetensors").rename(directory / "pytorch_model.bin")
    assert "only as pickle (pytorch_model.bin)" in (find_problem(directory) or "")


def test_an_adapter_that_names_another_model_is_refused(directory: Path) -> None:
    (directory / "adapter_config.json").write_text('{"base_model_name_or_path": "org/other"}')
    assert "holds an adapter" in (find_problem(directory) or "")


def test_a_chat_template_is_found_in_either_file(directory: Path) -> None:
    config = directory / "tokenizer_config.json"
    assert not has_chat_template(directory)
    own_file = directory / "chat_template.jinja"
    own_file.write_text("{{ messages }}")
    assert has_chat_template(directory)
    own_file.unlink()
    config.write_text(json.dumps(json.loads(config.read_text()) | {"chat_template": "{{ 1 }}"}))
    assert has_chat_template(directory)
    config.unlink()
    assert not has_chat_template(directory)


def test_a_directory_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert find_problem(tmp_path / "gone") == f"There is no directory {tmp_path / 'gone'}."


def test_the_revision_stays_until_the_contents_change(directory: Path) -> None:
    before = revision_of(directory)
    assert revision_of(directory) == before
    weights = directory / "model.safetensors"
    weights.write_bytes(weights.read_bytes() + b" ")
    assert revision_of(directory) != before


def test_weights_split_into_files_must_all_be_there(
    model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(model_directory("bert"), tmp_path / "split"))
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    weights = {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": weights}))
    assert "model-00002-of-00002.safetensors" in (find_problem(folder) or "")
    index.write_text("{")
    assert "index" in (find_problem(folder) or "")
    index.write_text(json.dumps({"weight_map": {"a": "model-00001-of-00002.safetensors"}}))
    assert find_problem(folder) is None
