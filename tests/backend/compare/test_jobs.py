"""What is too much to compare, or has nothing in common, is refused before any model runs."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.compare import jobs as compare_runner
from backend.compare.jobs import CompareRunner
from backend.compare.schemas import CompareRequest
from backend.engine.session import Runs
from backend.settings import Settings
from backend.wire.errors import TooMuchToCompare
from mha_core.errors import HeadScopeError, NothingAligned


@pytest.fixture
def runs(settings_for: Callable[..., Settings]) -> Runs:
    return Runs(settings_for())


def asked(one: str, text: str, other: str, other_text: str) -> CompareRequest:
    sides: dict[str, Any] = {"one": {"model": one, "text": text}}
    sides["other"] = {"model": other, "text": other_text}
    return CompareRequest.model_validate(sides)


def refusal(runs: Runs, request: CompareRequest) -> HeadScopeError:
    with pytest.raises(HeadScopeError) as refused:
        CompareRunner(runs).compare(request)
    assert runs.analyses.n_bytes == 0  # nothing ran
    return refused.value


def test_two_models_may_not_take_for_ever(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = 72 * 16 * 2**2  # heads, heads, two words against two words
    monkeypatch.setattr(compare_runner, "MAX_CELLS", cells - 1)
    error = refusal(runs, asked("minilm", "a b", "headscope-tiny", "c d"))
    assert isinstance(error, TooMuchToCompare)
    assert error.code == "too_many_cells"
    assert error.details == {"cells": cells, "max_cells": cells - 1}
    assert "shorten the texts" in error.message
    fewer = asked("minilm", "me", "headscope-tiny", "me")
    assert len(CompareRunner(runs).compare(fewer).heads) == 72
    same = asked("minilm", "a b " * 50, "minilm", "c d " * 50)  # one model: no pairs of heads
    assert len(CompareRunner(runs).compare(same).heads) == 72


def test_the_longest_texts_of_the_usual_models_are_within_the_limit() -> None:
    longest = 512  # of minilm
    assert 72 * 270 * longest**2 <= compare_runner.MAX_CELLS


def test_texts_with_nothing_in_common_are_refused_before_any_run(runs: Runs) -> None:
    error = refusal(runs, asked("minilm", "[SEP]", "headscope-tiny", "[SEP]"))
    assert isinstance(error, NothingAligned)
