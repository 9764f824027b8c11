"""Where the time of a request goes."""

import pytest

from backend import stopwatch
from backend.stopwatch import Stopwatch


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock set by hand: its only item is the time, in seconds."""
    now = [100.0]
    monkeypatch.setattr(stopwatch, "perf_counter", lambda: now[0])
    return now


def test_laps_of_the_same_name_add_up_and_the_total_is_all_of_it(clock: list[float]) -> None:
    watch = Stopwatch()
    for seconds in (0.25, 0.5):
        with watch.lap("queue"):
            clock[0] += seconds
    clock[0] += 1
    timing = watch.timing()
    assert (timing.queue_ms, timing.total_ms, timing.forward_ms) == (750, 1750, 0)


def test_the_first_frame_is_counted_from_the_start_of_the_run(clock: list[float]) -> None:
    watch = Stopwatch()
    clock[0] += 5
    with watch.lap("forward"):
        clock[0] += 0.125
        watch.frame()
        clock[0] += 0.125
        watch.frame()
    timing = watch.timing()
    assert (timing.first_frame_ms, timing.forward_ms) == (125, 250)


def test_a_lap_that_fails_is_timed_all_the_same(clock: list[float]) -> None:
    watch = Stopwatch()

    def fail() -> None:
        with watch.lap("load"):
            clock[0] += 2
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert watch.timing().load_ms == 2000
