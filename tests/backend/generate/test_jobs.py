"""Between two tokens of a text others have their turn."""

from collections.abc import Callable

import pytest

from backend.engine.session import Runs
from backend.engine.stopwatch import Stopwatch
from backend.generate.jobs import GenerationRunner
from backend.generate.schemas import GenerateDone, GenerateEvent, GenerateRequest, GenerateToken
from backend.settings import Settings
from mha_core.errors import Cancelled

REQUEST = GenerateRequest(request=1, model="headscope-tiny", text="The cat", n=6)


def never() -> None:
    """The check of who must not have to wait."""
    raise AssertionError("the worker's place is taken")


def test_the_workers_place_is_free_while_a_token_is_told(
    settings_for: Callable[..., Settings],
) -> None:
    runs = Runs(settings_for(workers=1))
    events: list[GenerateEvent] = []

    def emit(event: GenerateEvent) -> None:
        with runs.turn(Stopwatch(), never):
            events.append(event)

    GenerationRunner(runs).generate(REQUEST, emit, lambda: None)
    assert sum(isinstance(event, GenerateToken) for event in events) == 6
    assert isinstance(events[-1], GenerateDone)


@pytest.mark.parametrize("n_told", [1, 2, 5])
def test_nothing_is_told_once_nobody_wants_it(
    n_told: int, settings_for: Callable[..., Settings]
) -> None:
    runs = Runs(settings_for(workers=1))
    events: list[GenerateEvent] = []

    def check() -> None:
        if sum(isinstance(event, bytes) for event in events) == n_told:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        GenerationRunner(runs).generate(REQUEST, events.append, check)
    assert sum(isinstance(event, GenerateToken) for event in events) == n_told
    with runs.turn(Stopwatch(), never):
        pass  # given back
