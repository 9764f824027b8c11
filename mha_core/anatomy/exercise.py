"""An exercise about attention: a question, an answer that code computes, hints for mistakes."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mha_core.errors import UnreadableAnswer

_NUMBER = r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d+)?"
_READABLE = re.compile(rf"({_NUMBER})(?:\s*/\s*({_NUMBER}))?\s*(%?)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class Solution:
    """The right answer, a number or the id of a choice; why; and hints by wrong answer."""

    answer: float | str
    why: str
    hints: Mapping[float | str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right; `hint` is None where the mistake is not recognised."""

    right: bool
    answer: float | str
    why: str
    hint: str | None


@dataclass(frozen=True)
class Exercise:
    """One question; `choices` are texts by id, none where the answer is a number."""

    id: str
    step: int  # of the walk through attention, from 1
    question: str
    solve: Callable[[], Solution]
    choices: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def solution(self) -> Solution:
        """Computed when it is first needed."""
        return self.solve()

    def check(self, text: str) -> Verdict:
        """Compare an answer with the right one; raises UnreadableAnswer."""
        given = self._read(text)
        solution = self.solution
        hints = (hint for wrong, hint in solution.hints.items() if _equal(given, wrong))
        right = _equal(given, solution.answer)
        hint = None if right else next(hints, None)
        return Verdict(right, solution.answer, solution.why, hint)

    def _read(self, text: str) -> float | str:
        """The number, or the id of the choice, that a text names."""
        if not self.choices:
            return read_number(text)
        wanted = text.strip().casefold()
        for id, choice in self.choices.items():
            if wanted in (id.casefold(), choice.casefold()):
                return id
        ids = ", ".join(self.choices)
        raise UnreadableAnswer(
            f"“{text}” is none of the choices: send one of {ids}.", choices=list(self.choices)
        )


def read_number(text: str) -> float:
    """The number in a text such as 64, 589,824, 0.5, 1/2 or 50 %; raises UnreadableAnswer."""
    found = _READABLE.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError(text)
        above, below, percent = found.groups()
        number = _plain(above) / (1 if below is None else _plain(below))
        if not math.isfinite(number):
            raise ValueError(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise UnreadableAnswer(
            f"“{text}” cannot be read as a number: answer in digits, such as 64, 0.5 or 1/2."
        ) from None
    return number / 100 if percent else number


def _plain(digits: str) -> float:
    return float(digits.replace(",", ""))


def _equal(given: float | str, other: float | str) -> bool:
    if isinstance(given, str) or isinstance(other, str):
        return given == other
    return math.isclose(given, other, rel_tol=1e-6, abs_tol=1e-9)
