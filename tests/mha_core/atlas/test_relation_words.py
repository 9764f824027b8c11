"""Relations in plain words, in both directions, known or not."""

from mha_core.atlas.relation_words import claim, label


def test_a_relation_reads_both_ways() -> None:
    assert claim("obj", "dependent") == "objects → their verb"
    assert claim("obj", "head") == "verbs → their object"
    assert label("nsubj", "dependent") == "subject → verb"
    assert label("nsubj", "head") == "verb → subject"


def test_a_subtype_without_words_keeps_its_name() -> None:
    assert "nmod:unmarked" in claim("nmod:unmarked", "dependent")


def test_a_relation_nobody_named_is_told_by_its_label() -> None:
    assert claim("dislocated", "dependent") == "dislocated dependents → their head"
