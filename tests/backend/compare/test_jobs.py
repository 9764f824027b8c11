"""What is too much to compare, or has nothing in common, is refused before any model runs."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.compare import jobs
from backend.compare.jobs import compare_runs
from backend.compare.schemas import CompareRequest
from backend.engine.session import Session
from backend.wire.errors import TooMuchToCompare
from mha_core.errors import HeadScopeError, NothingAligned


@pytest.fixture
def session(session_for: Callable[..., Session]) -> Session:
    return session_for()


def asked(one: str, text: str, other: str, other_text: str) -> CompareRequest:
    sides: dict[str, Any] = {"one": {"model": one, "text": text}}
    sides["other"] = {"model": other, "text": other_text}
    return CompareRequest.model_validate(sides)


def refusal(session: Session, request: CompareRequest) -> HeadScopeError:
    with pytest.raises(HeadScopeError) as refused:
        compare_runs(session, request)
    assert session.analyses.n_bytes == 0  # nothing ran
    return refused.value


def test_two_models_may_not_take_for_ever(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = 72 * 16 * 2**2  # heads, heads, two words against two words
    monkeypatch.setattr(jobs, "MAX_CELLS", cells - 1)
    error = refusal(session, asked("minilm", "a b", "headscope-tiny", "c d"))
    assert isinstance(error, TooMuchToCompare)
    assert error.code == "too_many_cells"
    assert error.details == {"cells": cells, "max_cells": cells - 1}
    assert "shorten the texts" in error.message
    fewer = asked("minilm", "me", "headscope-tiny", "me")
    assert len(compare_runs(session, fewer).heads) == 72
    same = asked("minilm", "a b " * 50, "minilm", "c d " * 50)  # one model: no pairs of heads
    assert len(compare_runs(session, same).heads) == 72


def test_the_longest_texts_of_the_usual_models_are_within_the_limit() -> None:
    longest = 512  # of minilm
    assert 72 * 270 * longest**2 <= jobs.MAX_CELLS


def test_texts_with_nothing_in_common_are_refused_before_any_run(session: Session) -> None:
    error = refusal(session, asked("minilm", "[SEP]", "headscope-tiny", "[SEP]"))
    assert isinstance(error, NothingAligned)
