"""What the tests of the atlas share: HeadScope's own model, and a few marked sentences."""

from pathlib import Path

import pytest
import torch

from mha_core.atlas.treebank import Sentence
from mha_core.models.catalogue import find
from mha_core.models.loading import LoadedModel, load


@pytest.fixture(scope="session")
def tiny(models_dir: Path, device: torch.device) -> LoadedModel:
    """HeadScope's own model."""
    return load(find("headscope-tiny"), models_dir=models_dir, device=str(device))


@pytest.fixture(scope="session")
def marked() -> list[Sentence]:
    """Three sentences with their trees."""
    rows = [
        ("The old dog chased a cat .", "2 2 3 -1 5 3 3", "det amod nsubj root det obj punct"),
        ("She reads a long letter .", "1 -1 4 4 1 1", "nsubj root det amod obj punct"),
        ("Go home !", "-1 0 0", "root advmod punct"),
    ]
    return [
        Sentence(
            id=f"s{number}",
            text=text,
            words=tuple(text.split()),
            upos=("X",) * len(text.split()),
            heads=tuple(map(int, heads.split())),
            relations=tuple(relations.split()),
        )
        for number, (text, heads, relations) in enumerate(rows)
    ]
