"""What the tests of the atlas share: HeadScope's own model, marked sentences, a small build."""

import json
from pathlib import Path

import pytest
import torch

from mha_core.atlas.build import build
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.record import Atlas
from mha_core.atlas.treebank import Sentence
from mha_core.models.catalogue import find
from mha_core.models.loading import LoadedModel, load

SENTENCES = 16
PRONOUNS = 10


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


@pytest.fixture(scope="session")
def small_corpora(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Corpora:
    """A few sentences and pronouns of the real corpora, short ones."""
    folder = tmp_path_factory.mktemp("corpora")
    for split in ("dev", "test"):
        lines = (shared_data / "ud_ewt" / f"ewt_{split}_compact.jsonl").read_text().splitlines()
        short = [line for line in lines if 8 < len(json.loads(line)["words"]) < 14]
        (folder / f"{split}.jsonl").write_text("\n".join(short[:SENTENCES]))
    heading, *items = (shared_data / "gap" / "gap-test.tsv").read_text().splitlines()
    (folder / "gap.tsv").write_text("\n".join([heading, *sorted(items, key=len)[:PRONOUNS], ""]))
    return Corpora(folder, folder / "gap.tsv", "a treebank", "a corpus")


@pytest.fixture(scope="session")
def small_atlas(
    tiny: LoadedModel, small_corpora: Corpora, tmp_path_factory: pytest.TempPathFactory
) -> Atlas:
    """HeadScope's own model on them: every section, built without a stop."""
    return build(tiny, small_corpora, directory=tmp_path_factory.mktemp("atlas") / "parts")
