"""Results made of arrays: they go into a file as arrays, and those that count also add up.

This file must not know what is counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Kept:
    """A result all of whose fields are arrays."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The fields by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The result whose fields were kept."""
        return cls(**{field.name: arrays[field.name] for field in fields(cls)})


@dataclass(frozen=True, eq=False)
class Sums(Kept):
    """A result all of whose fields are sums over texts."""

    def __add__(self, other: Self) -> Self:
        theirs = other.arrays()
        return type(self)(**{name: mine + theirs[name] for name, mine in self.arrays().items()})
