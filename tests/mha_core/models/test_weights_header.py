"""Shapes and metadata of safetensors files, and what is said of files that are none."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from mha_core.models.weights_header import read_header


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    tensors = {"a": torch.ones(2, 3), "b": torch.ones(5, dtype=torch.float16)}
    save_file(tensors, tmp_path / "model.safetensors", metadata={"format": "pt"})
    return tmp_path / "model.safetensors"


def test_shapes_and_metadata_are_read(weights: Path) -> None:
    header = read_header(weights)
    assert header.shapes == {"a": (2, 3), "b": (5,)}
    assert header.metadata == {"format": "pt"}


@pytest.mark.parametrize("n_bytes", [0, 4, 50, -1])
def test_a_file_cut_short_is_refused(weights: Path, n_bytes: int) -> None:
    weights.write_bytes(weights.read_bytes()[:n_bytes])
    with pytest.raises(ValueError, match=r"model\.safetensors is cut short"):
        read_header(weights)


@pytest.mark.parametrize("header", [b'{"a": 3}', b'{"a": {"shape": [1]}}', b"nojson!!"])
def test_a_file_of_another_kind_is_refused(weights: Path, header: bytes) -> None:
    weights.write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(ValueError, match=r"not a safetensors|Expecting value"):
        read_header(weights)
