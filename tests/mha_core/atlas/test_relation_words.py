"""Relations in plain words, in both directions, known or not."""

from mha_core.atlas.relation_words import describe_relation, label_relation


def test_a_relation_reads_both_ways() -> None:
    assert describe_relation("obj", "dependent") == "objects → their verb"
    assert describe_relation("obj", "head") == "verbs → their object"
    assert label_relation("nsubj", "dependent") == "subject → verb"
    assert label_relation("nsubj", "head") == "verb → subject"


def test_a_subtype_without_words_keeps_its_name() -> None:
    assert "nmod:unmarked" in describe_relation("nmod:unmarked", "dependent")


def test_a_relation_nobody_named_is_told_by_its_label() -> None:
    assert describe_relation("dislocated", "dependent") == "dislocated dependents → their head"
