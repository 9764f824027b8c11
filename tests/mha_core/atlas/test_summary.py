"""A summary joins sections in their order, counts heads and names what is missing."""

import subprocess
import sys
from typing import Any

from mha_core.atlas.record import SECTIONS, Atlas
from mha_core.atlas.roles import GROUPS, build_evidence
from mha_core.atlas.specialisations import QUESTIONS
from mha_core.atlas.summary import AtlasSummary, count_roles, summarize
from tests.made_up_atlas import HEADS, N, make_up_atlas


def role(id: str, group: str, *places: tuple[int, int]) -> dict[str, Any]:
    heads = [
        build_evidence(
            place, value=0.8, baseline=0.3, n=200, low=0.7, high=0.9, split="the test set",
            evidence="Made up.", rank=0.5,
        ).model_dump()
        for place in places
    ]  # fmt: skip
    return {"id": id, "group": group, "label": id, "claim": id, "heads": heads}


def make_atlas(**sections: dict[str, Any]) -> Atlas:
    """The made-up atlas with some fields of its sections changed."""
    document = make_up_atlas()
    for name, changes in sections.items():
        document["sections"][name] |= changes
    return Atlas.model_validate(document)


def summary(**sections: dict[str, Any]) -> AtlasSummary:
    return summarize(make_atlas(**sections))


def test_heads_are_counted_once_with_and_without_those_that_rest() -> None:
    counts = summary(
        surface={
            "roles": [
                role("special", "delimiter", (0, 0), (0, 1), (1, 3)),
                role("previous", "local", (0, 2)),
                role("sink64", "sink", (0, 0), (0, 5)),
            ]
        },
        syntax={"roles": [role("obj:head", "syntax", (1, 3)), role("amod:head", "syntax", (1, 3))]},
    ).counts
    assert counts.heads == N
    assert counts.with_role == 5  # 0.0, 0.1, 0.2, 0.5 and 1.3
    assert counts.beyond_idle == 2  # 0.2 and 1.3
    assert counts.groups == {"syntax": 1, "local": 1, "delimiter": 3, "sink": 2}
    assert list(counts.groups) == ["syntax", "local", "delimiter", "sink"], "in the groups' order"


def test_without_roles_nothing_is_counted() -> None:
    counts = count_roles([], 12)
    assert (counts.heads, counts.with_role, counts.beyond_idle, counts.groups) == (12, 0, 0, {})


def test_roles_are_in_the_order_of_their_groups_whatever_their_sections() -> None:
    found = summary(
        surface={
            "roles": [role("special", "delimiter", (0, 0)), role("duplicate", "copy", (0, 1))]
        },
        syntax={"roles": [role("rare_word", "rare", (1, 1)), role("obj:head", "syntax", (1, 3))]},
        coreference={"roles": [role("gap", "coreference", (1, 4))]},
    )
    ids = [role.id for role in found.roles]
    assert ids == ["obj:head", "gap", "duplicate", "rare_word", "special"]
    assert found.groups == list(GROUPS)


def example(role: str | None, source: str) -> dict[str, Any]:
    words = {"words": ("a", "b"), "query": 1, "key": 0}
    return {"role": role, "source": source, "weight": 0.5, **words}


def test_examples_are_joined_those_of_pronouns_first() -> None:
    relation, strongest, pronoun = (
        example("obj:dependent", "s1"),
        example(None, "s2"),
        example("gap", "g1"),
    )
    found = summary(
        syntax={
            "examples": {"0.0": [strongest], "0.1": [strongest], "1.3": [relation]},
            "examples_source": "Examples: a treebank.",
        },
        coreference={
            "examples": {"1.3": [pronoun], "0.1": [pronoun]},
            "examples_source": "Pronouns: GAP.",
        },
    )
    sources = {head: [it.source for it in examples] for head, examples in found.examples.items()}
    # A head with a role shows links of its roles only.
    assert sources == {"0.0": ["s2"], "0.1": ["g1"], "1.3": ["g1", "s1"]}
    assert found.examples_source == "Examples: a treebank. Pronouns: GAP."


def test_sections_and_those_missing_are_told_in_their_order() -> None:
    atlas = make_atlas()
    found = summarize(atlas)
    assert list(found.sections) == ["surface", "syntax", "coreference", "similarity"]
    assert found.missing == ["sink", "copy", "names"]
    for name, info in found.sections.items():
        assert info.made == atlas.sections[name].made
        assert info.data == atlas.sections[name].data


def test_sections_are_joined_in_their_order_not_that_of_the_file() -> None:
    document = make_up_atlas()
    document["sections"] = dict(reversed(document["sections"].items()))
    assert summarize(Atlas.model_validate(document)) == summary()


def test_nulls_say_of_which_section_they_are() -> None:
    assert [(null.section, null.id) for null in summary().nulls] == [
        ("surface", "random"),
        ("syntax", "random"),
        ("syntax", "shuffled words"),
    ]


def test_an_atlas_without_sections_is_a_summary_too() -> None:
    document = make_up_atlas() | {"sections": {}}
    found = summarize(Atlas.model_validate(document))
    assert found.missing == list(SECTIONS)
    assert found.counts.heads == N
    assert found.roles == found.nulls == found.layout == found.relations == []
    assert found.similar == found.measures == found.examples == {}
    assert (found.stress, found.check, found.best_accuracy) == (None, None, None)
    assert found.examples_source == ""
    assert [row.name for row in found.specialisations] == [question.name for question in QUESTIONS]


def test_what_one_section_has_is_taken_from_it() -> None:
    found = summary()
    assert set(found.measures) == {"entropy", "gap"}
    assert [row.id for row in found.relations] == ["obj:dependent"]
    assert found.similar == {"1.3": [(0, 2, 0.1)]}
    assert (len(found.layout), found.stress) == (N, 0.25)
    assert found.check is not None
    assert found.check.n == 5


def test_the_best_accuracy_is_that_of_all_relations_together() -> None:
    assert summary().best_accuracy is None
    row = make_up_atlas()["sections"]["syntax"]["relations"][0]
    every = row | {"id": "all:dependent", "relation": "all", "accuracy": 0.41}
    assert summary(syntax={"relations": [every, row]}).best_accuracy == 0.41


def test_specialisations_are_answered_from_all_sections() -> None:
    rows = {row.name: row for row in summary().specialisations}
    assert rows["verb-object"].holds
    assert rows["local context"].rows == ["previous"]
    best = rows["local context"].best
    assert best is not None
    assert best.head < HEADS


def test_a_summary_needs_no_torch_and_no_transformers() -> None:
    code = (
        "import sys, mha_core.atlas.summary; "
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
