"""What a measurement is, and how two things are timed against each other on a busy machine.

This file must not know what is measured.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Row:
    """A line of the table; `kept` is None where nothing could be measured."""

    what: str
    measured: str
    target: str
    kept: bool | None


@dataclass(frozen=True)
class Comparison:
    """Times of two things done in turns, in seconds."""

    ours: list[float]
    floor: list[float]

    @property
    def ratio(self) -> float:
        """The middle one of the ratios of neighbours, which share the machine's other load."""
        return median(a / b for a, b in zip(self.ours, self.floor, strict=True))

    @property
    def times(self) -> str:
        """Both medians, for people."""
        return f"{median(self.ours) * 1000:.0f} ms against {median(self.floor) * 1000:.0f} ms"


def compare(ours: Callable[[], object], floor: Callable[[], object], repeats: int) -> Comparison:
    """Time both in turns, first one then the other in front, after a round that is not counted.

    In a thread of its own, as the server works: large memory freed in the main thread goes back to
    the system each time, and getting it again page by page would be most of what is measured.
    """
    with ThreadPoolExecutor(1) as worker:
        return worker.submit(_in_turns, ours, floor, repeats).result()


def _in_turns(ours: Callable[[], object], floor: Callable[[], object], repeats: int) -> Comparison:
    ours(), floor()
    times: dict[Callable[[], object], list[float]] = {ours: [], floor: []}
    for turn in range(repeats):
        for work in (ours, floor) if turn % 2 else (floor, ours):
            began = perf_counter()
            work()
            times[work].append(perf_counter() - began)
    return Comparison(times[ours], times[floor])


def table(rows: Iterable[Row]) -> Iterator[str]:
    """The rows as Markdown, line by line as they come."""
    words = {True: "yes", False: "**no**", None: "not measured"}
    yield "| What | Measured | Target | Kept |"
    yield "|---|---|---|---|"
    for row in rows:
        yield f"| {row.what} | {row.measured} | {row.target} | {words[row.kept]} |"
