"""Results made of arrays survive a file and add up."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mha_core.atlas.ledger import Tally
from mha_core.atlas.sums import Numbers, Sums


@dataclass(frozen=True, eq=False)
class Counted(Sums):
    heads: Numbers
    n: Numbers


def counted(value: float) -> Counted:
    return Counted(np.full((2, 3), value), np.array(value))


def test_sums_add_up_field_by_field_and_leave_their_parts_alone() -> None:
    one, two = counted(1), counted(2)
    both = one + two
    assert (both.heads == 3).all()
    assert both.n == 3
    assert (one.heads == 1).all()
    assert two.n == 2


def test_a_result_comes_back_from_a_file_as_it_was(tmp_path: Path) -> None:
    kept: Tally = counted(0.25)
    np.savez(tmp_path / "kept.npz", **kept.arrays())  # type: ignore[arg-type]
    with np.load(tmp_path / "kept.npz") as file:
        back = Counted.from_arrays(file)
    assert (back.heads == 0.25).all()
    assert back.n == 0.25
    assert back.n.shape == ()
