"""A stopped run continues where it was and ends with the same numbers."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from mha_core.atlas import partial_results as module
from mha_core.atlas.partial_results import PartialResults
from mha_core.atlas.tally import Numbers, Tally
from mha_core.progress import silent


@dataclass(frozen=True, eq=False)
class Sum(Tally):
    value: Numbers


def one(value: float) -> Sum:
    return Sum(np.array(value))


class Stopped(Exception):
    pass


@pytest.mark.parametrize("seconds", [0, 1e9])  # between saves: stopping saves as well
def test_a_stopped_tally_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr(module, "SECONDS_BETWEEN_SAVES", seconds)
    counted: list[int] = []

    def count(batch: int) -> Sum:
        if batch == 3 and 3 not in counted:
            counted.append(3)
            raise Stopped
        counted.append(batch)
        return one(batch)

    run = {"model": "own"}
    with pytest.raises(Stopped):
        PartialResults(tmp_path / "partial", run).count("dev", Sum, [1, 2, 3, 4], count, silent)
    total = PartialResults(tmp_path / "partial", run).count("dev", Sum, [1, 2, 3, 4], count, silent)
    assert total.value == 10
    assert counted == [1, 2, 3, 3, 4]


def test_a_finished_tally_is_not_counted_again(tmp_path: Path) -> None:
    def refuse(batch: int) -> Sum:
        raise AssertionError(batch)

    first = PartialResults(tmp_path / "partial", {}).count("dev", Sum, [1, 2], one, silent)
    again = PartialResults(tmp_path / "partial", {}).count("dev", Sum, [1, 2], refuse, silent)
    assert again.value == first.value == 3


def test_partial_results_of_another_run_are_deleted(tmp_path: Path) -> None:
    PartialResults(tmp_path / "partial", {"seed": 0}).count("dev", Sum, [1, 2], one, silent)
    other = PartialResults(tmp_path / "partial", {"seed": 1}).count("dev", Sum, [5], one, silent)
    assert other.value == 5


def test_a_run_killed_while_it_writes_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(path: Path, text: str) -> None:
        path.write_bytes(b"")
        raise Stopped

    def computed(part: str) -> float:
        partial = PartialResults(tmp_path / "partial", {})
        return float(partial.compute(part, Sum, lambda: one(3)).value)

    for part in ("first", "second"):  # killed over what the run is, then over its seconds
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_text", killed)
            with pytest.raises(Stopped):
                computed(part)
        assert computed(part) == 3


def test_a_result_is_computed_once(tmp_path: Path) -> None:
    made = []

    def make() -> Sum:
        made.append(1)
        return one(3)

    partial = PartialResults(tmp_path / "partial", {})
    assert partial.compute("part", Sum, make).value == 3
    assert partial.compute("part", Sum, make).value == 3
    assert made == [1]
    partial.delete()
    assert not (tmp_path / "partial").exists()


def test_parts_may_have_any_name(tmp_path: Path) -> None:
    names = ("org/name dev", "org-name-dev", "../x", "größe %2F.a")
    partial = PartialResults(tmp_path / "partial", {})
    for number, part in enumerate(names):
        partial.compute(part, Sum, lambda number=number: one(number))
    kept = [partial.compute(part, Sum, lambda: one(-1)).value for part in names]
    assert kept == [0, 1, 2, 3]
    assert list(tmp_path.iterdir()) == [tmp_path / "partial"]


def test_progress_is_reported_to_the_end(tmp_path: Path) -> None:
    news: list[tuple[str, int, int]] = []
    report = lambda *item: news.append(item)  # noqa: E731
    PartialResults(tmp_path / "partial", {}).count("dev", Sum, [1, 2], one, report)
    assert news == [("dev", 0, 2), ("dev", 1, 2), ("dev", 2, 2)]


def test_nothing_to_count_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing to count"):
        PartialResults(tmp_path / "partial", {}).count("dev", Sum, [], one, silent)


def test_the_time_of_stopped_parts_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr(module, "monotonic", lambda: next(clock))
    PartialResults(tmp_path / "partial", {}).compute("part", Sum, lambda: one(3))
    again = PartialResults(tmp_path / "partial", {})
    assert again.seconds == 20  # ten of each: the clock goes on by ten with each look
