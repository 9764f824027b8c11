"""Choices of heads, one row a case: they are kept, so that any question can be scored later."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from mha_core.atlas.tally import Tally


@dataclass(frozen=True, eq=False)
class RowChoices(Tally):
    """A result with one row a case in every array: batches are put one after another, not added.

    It stands alone: a tally that it were a field of would add its numbers up.
    """

    def __add__(self, other: Self) -> Self:
        theirs = other.arrays()
        return self.from_arrays(
            {name: np.concatenate([array, theirs[name]]) for name, array in self.arrays().items()}
        )
