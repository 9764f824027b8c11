"""Results of a corpus run that are made of arrays: they are saved as arrays, and tallies add up."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self, get_type_hints

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Integers = NDArray[np.int64]
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class ArrayResult:
    """A result whose fields are arrays, or results of arrays in turn."""

    def arrays(self) -> Arrays:
        """All arrays by name; those of a nested result are called `field.name`."""
        found: Arrays = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, ArrayResult):
                found |= {f"{field.name}.{name}": array for name, array in value.arrays().items()}
            else:
                found[field.name] = value
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The result that `arrays` was called on."""
        kinds, values = get_type_hints(cls), {}
        for name in (field.name for field in fields(cls)):
            if isinstance(kinds[name], type) and issubclass(kinds[name], ArrayResult):
                start = f"{name}."
                nested = {k.removeprefix(start): arrays[k] for k in arrays if k.startswith(start)}
                values[name] = kinds[name].from_arrays(nested)
            else:
                values[name] = arrays[name]
        return cls(**values)


@dataclass(frozen=True, eq=False)
class Tally(ArrayResult):
    """Counts and sums over texts: those of two batches add up; arrays of names must be equal."""

    def __add__(self, other: Self) -> Self:
        theirs = other.arrays()
        return self.from_arrays(
            {name: _add(name, array, theirs[name]) for name, array in self.arrays().items()}
        )


def _add(name: str, mine: NDArray[Any], theirs: NDArray[Any]) -> NDArray[Any]:
    if mine.dtype.kind != "U":
        total: NDArray[Any] = mine + theirs
        return total
    if not np.array_equal(mine, theirs):
        raise ValueError(f"tallies of different {name.rpartition('.')[2]} do not add up")
    return mine
