"""SHA-256 of a model's files: recorded when a package is unpacked, checked at every load."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from mha_core.errors import WeightsMismatch
from mha_core.models.catalogue import CatalogueEntry

RECORD = "headscope.json"
"""File in a model's folder that says which package it was made from, and the hash of each file."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


def hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_folder(folder: Path) -> dict[str, str]:
    """Name -> SHA-256 of every file in a folder."""
    return {path.name: hash_file(path) for path in sorted(folder.iterdir()) if path.is_file()}


def damaged_files(folder: Path) -> list[Path]:
    """Files that are not what their record says; none where nothing is recorded."""
    expected = dict(read_record(folder).get("files", {}))
    # The Hugging Face cache links each large file to a blob that is named by its SHA-256.
    for path in folder.iterdir():
        if path.is_symlink() and _SHA256.fullmatch(path.readlink().name):
            expected[path.name] = path.readlink().name
    return [
        folder / name
        for name, sha256 in expected.items()
        if not (folder / name).is_file() or hash_file(folder / name) != sha256
    ]


def check_files(folder: Path, entry: CatalogueEntry) -> None:
    """Raise WeightsMismatch if a file of the model has changed since it was installed."""
    damaged = damaged_files(folder)
    if damaged:
        advice = "Copy or save the model there again."
        if entry.directory is None:
            advice = f"Fetch it again: headscope models get {entry.id}"
        raise WeightsMismatch(
            f"{damaged[0].name} of {entry.name} is not the file that was installed: its SHA-256 "
            f"differs from the recorded one ({damaged[0]}). {advice}",
            file=str(damaged[0]),
        )


def read_record(folder: Path) -> dict[str, Any]:
    """What is recorded of a folder's origin; empty where nothing is.

    A record without hashes, as older versions wrote it, proves nothing: the model is fetched again.
    """
    try:
        record = json.loads((folder / RECORD).read_text())
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) and isinstance(record.get("files"), dict) else {}
