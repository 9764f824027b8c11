"""Where the time of a request goes."""

import pytest

from backend.engine import stopwatch
from backend.engine.stopwatch import Stopwatch


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock set by hand: its only item is the time, in seconds."""
    now = [100.0]
    monkeypatch.setattr(stopwatch, "perf_counter", lambda: now[0])
    return now


def test_laps_of_the_same_name_add_up_and_the_total_is_all_of_it(clock: list[float]) -> None:
    stopwatch = Stopwatch()
    for seconds in (0.25, 0.5):
        with stopwatch.lap("queue"):
            clock[0] += seconds
    clock[0] += 1
    timing = stopwatch.timing()
    assert (timing.queue_ms, timing.total_ms, timing.forward_ms) == (750, 1750, 0)


def test_the_first_frame_is_counted_from_the_start_of_the_run(clock: list[float]) -> None:
    stopwatch = Stopwatch()
    clock[0] += 5
    with stopwatch.lap("forward"):
        clock[0] += 0.125
        stopwatch.frame()
        clock[0] += 0.125
        stopwatch.frame()
    timing = stopwatch.timing()
    assert (timing.first_frame_ms, timing.forward_ms) == (125, 250)


def test_a_lap_that_fails_is_timed_all_the_same(clock: list[float]) -> None:
    stopwatch = Stopwatch()

    def fail() -> None:
        with stopwatch.lap("load"):
            clock[0] += 2
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert stopwatch.timing().load_ms == 2000


def test_a_lap_inside_another_is_not_counted_twice(clock: list[float]) -> None:
    stopwatch = Stopwatch()
    with stopwatch.lap("forward"):
        clock[0] += 1
        with stopwatch.lap("queue"):
            clock[0] += 4
        clock[0] += 2
    timing = stopwatch.timing()
    assert (timing.forward_ms, timing.queue_ms, timing.total_ms) == (3000, 4000, 7000)
