"""Where the time of one request goes. This file must not know what is being timed."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from backend.wire.schemas import Timing


class Stopwatch:
    """Starts when made; laps of the same name add up."""

    def __init__(self) -> None:
        self._began = perf_counter()
        self._laps = {"load": 0.0, "tokenize": 0.0, "queue": 0.0, "forward": 0.0}
        self._first_frame = 0.0
        self._forward_began = self._began

    @contextmanager
    def lap(self, name: str) -> Iterator[None]:
        """Time what happens inside."""
        began = perf_counter()
        if name == "forward":
            self._forward_began = began
        try:
            yield
        finally:
            self._laps[name] += perf_counter() - began

    def frame(self) -> None:
        """A map is ready; only the first is noted."""
        self._first_frame = self._first_frame or perf_counter() - self._forward_began

    def timing(self) -> Timing:
        """The laps so far, in milliseconds."""
        laps = {f"{name}_ms": _ms(seconds) for name, seconds in self._laps.items()}
        return Timing(
            **laps,
            first_frame_ms=_ms(self._first_frame),
            total_ms=_ms(perf_counter() - self._began),
        )


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
