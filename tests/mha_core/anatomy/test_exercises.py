"""Every exercise has one right answer, which the code gives, and hints for other answers only."""

import json
import re

import pytest

from mha_core.anatomy.choice_exercises import CHOICE_EXERCISES, the_one_that_holds
from mha_core.anatomy.exercise import Exercise
from mha_core.anatomy.exercises import EXERCISES, find_exercise
from mha_core.anatomy.number_exercises import NUMBER_EXERCISES
from mha_core.atlas.roles import GROUPS
from mha_core.atlas.storage import SHIPPED
from mha_core.errors import NoSuchExercise

KNOWN_ANSWERS = {
    "width_of_a_head": 64,
    "does_it_divide": "no",
    "fused_parameters": 589_824,
    "cache_saving": 8,
    "what_a_head_reads": "all",
    "variance_of_scores": 64,
    "divided_by_root": "peaks",
    "third_token": 3,
    "row_sum": 1,
    "equal_scores": 0.5,
    "weighted_sum": 7,
    "what_w_o_does": "sum",
    "one_softmax": "two",
    "has_every_head_a_role": "no",
}
"""What a person who knows attention answers; the code computes its own."""

each = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)


def test_all_exercises_are_there_once_and_in_the_order_of_the_steps() -> None:
    ids = [exercise.id for exercise in EXERCISES]
    assert set(ids) == set(KNOWN_ANSWERS)
    assert len(ids) == len(KNOWN_ANSWERS)
    steps = [exercise.step for exercise in EXERCISES]
    assert steps == sorted(steps)
    assert set(steps) <= set(range(1, 13))


@each
def test_the_computed_answer_is_the_true_one(exercise: Exercise) -> None:
    answer = exercise.solution.answer
    assert answer == KNOWN_ANSWERS[exercise.id]
    assert exercise.check(str(answer)).right


@each
def test_hints_are_for_wrong_answers_only_and_each_can_be_reached(exercise: Exercise) -> None:
    hints = exercise.solution.hints
    assert hints
    for wrong, hint in hints.items():
        verdict = exercise.check(str(wrong))
        assert (verdict.right, verdict.hint) == (False, hint)


@pytest.mark.parametrize("exercise", CHOICE_EXERCISES, ids=lambda exercise: exercise.id)
def test_each_wrong_choice_has_a_hint(exercise: Exercise) -> None:
    wrong = exercise.choices.keys() - {exercise.solution.answer}
    assert exercise.solution.hints.keys() == wrong


@each
def test_texts_are_sentences(exercise: Exercise) -> None:
    assert exercise.question.endswith("?")
    for text in (exercise.solution.why, *exercise.solution.hints.values()):
        assert re.search(r"[.?]$", text), text
        assert "  " not in text


def test_forgetting_the_heads_is_recognised() -> None:
    verdict = find_exercise("width_of_a_head").check("768")
    assert verdict.hint is not None
    assert "divide by the heads" in verdict.hint


def test_the_reasons_hold_what_was_measured() -> None:
    assert "8 and 16" in find_exercise("does_it_divide").solution.why
    assert "16, 16, 16, 16 of 16 cases" in find_exercise("what_a_head_reads").solution.why
    assert "0.50 each" in find_exercise("one_softmax").solution.why
    assert "1, 2, 3, 4" in find_exercise("third_token").solution.why
    variance = re.search(r"([\d.]+) for q·k", find_exercise("variance_of_scores").solution.why)
    assert variance is not None
    assert float(variance[1]) == pytest.approx(64, rel=0.01)


def test_the_count_of_heads_with_a_role_is_that_of_the_shipped_atlas() -> None:
    sections = json.loads((SHIPPED / "minilm.json").read_text())["sections"].values()
    roles = [role for section in sections for role in section["roles"]]
    named = {(head["layer"], head["head"]) for role in roles for head in role["heads"]}
    idle = {group.id for group in GROUPS if group.idle}
    active = {
        (head["layer"], head["head"])
        for role in roles
        if role["group"] not in idle
        for head in role["heads"]
    }
    why = find_exercise("has_every_head_a_role").solution.why
    assert f"{len(named)} of 72 heads have a role, and for {len(named - active)} of them" in why


def test_a_choice_is_right_only_where_it_alone_holds() -> None:
    assert the_one_that_holds({"a": False, "b": True}) == "b"
    for tried in ({"a": True, "b": True}, {"a": False, "b": False}):
        with pytest.raises(ValueError, match="unpack"):
            the_one_that_holds(tried)


def test_an_unknown_exercise_is_an_error_that_lists_all() -> None:
    with pytest.raises(NoSuchExercise, match="width_of_a_head") as raised:
        find_exercise("gone")
    assert len(raised.value.details["available"]) == len(NUMBER_EXERCISES) + len(CHOICE_EXERCISES)
