"""Every arc of a tree is asked in both directions, as far as a model can see."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from mha_core.atlas.arcs import Arcs
from mha_core.atlas.treebank import Sentence, find_splits, read_treebank
from tests.made_up_treebank import to_text

# She reads old books .
READS = Sentence(
    "s",
    "She reads old books.",
    ("She", "reads", "old", "books", "."),
    ("PRON", "VERB", "ADJ", "NOUN", "PUNCT"),
    (1, -1, 3, 1, 1),
    ("nsubj", "root", "amod", "obj", "punct"),
)
SLEEPS = Sentence(
    "t", "He sleeps.", ("He", "sleeps", "."), ("X",) * 3, (1, -1, 1), ("nsubj", "root", "punct")
)


def questions(arcs: Arcs, task: str) -> list[tuple[int, int, int]]:
    asked = arcs.asked_by(task)
    return list(zip(*(it[asked].tolist() for it in (arcs.text, arcs.query, arcs.key)), strict=True))


def test_each_arc_is_asked_of_both_words_but_not_roots_and_punctuation() -> None:
    arcs = Arcs.of([to_text(READS), to_text(SLEEPS)], causal=False)
    assert questions(arcs, "nsubj:dependent") == [(0, 0, 1), (1, 0, 1)]
    assert questions(arcs, "nsubj:head") == [(0, 1, 0), (1, 1, 0)]
    assert questions(arcs, "amod:dependent") == [(0, 2, 3)]
    assert questions(arcs, "obj:head") == [(0, 1, 3)]
    assert set(arcs.relation.tolist()) == {"nsubj", "amod", "obj"}
    assert len(arcs.text) == 2 * 4


def test_a_causal_model_is_asked_only_what_it_can_see() -> None:
    arcs = Arcs.of([to_text(READS)], causal=True)
    assert (arcs.key < arcs.query).all()
    assert questions(arcs, "obj:dependent") == [(0, 3, 1)]
    assert questions(arcs, "obj:head") == []
    assert questions(arcs, "nsubj:head") == [(0, 1, 0)]
    assert len(arcs.text) == 3


def test_words_without_a_token_are_not_asked_about() -> None:
    arcs = Arcs.of([to_text(READS, [1, 1, 0, 1, 1])], causal=False)
    assert Counter(arcs.relation.tolist()) == {"nsubj": 2, "obj": 2}


def test_a_subtype_is_a_relation_of_its_own() -> None:
    relations = ("acl:relcl", "acl", "root")
    sentence = Sentence("s", "", ("a", "b", "c"), ("X",) * 3, (2, 2, -1), relations)
    arcs = Arcs.of([to_text(sentence)], causal=False)
    assert questions(arcs, "acl:relcl:dependent") == [(0, 0, 2)]
    assert questions(arcs, "acl:head") == [(0, 2, 1)]


def test_another_tree_is_asked_of_the_words_of_the_text() -> None:
    other = Sentence("o", "", ("v",) * 5, ("X",) * 5, (-1, 0, 0, 0, 0), ("root", *["obj"] * 4))
    texts = [to_text(READS, [1, 1, 0, 1, 1]), to_text(SLEEPS)]
    arcs = Arcs.of(texts, causal=False, trees=[other, None])
    assert questions(arcs, "obj:dependent") == [(0, 1, 0), (0, 3, 0), (0, 4, 0)]
    assert set(arcs.text.tolist()) == {0}, "a text without another tree asks nothing"


@pytest.mark.parametrize("trees", [[None], []])
def test_nothing_asked_is_no_arcs(trees: list[None]) -> None:
    root = Sentence("r", "Hi", ("Hi",), ("X",), (-1,), ("root",))
    arcs = Arcs.of([to_text(READS)] if trees else [to_text(root)], causal=False, trees=trees)
    assert len(arcs.text) == 0
    assert not arcs.asked_by("obj:dependent").any()


@pytest.mark.parametrize("split", ["dev", "test"])
def test_counts_and_fixed_offsets_agree_with_the_known_ones(shared_data: Path, split: str) -> None:
    """The known table adds subtypes to their relation ("nsubj" with "nsubj:pass")."""
    sentences = read_treebank(find_splits(shared_data / "ud_ewt")[split])
    arcs = Arcs.of([to_text(sentence) for sentence in sentences], causal=False)
    known = json.loads((shared_data / "ud_ewt" / "offset_baselines.json").read_text())[split]
    compared = [row for row in known if row[0] != "punct"]
    assert len(compared) > 25
    base = np.char.partition(arcs.relation, ":")[:, 0]
    for name, n, offset, accuracy, _ in compared:
        of_name = (base == name) | (arcs.relation == name) | name.startswith("ALL")
        asked = of_name & (arcs.direction == 0)
        offsets = Counter((arcs.key - arcs.query)[asked].tolist())
        ((best, hits),) = offsets.most_common(1)
        assert asked.sum() == n, name
        assert best == offset, name
        assert 100 * hits / n == pytest.approx(accuracy, abs=0.051), name
