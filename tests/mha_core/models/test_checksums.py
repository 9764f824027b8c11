"""A file that is not what was installed is found, whoever changed it."""

import json
from pathlib import Path

import pytest

from mha_core.errors import WeightsMismatch
from mha_core.models.catalogue import entry_for, find
from mha_core.models.checksums import RECORD, check_files, damaged_files, hash_file, hash_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two files and their record."""
    for name in ("config.json", "model.safetensors"):
        (tmp_path / name).write_text(name)
    (tmp_path / RECORD).write_text(json.dumps({"files": hash_folder(tmp_path)}))
    return tmp_path


def test_what_was_recorded_is_intact_until_it_changes(folder: Path) -> None:
    assert damaged_files(folder) == []
    (folder / "config.json").write_text("config.jsoN")
    assert damaged_files(folder) == [folder / "config.json"]


def test_a_file_that_is_gone_is_damaged(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    assert damaged_files(folder) == [folder / "model.safetensors"]


def test_the_error_names_the_file_and_what_to_do(folder: Path) -> None:
    check_files(folder, find("minilm"))
    (folder / "model.safetensors").write_text("other")
    with pytest.raises(WeightsMismatch, match=r"model\.safetensors of MiniLM.*models get minilm"):
        check_files(folder, find("minilm"))
    with pytest.raises(WeightsMismatch, match="Copy or save the model there again"):
        check_files(folder, entry_for(str(folder)))


def test_a_blob_of_the_hubs_cache_must_have_the_hash_it_is_named_by(tmp_path: Path) -> None:
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshot"
    blobs.mkdir()
    snapshot.mkdir()
    (tmp_path / "weights").write_text("weights")
    blob = (tmp_path / "weights").rename(blobs / hash_file(tmp_path / "weights"))
    (snapshot / "model.safetensors").symlink_to(blob)
    (blobs / ("a" * 40)).write_text("{}")  # a small file goes by another hash
    (snapshot / "config.json").symlink_to(blobs / ("a" * 40))
    assert damaged_files(snapshot) == []
    blob.write_text("other")
    assert damaged_files(snapshot) == [snapshot / "model.safetensors"]


@pytest.mark.parametrize("record", ["", "[]", '{"files": 3}'])
def test_a_folder_without_hashes_has_nothing_to_compare(tmp_path: Path, record: str) -> None:
    (tmp_path / RECORD).write_text(record)
    assert damaged_files(tmp_path) == []
