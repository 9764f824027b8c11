"""Every specialisation people speak of has its row, whether it holds or not."""

import pytest

from mha_core.atlas.evidence import AtlasRole, LeadRecord, RelationRow, RoleHead
from mha_core.atlas.record import AtlasMeasure
from mha_core.atlas.roles import build_evidence
from mha_core.atlas.specialisations import QUESTIONS, Specialisation, answer_questions

HEADS = 2


def evidence(value: float, head: int = 0, rank: float | None = None) -> RoleHead:
    return build_evidence(
        (1, head), value=value, n=200, low=None, high=None, baseline=0.3, split="the test set",
        evidence=f"{value} measured.", rank=value if rank is None else rank,
    )  # fmt: skip


def role(id: str, *heads: RoleHead) -> AtlasRole:
    return AtlasRole(id=id, group="syntax", label="", claim="", heads=heads)


def relation(name: str, dev: float, test: float, head: int = 0) -> RelationRow:
    """A head that is so far ahead of a rule of 30 %, and holds no role."""
    leads = [
        LeadRecord(
            split=split, n=200, accuracy=0.3 + ahead, rule_accuracy=0.3, difference=ahead,
            low=ahead - 0.05, high=ahead + 0.05,
        )
        for split, ahead in (("the dev set", dev), ("the test set", test))
    ]  # fmt: skip
    return RelationRow(
        id=f"{name}:dependent", relation=name, direction="dependent", claim="objects → their verb",
        rule="the word just before", layer=1, head=head, accuracy=0.3 + test, n=200, low=0.3,
        high=0.4, baseline=0.3, lift=test, leads=tuple(leads), runner_up=None, holds=False,
    )  # fmt: skip


def measure(values: list[float | None], unit: str = "share", baseline: float = 0.1) -> AtlasMeasure:
    return AtlasMeasure(
        label="Label", meaning="", unit=unit, n=1500, baseline=baseline, values=values, low=None,
        high=None,
    )  # fmt: skip


def rows(
    roles: list[AtlasRole], *relations: RelationRow, **measures: AtlasMeasure
) -> dict[str, Specialisation]:
    return {row.name: row for row in answer_questions(roles, relations, measures, HEADS)}


def test_every_specialisation_has_its_row() -> None:
    assert list(rows([])) == [question.name for question in QUESTIONS]
    assert all(row.best is None and not row.holds for row in rows([]).values())


def test_one_that_holds_names_its_roles_and_best_head() -> None:
    roles = [role("nsubj:head", evidence(0.8)), role("nsubj:pass:dependent", evidence(0.7, rank=1))]
    found = rows(roles, relation("nsubj", 0.9, 0.9, head=1))["subject-verb"]
    assert found.holds is True
    assert found.rows == ["nsubj:head", "nsubj:pass:dependent"]
    assert found.best is not None
    assert found.best.value == 0.7, "the one that is ahead most on the data that chooses"


def test_one_that_does_not_hold_names_the_best_head_all_the_same() -> None:
    lost = relation("obj", 0.04, 0.09, head=0), relation("obj", 0.09, 0.04, head=1)
    found = rows([], *lost)["verb-object"]
    assert (found.holds, found.rows) == (False, [])
    assert found.best is not None
    assert found.best.head == 1, "chosen on dev"
    assert found.best.evidence == (
        "objects → their verb: 34 % of 200 on the test set (95 % interval 30 to 40 %), not above "
        "the best simple rule, the word just before, 30 %."
    )
    assert found.best.lift == pytest.approx(0.04)


def test_a_measure_that_makes_no_role_is_shown() -> None:
    best = rows([], similarity=measure([0.1, 0.4, None, -0.2], "rank correlation"))[
        "semantic similarity"
    ].best
    assert best is not None
    assert (best.layer, best.head, best.value) == (0, 1, 0.4)
    assert best.evidence == "Label: 0.40, n = 1,500: not enough for a role."


def test_a_role_by_a_measure_answers_and_no_weaker_measure_is_shown_beside_it() -> None:
    found = rows([role("previous", evidence(0.6))], locality=measure([0.9, 0.1]))["local context"]
    assert found.holds
    assert found.best is not None
    assert found.best.value == 0.6


def test_of_several_measures_the_one_farthest_from_its_baseline_is_shown() -> None:
    found = rows([], next=measure([0.3, 0.2]), locality=measure([0.5, 0.45], baseline=0.4))
    best = found["local context"].best
    assert best is not None
    assert (best.value, best.evidence) == (0.3, "Label: 30 %, n = 1,500: not enough for a role.")


def test_one_that_nothing_was_measured_for_says_so() -> None:
    assert rows([])["copy"].best is None
    assert rows([], duplicate=measure([None, None]))["copy"].best is None


def test_a_subtype_is_not_taken_for_its_relation() -> None:
    assert rows([role("acl:head", evidence(0.9))])["relative clause"].holds is False
    assert rows([role("acl:relcl:head", evidence(0.9))])["relative clause"].holds is True


def test_pronouns_are_answered_by_the_role_they_have() -> None:
    assert rows([role("gap", evidence(0.7))])["pronoun resolution, coreference"].holds
