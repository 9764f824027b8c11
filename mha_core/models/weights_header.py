"""The header of a safetensors file, read without torch: the shape of every tensor, the metadata."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MAX_BYTES = 100_000_000
"""The format's own limit for a header."""


@dataclass(frozen=True)
class WeightsHeader:
    shapes: dict[str, tuple[int, ...]]
    metadata: dict[str, str]


def read_header(path: Path) -> WeightsHeader:
    """The header of a file; raises ValueError if the file is cut short or no safetensors."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(size - 8, _MAX_BYTES):
            raise ValueError(f"{path.name} is cut short, or not a safetensors file.")
        tensors: dict[str, dict[str, Any]] = json.loads(file.read(length))
    metadata = tensors.pop("__metadata__", {})
    try:
        shapes = {name: tuple(tensor["shape"]) for name, tensor in tensors.items()}
        end = max((tensor["data_offsets"][1] for tensor in tensors.values()), default=0)
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"{path.name} is not a safetensors file.") from error
    if 8 + length + end != size:
        raise ValueError(f"{path.name} is cut short, or has bytes too many: copy it again.")
    return WeightsHeader(shapes, metadata)
