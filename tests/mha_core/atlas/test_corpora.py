"""Corpora are read with a model's tokenizer, and nothing that is left out goes uncounted."""

from pathlib import Path

import pytest

from mha_core.atlas.corpora import Corpora
from mha_core.atlas.own_sentences import read_own_sentences
from mha_core.errors import InputError
from mha_core.models.loading import LoadedModel


def test_what_a_short_model_cannot_read_is_counted(
    tiny: LoadedModel, shared_data: Path, tmp_path: Path
) -> None:
    files = {"ud_ewt/ewt_dev_compact.jsonl": 80, "ud_ewt/ewt_test_compact.jsonl": 60}
    for path, n_lines in (files | {"gap/gap-test.tsv": 41}).items():
        lines = (shared_data / path).read_text().splitlines()
        (tmp_path / Path(path).name).write_text("\n".join(lines[:n_lines]) + "\n")
    material = Corpora(tmp_path, tmp_path / "gap-test.tsv").prepare(tiny)
    treebank, gap = material.treebank_source, material.gap_source
    assert treebank is not None
    assert treebank.dev.used + treebank.dev.dropped["too_long"] == treebank.dev.sentences == 80
    assert len(material.dev) == treebank.dev.used
    assert len(material.test) == treebank.test.used
    assert treebank.test.sentences == 60
    assert gap is not None
    assert gap.used + sum(gap.skipped.values()) == 40
    assert len(material.gap) == gap.used
    assert material.versions == [*treebank.version.values(), gap.version]
    assert (treebank.source, gap.source) == (tmp_path.name, "gap-test.tsv")


def test_words_of_both_splits_are_counted(tiny: LoadedModel, small_corpora: Corpora) -> None:
    material = small_corpora.prepare(tiny)
    words = [
        word.lower() for text in (*material.dev, *material.test) for word in text.sentence.words
    ]
    assert material.frequencies["the"] == words.count("the") > 0
    assert material.frequencies.total() == len(words)


def test_plain_texts_are_those_of_the_treebank(small_corpora: Corpora, tiny: LoadedModel) -> None:
    material = small_corpora.prepare(tiny)
    assert material.text_source.source == "a treebank, dev split"
    assert material.tokenized == [text.tokenized for text in material.dev]
    assert material.text_source.texts == len(material.tokenized) == len(material.sentences) > 0
    assert material.sentences[0] == material.dev[0].tokenized.text


def test_without_corpora_plain_texts_are_headscopes_own(tiny: LoadedModel) -> None:
    material = Corpora().prepare(tiny)
    assert material.text_source.source == "HeadScope's own sentences"
    assert material.text_source.texts == len(material.tokenized) > 100
    assert set(material.sentences) <= set(read_own_sentences())
    assert material.dev == material.test == material.gap == []
    assert material.treebank_source is material.gap_source is None
    assert material.versions == []


def test_a_treebank_that_is_not_there_is_told(tiny: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="directory"):
        Corpora(tmp_path / "nowhere").prepare(tiny)


def test_a_gap_file_that_is_not_there_is_told(tiny: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="GAP file"):
        Corpora(gap=tmp_path / "nowhere.tsv").prepare(tiny)


def test_the_command_names_no_machine(tmp_path: Path) -> None:
    corpora = Corpora(tmp_path / "ud_ewt", tmp_path / "gap.tsv", "a bank, CC")
    assert corpora.command("own", "syntax", 3) == (
        "headscope atlas build own --only syntax --treebank ud_ewt --gap gap.tsv "
        "--treebank-source 'a bank, CC' --seed 3"
    )
    assert Corpora().command("a/b", "sink", 0) == "headscope atlas build a/b --only sink --seed 0"
