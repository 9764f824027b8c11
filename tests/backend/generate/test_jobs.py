"""Between two tokens of a text others may run."""

import threading
from collections.abc import Callable

import pytest

from backend.engine.session import Resources, Session
from backend.engine.stopwatch import Stopwatch
from backend.generate.jobs import generate_tokens
from backend.generate.schemas import GenerateDone, GenerateEvent, GenerateRequest, GenerateToken
from backend.settings import Settings
from mha_core.errors import Cancelled

REQUEST = GenerateRequest(request=1, model="headscope-tiny", text="The cat", n=6)


@pytest.fixture
def resources(settings_for: Callable[..., Settings]) -> Resources:
    return Resources(settings_for(workers=1))


def use_the_slot(resources: Resources) -> None:
    """Hold the only slot for a moment; fails where it is taken."""
    impatient = threading.Event()
    impatient.set()
    with Session(resources, impatient).slot(Stopwatch()):
        pass


def test_the_slot_is_free_while_a_token_is_sent(resources: Resources) -> None:
    events: list[GenerateEvent] = []

    def emit(event: GenerateEvent) -> None:
        use_the_slot(resources)
        events.append(event)

    generate_tokens(Session(resources), REQUEST, emit)
    assert sum(isinstance(event, GenerateToken) for event in events) == 6
    assert isinstance(events[-1], GenerateDone)


@pytest.mark.parametrize("n_sent", [1, 2, 5])
def test_nothing_is_sent_once_nobody_wants_it(n_sent: int, resources: Resources) -> None:
    events: list[GenerateEvent] = []
    cancelled = threading.Event()

    def emit(event: GenerateEvent) -> None:
        events.append(event)
        if sum(isinstance(event, bytes) for event in events) == n_sent:
            cancelled.set()

    with pytest.raises(Cancelled):
        generate_tokens(Session(resources, cancelled), REQUEST, emit)
    assert sum(isinstance(event, GenerateToken) for event in events) == n_sent
    use_the_slot(resources)  # given back
