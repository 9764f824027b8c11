"""How things are timed against each other, and the table that tells it."""

import pytest

from benchmarks.__main__ import BENCHMARKS, main
from benchmarks.measure import Comparison, Row, compare, table


def test_both_are_done_in_turns_each_in_front_as_often_as_the_other() -> None:
    done: list[str] = []
    comparison = compare(lambda: done.append("ours"), lambda: done.append("floor"), repeats=4)
    assert done[2:] == ["floor", "ours", "ours", "floor"] * 2
    assert len(comparison.ours) == len(comparison.floor) == 4


def test_a_burst_of_other_load_does_not_move_the_ratio() -> None:
    quiet = Comparison(ours=[1.1, 1.1, 1.1], floor=[1.0, 1.0, 1.0])
    burst = Comparison(ours=[1.1, 5.5, 1.1], floor=[1.0, 5.0, 1.0])
    assert burst.ratio == pytest.approx(quiet.ratio)


def test_the_table_is_markdown_with_a_line_a_row() -> None:
    lines = list(table([Row("a", "1.00x", "at most 2x", True), Row("b", "3.00x", "2x", False)]))
    assert {line.count("|") for line in lines} == {5}
    assert lines[2:] == ["| a | 1.00x | at most 2x | yes |", "| b | 3.00x | 2x | **no** |"]


def test_an_unknown_benchmark_is_answered_with_those_there_are() -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["nonsense"])
    assert all(name in str(stopped.value) for name in ("nonsense", *BENCHMARKS))
