"""Every specialisation people speak of has its row, whether it holds or not."""

from collections import defaultdict

import numpy as np

from mha_core.atlas.measure import Measure
from mha_core.atlas.record import Specialisation
from mha_core.atlas.roles import Evidence, Role, build_evidence
from mha_core.atlas.specialisations import QUESTIONS, answer_questions


def evidence(value: float, baseline: float = 0.3, head: int = 0) -> Evidence:
    return build_evidence(
        (1, head), value=value, n=200, low=None, high=None, baseline=baseline,
        split="the test set", evidence=f"{value} measured.", rank=value,
    )  # fmt: skip


def role(id: str, *heads: Evidence) -> Role:
    return Role(id=id, group="syntax", label="", claim="", heads=heads)


def rows(roles: list[Role], **relations: list[Evidence]) -> dict[str, Specialisation]:
    similarity = Measure("Similarity", "", "correlation", 50, 0.0, np.array([[0.1, 0.4]]))
    given = defaultdict(list, relations)
    found = answer_questions(roles, given, {"similarity": similarity})
    return {row.name: row for row in found}


def test_every_specialisation_has_its_row() -> None:
    assert list(rows([])) == [question.name for question in QUESTIONS]


def test_one_that_holds_names_its_roles_and_best_head() -> None:
    held = role("nsubj:head", evidence(0.8))
    found = rows([held], nsubj=[evidence(0.5, head=1)])["subject-verb"]
    assert found.holds is True
    assert found.rows == ["nsubj:head"]
    assert found.best.value == 0.8  # type: ignore[union-attr]


def test_one_that_does_not_hold_names_the_best_head_all_the_same() -> None:
    found = rows([], obj=[evidence(0.3, head=0), evidence(0.35, head=1)])["verb-object"]
    assert found.holds is False
    assert found.best.head == 1  # type: ignore[union-attr]


def test_a_measure_without_a_threshold_is_shown_and_is_no_role() -> None:
    found = rows([])["semantic similarity"]
    assert found.holds is False
    assert found.best.head == 1  # type: ignore[union-attr]
    assert "no threshold" in found.best.evidence  # type: ignore[union-attr]


def test_one_that_nothing_was_measured_for_says_so() -> None:
    assert rows([])["copy"].best is None


def test_a_subtype_is_not_taken_for_its_relation() -> None:
    held = role("acl:head", evidence(0.9))
    assert rows([held])["relative clause"].holds is False
