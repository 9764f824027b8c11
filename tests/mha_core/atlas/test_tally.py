"""Results made of arrays survive a file, nested ones too, and tallies add up."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mha_core.atlas.tally import Numbers, Tally


@dataclass(frozen=True, eq=False)
class Counted(Tally):
    heads: Numbers
    n: Numbers


@dataclass(frozen=True, eq=False)
class Both(Tally):
    names: NDArray[np.str_]
    first: Counted
    second: Counted


def counted(value: float) -> Counted:
    return Counted(np.full((2, 3), value), np.array(value))


def both(value: float, *names: str) -> Both:
    return Both(np.array(names), counted(value), counted(-value))


def test_tallies_add_up_field_by_field_and_leave_their_parts_alone() -> None:
    one, two = counted(1), counted(2)
    both = one + two
    assert (both.heads == 3).all()
    assert both.n == 3
    assert (one.heads == 1).all()
    assert two.n == 2


def test_a_result_comes_back_from_a_file_as_it_was(tmp_path: Path) -> None:
    kept = counted(0.25)
    np.savez(tmp_path / "kept.npz", **kept.arrays())  # type: ignore[arg-type]
    with np.load(tmp_path / "kept.npz") as file:
        back = Counted.from_arrays(file)
    assert (back.heads == 0.25).all()
    assert back.n == 0.25
    assert back.n.shape == ()


def test_tallies_of_tallies_add_up_and_come_back() -> None:
    total = both(1, "a", "b") + both(2, "a", "b")
    back = Both.from_arrays(total.arrays())
    assert set(total.arrays()) == {"names", "first.heads", "first.n", "second.heads", "second.n"}
    assert (back.first.heads == 3).all()
    assert back.second.n == -3
    assert back.names.tolist() == ["a", "b"]


def test_tallies_of_different_names_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="different names"):
        _ = both(1, "a", "b") + both(1, "a", "c")
