"""Timing of two functions against each other on a busy machine, and the table of results."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Row:
    """A row of the table; `kept` (the target was met) is None where there is nothing to keep."""

    what: str
    measured: str
    target: str
    kept: bool | None


@dataclass(frozen=True)
class Comparison:
    """Times of two functions run alternately, in seconds."""

    ours: list[float]
    floor: list[float]

    @property
    def ratio(self) -> float:
        """The median ratio of neighbouring runs, which share the machine's other load."""
        return median(a / b for a, b in zip(self.ours, self.floor, strict=True))

    @property
    def times(self) -> str:
        return f"{median(self.ours) * 1000:.0f} ms against {median(self.floor) * 1000:.0f} ms"


def compare(ours: Callable[[], object], floor: Callable[[], object], repeats: int) -> Comparison:
    """Time both alternately, each first as often as the other, after an uncounted warm-up round."""
    ours(), floor()
    times: dict[Callable[[], object], list[float]] = {ours: [], floor: []}
    for turn in range(repeats):
        for work in (ours, floor) if turn % 2 else (floor, ours):
            began = perf_counter()
            work()
            times[work].append(perf_counter() - began)
    return Comparison(times[ours], times[floor])


def table(rows: Iterable[Row]) -> Iterator[str]:
    """The lines of a Markdown table."""
    words = {True: "yes", False: "**no**", None: "-"}
    yield "| What | Measured | Target | Kept |"
    yield "|---|---|---|---|"
    for row in rows:
        yield f"| {row.what} | {row.measured} | {row.target} | {words[row.kept]} |"
