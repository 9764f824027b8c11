"""Corpora are read with a model's tokenizer, and nothing that is left out goes uncounted."""

from pathlib import Path

import pytest

from mha_core.atlas.corpora import Corpora
from mha_core.errors import InputError
from mha_core.models.loading import LoadedModel


def test_what_a_short_model_cannot_read_is_counted(tiny: LoadedModel, shared_data: Path) -> None:
    corpora = Corpora(shared_data / "ud_ewt", shared_data / "gap" / "gap-test.tsv")
    material, data = corpora.prepare(tiny, seed=0)
    dev = data.treebank.dev
    assert dev.used + dev.dropped["too_long"] == dev.sentences == 2001
    gap = data.gap
    assert gap is not None
    assert gap.used + sum(gap.skipped.values()) == 2000
    assert len(material.gap) == gap.used


def test_a_treebank_that_is_not_there_is_told(tiny: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="directory"):
        Corpora(tmp_path / "nowhere").prepare(tiny, seed=0)


def test_a_gap_file_that_is_not_there_is_told(
    tiny: LoadedModel, shared_data: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="GAP file"):
        Corpora(shared_data / "ud_ewt", tmp_path / "nowhere.tsv").prepare(tiny, seed=0)


def test_the_command_names_no_machine(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path / "ud_ewt", tmp_path / "gap.tsv", "a bank, CC")
    expected = (
        "headscope atlas build own --treebank ud_ewt --gap gap.tsv "
        "--treebank-source 'a bank, CC' --seed 3"
    )
    assert corpora.command("own", 3) == expected
