"""What is claimed of a head follows from its contest with the rules, with all numbers told."""

import numpy as np
import pytest

from mha_core.atlas.claims import Outcome, Task
from mha_core.atlas.contest import Answers, Booleans, Contest

N = 1000
TASK = Task(
    id="obj:dependent",
    relation="obj",
    direction="dependent",
    group="syntax",
    label="object → verb",
    claim="objects → their verb",
    splits=("the dev set", "the test set"),
    rules=["the word just before", "the previous long word"],
    usual=[0],
    n_heads=2,
)


def right(share: float, n: int = N) -> Booleans:
    """The first cases, of as many groups: who is better is right wherever others are."""
    return np.arange(n) < round(share * n)


def answers(heads: list[float], rules: list[float], n: int = N) -> Answers:
    return Answers(
        np.stack([right(share, n) for share in heads], 1),
        np.stack([right(share, n) for share in rules], 1),
        np.arange(n),
    )


def outcome(dev: list[float], test: list[float], rules: list[float], n: int = N) -> Outcome:
    return Outcome(TASK, Contest(answers(dev, rules, n), answers(test, rules, n)))


# Two layers of two heads: ahead, just ahead, ahead most of all on dev, hopeless.
FOUR = outcome([0.7, 0.6, 0.8, 0.1], [0.75, 0.6, 0.6, 0.1], [0.2, 0.5])


def test_only_heads_that_are_ahead_on_both_splits_have_the_role_best_on_dev_first() -> None:
    role = FOUR.role()
    assert role is not None
    assert (role.id, role.group, role.label, role.claim) == (
        *("obj:dependent", "syntax", "object → verb"),
        "objects → their verb",
    )
    assert [(head.layer, head.head) for head in role.heads] == [(1, 0), (0, 0), (0, 1)]
    assert [head.rank for head in role.heads] == pytest.approx([0.3, 0.2, 0.1])


def test_the_evidence_tells_both_accuracies_and_the_difference_on_both_splits() -> None:
    head = FOUR.evidence(0)
    assert (head.value, head.baseline, head.n) == (0.75, 0.5, N)
    assert head.lift == pytest.approx(0.25)
    assert head.split == "the test set"
    assert head.evidence == (
        "objects → their verb: 75 % of 1,000 on the test set (95 % interval 72 to 78 %); the best "
        "simple rule, the previous long word, 50 %. Head minus rule 25.0 points (22.4 to 27.8); on "
        "the dev set 20.0 points (17.6 to 22.5)."
    )
    assert FOUR.evidence(0, " A note.").evidence.endswith(" points (17.6 to 22.5). A note.")


def test_notes_end_the_evidence_of_their_heads() -> None:
    role = FOUR.role({0: " A note."})
    assert role is not None
    noted = [head for head in role.heads if head.evidence.endswith(" A note.")]
    assert [(head.layer, head.head) for head in noted] == [(0, 0)]


def test_a_row_has_the_head_that_is_best_on_dev_whether_it_wins_or_not() -> None:
    lost = outcome([0.7, 0.6, 0.8, 0.1], [0.75, 0.6, 0.55, 0.1], [0.2, 0.5])
    row = lost.row()
    assert (row.layer, row.head, row.holds) == (1, 0, False)
    assert (row.accuracy, row.baseline, row.rule) == (0.55, 0.5, "the previous long word")
    assert row.lift == pytest.approx(0.05)
    assert [lead.split for lead in row.leads] == ["the dev set", "the test set"]
    assert [lead.difference for lead in row.leads] == pytest.approx([0.3, 0.05])
    assert row.runner_up is not None
    assert (row.runner_up.layer, row.runner_up.head, row.runner_up.accuracy) == (0, 0, 0.75)
    role = lost.role()
    assert role is not None, "of another head"
    assert FOUR.row().holds


def test_the_only_head_of_a_model_has_no_runner_up() -> None:
    assert outcome([0.7], [0.7], [0.2, 0.5]).row().runner_up is None


def test_heads_above_the_usual_baseline_but_not_the_best_rule_are_told() -> None:
    rows = outcome([0.58, 0.5, 0.25, 0.7], [0.58, 0.5, 0.58, 0.7], [0.2, 0.5]).not_above()
    assert [(row.layer, row.head) for row in rows] == [(0, 0), (0, 1)]
    ahead, same = rows
    assert ahead.rule == "the previous long word"
    assert ahead.evidence.startswith("Not far enough above the best simple rule. objects")
    assert [lead.difference for lead in ahead.leads] == pytest.approx([0.08, 0.08])
    assert same.evidence == (
        "Not above the best simple rule. objects → their verb: 50 % of 1,000 on the test set "
        "(95 % interval 47 to 53 %); the best simple rule, the previous long word, 50 %. Head "
        "minus rule 0.0 points (0.0 to 0.0); on the dev set 0.0 points (0.0 to 0.0)."
    )


def test_the_usual_baseline_must_be_beaten_clearly() -> None:
    # By 10 points, with the lower end of the accuracy's own interval.
    assert outcome([0.32], [0.32], [0.2, 0.5]).not_above() == []
    assert len(outcome([0.35], [0.35], [0.2, 0.5]).not_above()) == 1


def test_where_the_best_rule_is_a_usual_one_a_head_wins_or_is_not_told() -> None:
    assert outcome([0.5, 0.7], [0.5, 0.7], [0.5, 0.2]).not_above() == []


def test_few_cases_are_no_claim() -> None:
    few = outcome([1.0, 0.0], [1.0, 0.0], [0.2, 0.5], 99)
    assert not few.is_asked
    assert few.role() is None
    assert few.not_above() == []
    measure = few.measure("Label", "Meaning.", "share")
    assert (measure.n, measure.baseline) == (99, None)
    assert measure.values.tolist() == [[1, 0]]


def test_a_measure_is_the_accuracy_of_every_head_on_test() -> None:
    measure = FOUR.measure("Label", "Meaning.", "share of words")
    assert measure.values.tolist() == [[0.75, 0.6], [0.6, 0.1]]
    assert (measure.n, measure.baseline) == (N, 0.5)
    assert (measure.low < measure.values).all()
    assert (measure.high > measure.values).all()


def test_both_splits_together_are_told_where_they_are_halves_of_one_file() -> None:
    dev, test = (answers([0.7], [0.2, 0.5]) for _ in range(2))
    both = Answers(
        np.concatenate([dev.heads, test.heads]),
        np.concatenate([dev.rules, test.rules]),
        np.arange(2 * N),
    )
    halves = Outcome(TASK, Contest(dev, test), both)
    assert [(lead.split, lead.n) for lead in halves.row().leads] == [
        ("the dev set", N),
        ("the test set", N),
        ("both together", 2 * N),
    ]
    assert "; on both together 20.0 points (18.2 to 21.9)." in halves.evidence(0).evidence
