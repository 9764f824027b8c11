"""The comparison gives its slot back between rounds and stops when nobody wants it any more."""

import threading
from collections.abc import Callable
from statistics import median

import pytest
import torch

from backend.engine.session import Resources, Session
from backend.engine.stopwatch import Stopwatch
from backend.lessons.jobs import calculate, compare_loops, list_presets
from backend.lessons.schemas import (
    CalculatorRequest,
    LoopsDone,
    LoopsEvent,
    LoopsRequest,
    LoopsRound,
    LoopsStart,
)
from backend.settings import Settings
from mha_core.anatomy.loops import LoopComparison
from mha_core.errors import Cancelled, OutOfMemory

PATIENCE = 60
REQUEST = LoopsRequest(request=3, d_model=32, n_heads=4, n_tokens=8, causal=True, rounds=5)


def events_of(session: Session, request: LoopsRequest = REQUEST) -> list[LoopsEvent]:
    events: list[LoopsEvent] = []
    compare_loops(session, request, events.append)
    return events


def test_medians_and_ratios_are_those_of_the_rounds(
    session_for: Callable[..., Session],
) -> None:
    start, *rounds, done = events_of(session_for())
    assert isinstance(start, LoopsStart)
    assert isinstance(done, LoopsDone)
    times = [it for it in rounds if isinstance(it, LoopsRound)]
    assert [it.round for it in times] == [0, 1, 2, 3, 4]
    assert done.medians.loop_ms == median(it.loop_ms for it in times)
    assert done.medians.kernel_ms == median(it.kernel_ms for it in times)
    assert done.ratios.loop_to_fused == median(it.loop_ms / it.fused_ms for it in times)
    assert done.ratios.loop_to_kernel == median(it.loop_ms / it.kernel_ms for it in times)
    assert done.ratios.fused_to_kernel == median(it.fused_ms / it.kernel_ms for it in times)


def test_others_run_between_two_rounds(settings_for: Callable[..., Settings]) -> None:
    """With one slot, whoever waits during a round has it before the next one."""
    resources = Resources(settings_for(workers=1))
    waiting, order = threading.Event(), list[str]()

    def ask() -> None:
        waiting.set()
        with Session(resources).slot(Stopwatch()):
            order.append("another")

    other = threading.Thread(target=ask)

    class Noting(LoopComparison):
        def time_round(self, number: int) -> dict[str, float]:  # type: ignore[override]
            order.append(f"round {number}")
            if number == 1:
                other.start()
                assert waiting.wait(PATIENCE)
                wait_for_queue(resources, 1)
            return super().time_round(number)  # type: ignore[return-value]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("backend.lessons.jobs.LoopComparison", Noting)
        events_of(Session(resources))
    other.join(PATIENCE)
    assert order == ["round 0", "round 1", "another", "round 2", "round 3", "round 4"]


def wait_for_queue(resources: Resources, n: int) -> None:
    """Until so many wait for a slot."""
    while len(resources.slots._waiting) < n:
        threading.Event().wait(0.001)


def test_a_cancelled_comparison_stops_at_its_next_round(
    settings_for: Callable[..., Settings],
) -> None:
    cancelled, events = threading.Event(), list[LoopsEvent]()
    session = Session(Resources(settings_for()), cancelled)

    def emit(event: LoopsEvent) -> None:
        events.append(event)
        if isinstance(event, LoopsRound) and event.round == 1:
            cancelled.set()

    with pytest.raises(Cancelled):
        compare_loops(session, REQUEST, emit)
    assert [type(event) for event in events] == [LoopsStart, LoopsRound, LoopsRound]


def test_a_slot_is_free_again_after_a_cancelled_comparison(
    settings_for: Callable[..., Settings],
) -> None:
    resources, cancelled = Resources(settings_for(workers=1)), threading.Event()
    with pytest.raises(Cancelled):
        compare_loops(Session(resources, cancelled), REQUEST, lambda _: cancelled.set())
    assert len(events_of(Session(resources))) == 7


def test_too_little_memory_is_an_error_with_a_remedy(
    session_for: Callable[..., Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise torch.OutOfMemoryError("Tried to allocate 20.00 GiB.")

    monkeypatch.setattr("backend.lessons.jobs.LoopComparison", fail)
    with pytest.raises(OutOfMemory, match="choose fewer tokens"):
        events_of(session_for())


def test_other_failures_are_not_taken_for_too_little_memory(
    session_for: Callable[..., Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("another reason")

    monkeypatch.setattr("backend.lessons.jobs.LoopComparison", fail)
    with pytest.raises(RuntimeError, match="another reason"):
        events_of(session_for())


def test_the_installed_models_are_listed_after_the_published_ones(
    session_for: Callable[..., Session],
) -> None:
    presets = list_presets(session_for(), None).presets
    ids = [preset.id for preset in presets]
    assert ids[:2] == ["transformer", "bert-base-uncased"]
    assert ids[-3:] == ["minilm", "smollm2", "headscope-tiny"]
    smollm2 = next(preset for preset in presets if preset.id == "smollm2")
    assert (smollm2.n_heads, smollm2.n_kv_heads, smollm2.bias) == (9, 3, False)


def test_a_preset_can_be_calculated_as_it_is(session_for: Callable[..., Session]) -> None:
    for preset in list_presets(session_for(), None).presets:
        sizes = {name: getattr(preset, name) for name in ("d_model", "n_heads", "n_kv_heads")}
        more = {"n_layers": preset.n_layers, "n_tokens": preset.max_tokens or 512}
        request = CalculatorRequest(**sizes, **more, bias=preset.bias)
        assert calculate(session_for(), request).divides
