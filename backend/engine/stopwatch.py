"""Where the time of one request goes."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from backend.wire.schemas import Timing


class Stopwatch:
    """Starts when created; laps of the same name add up, and a lap inside another is its own."""

    def __init__(self) -> None:
        self._began = perf_counter()
        self._within = 0.0  # time of laps inside the present one
        self._laps = {"load": 0.0, "tokenize": 0.0, "queue": 0.0, "forward": 0.0}
        self._first_frame = 0.0
        self._forward_began = self._began

    @contextmanager
    def lap(self, name: str) -> Iterator[None]:
        began, around, self._within = perf_counter(), self._within, 0.0
        if name == "forward":
            self._forward_began = began
        try:
            yield
        finally:
            seconds = perf_counter() - began
            self._laps[name] += seconds - self._within
            self._within = around + seconds

    def frame(self) -> None:
        """Note that a map is ready; only the first counts."""
        self._first_frame = self._first_frame or perf_counter() - self._forward_began

    def timing(self) -> Timing:
        laps = {f"{name}_ms": _ms(seconds) for name, seconds in self._laps.items()}
        return Timing(
            **laps,
            first_frame_ms=_ms(self._first_frame),
            total_ms=_ms(perf_counter() - self._began),
        )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
