"""A stopped run goes on where it was and ends with the same numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mha_core.atlas import ledger as module
from mha_core.atlas.ledger import Ledger
from mha_core.progress import silent


@dataclass
class Sum:
    value: float

    def __add__(self, other: "Sum") -> "Sum":
        return Sum(self.value + other.value)

    def arrays(self) -> dict[str, Any]:
        return {"value": np.array([self.value])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Any]) -> "Sum":
        return Sum(float(arrays["value"][0]))


class Stopped(Exception):
    pass


def test_a_stopped_tally_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SECONDS_BETWEEN_SAVES", 0)
    counted: list[int] = []

    def count(batch: int) -> Sum:
        if batch == 3 and 3 not in counted:
            counted.append(3)
            raise Stopped
        counted.append(batch)
        return Sum(batch)

    run = {"model": "own"}
    with pytest.raises(Stopped):
        Ledger(tmp_path / "notes", run).tally("dev", Sum, [1, 2, 3, 4], count, silent)
    total = Ledger(tmp_path / "notes", run).tally("dev", Sum, [1, 2, 3, 4], count, silent)
    assert total == Sum(10)
    assert counted == [1, 2, 3, 3, 4]


def test_a_finished_tally_is_not_counted_again(tmp_path: Path) -> None:
    def refuse(batch: int) -> Sum:
        raise AssertionError(batch)

    first = Ledger(tmp_path / "notes", {}).tally("dev", Sum, [1, 2], Sum, silent)
    assert Ledger(tmp_path / "notes", {}).tally("dev", Sum, [1, 2], refuse, silent) == first


def test_notes_of_another_run_are_thrown_away(tmp_path: Path) -> None:
    Ledger(tmp_path / "notes", {"seed": 0}).tally("dev", Sum, [1, 2], Sum, silent)
    other = Ledger(tmp_path / "notes", {"seed": 1}).tally("dev", Sum, [5], Sum, silent)
    assert other == Sum(5)


def test_a_run_killed_while_it_writes_a_note_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(path: Path, text: str) -> None:
        path.write_bytes(b"")
        raise Stopped

    def note(part: str) -> list[int]:
        made = Ledger(tmp_path / "notes", {}).once(part, lambda: {"x": np.arange(3)})
        return made["x"].tolist()

    for part in ("first", "second"):  # killed over what the run is, then over its seconds
        with monkeypatch.context() as patch:
            patch.setattr(Path, "write_text", killed)
            with pytest.raises(Stopped):
                note(part)
        assert note(part) == [0, 1, 2]


def test_what_is_made_in_one_go_is_made_once(tmp_path: Path) -> None:
    made = []

    def make() -> dict[str, Any]:
        made.append(1)
        return {"x": np.arange(3)}

    notes = Ledger(tmp_path / "notes", {})
    assert notes.once("part", make)["x"].tolist() == [0, 1, 2]
    assert notes.once("part", make)["x"].tolist() == [0, 1, 2]
    assert made == [1]
    notes.close()
    assert not (tmp_path / "notes").exists()


def test_parts_may_have_any_name(tmp_path: Path) -> None:
    for number, part in enumerate(names := ("org/name dev", "org-name-dev", "../x", "größe %2F.a")):
        Ledger(tmp_path / "notes", {}).once(part, lambda number=number: {"x": np.array(number)})
    kept = [Ledger(tmp_path / "notes", {}).once(part, dict)["x"] for part in names]
    assert kept == [0, 1, 2, 3]
    assert list(tmp_path.iterdir()) == [tmp_path / "notes"]


def test_progress_is_told_to_the_end(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    tell = lambda *news: told.append(news)  # noqa: E731
    Ledger(tmp_path / "notes", {}).tally("dev", Sum, [1, 2], Sum, tell)
    assert told == [("dev", 0, 2), ("dev", 1, 2), ("dev", 2, 2)]


def test_nothing_to_count_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nothing to count"):
        Ledger(tmp_path / "notes", {}).tally("dev", Sum, [], Sum, silent)


def test_the_time_of_stopped_parts_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr(module, "monotonic", lambda: next(clock))
    Ledger(tmp_path / "notes", {}).once("part", lambda: {"x": np.arange(3)})
    again = Ledger(tmp_path / "notes", {})
    assert again.seconds == 20  # ten of each: the clock goes on by ten with each look
