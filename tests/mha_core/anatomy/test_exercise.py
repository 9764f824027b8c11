"""Answers are read as people write them; what cannot be read is said in words."""

import pytest

from mha_core.anatomy.exercise import Exercise, Solution, read_number
from mha_core.errors import UnreadableAnswer

NUMBER = Exercise("n", 1, "How many?", lambda: Solution(64, "So.", {768: "Divide.", 8.5: "Halve."}))
CHOICE = Exercise(
    "c", 1, "Which?", lambda: Solution("b", "So.", {"a": "Not that."}), {"a": "One", "b": "Both"}
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("64", 64),
        (" 64 ", 64),
        ("64.0", 64),
        ("+64", 64),
        ("-2", -2),
        (".5", 0.5),
        ("0.5", 0.5),
        ("1/2", 0.5),
        ("768 / 12", 64),
        ("50%", 0.5),
        ("50 %", 0.5),
        ("589,824", 589_824),
        ("1,234,567.5", 1_234_567.5),
        ("1e3", 1000),
        ("1E-3", 0.001),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, number: float) -> None:
    assert read_number(text) == number


UNREADABLE = (
    *("", " ", "many", "64 numbers", "0,5", "58,98", "1/0", "0/0", "/", "%", ".", "e5", "1e999"),
    *("nan", "inf", "Infinity", "1_000", "1//2", "0x10", "²", "٣", "--1", "1e999/1e999", "\ud800"),
)


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_is_no_number_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UnreadableAnswer, match="answer in digits, such as 64"):
        NUMBER.check(text)


def test_a_right_answer_has_a_reason_and_no_hint() -> None:
    verdict = NUMBER.check("768/12")
    assert (verdict.right, verdict.answer, verdict.why, verdict.hint) == (True, 64, "So.", None)


def test_a_known_mistake_gets_its_hint_and_another_none() -> None:
    assert [NUMBER.check(text).hint for text in ("768", "17/2", "65")] == [
        "Divide.",
        "Halve.",
        None,
    ]
    assert [NUMBER.check(text).right for text in ("768", "17/2", "65")] == [False] * 3
    assert NUMBER.check("768").answer == 64


@pytest.mark.parametrize("text", ["b", " B ", "Both", "both"])
def test_a_choice_is_named_by_its_id_or_its_text(text: str) -> None:
    verdict = CHOICE.check(text)
    assert (verdict.right, verdict.answer) == (True, "b")


def test_a_wrong_choice_gets_its_hint() -> None:
    verdict = CHOICE.check("One")
    assert (verdict.right, verdict.answer, verdict.hint) == (False, "b", "Not that.")


@pytest.mark.parametrize("text", ["c", "", "One or both", "0"])
def test_what_is_none_of_the_choices_is_refused_with_the_choices(text: str) -> None:
    with pytest.raises(UnreadableAnswer, match="send one of a, b") as raised:
        CHOICE.check(text)
    assert raised.value.details == {"choices": ["a", "b"]}


def test_a_solution_is_computed_once_and_only_when_it_is_needed() -> None:
    solved = []

    def solve() -> Solution:
        solved.append(1)
        return Solution(1, "So.")

    exercise = Exercise("s", 1, "?", solve)
    assert solved == []
    exercise.check("1")
    exercise.check("2")
    assert solved == [1]
