"""The notes of a long run: what was counted so far, so that a stopped run goes on where it was.

Every part of an atlas is either a tally, which grows batch by batch, or a set of arrays made in
one go. Both are kept as arrays in one directory, under the name of the part. This file must not
know what is counted.
"""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Protocol, Self, TypeVar
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from mha_core.progress import Progress

Arrays = dict[str, NDArray[np.generic]]
SECONDS_BETWEEN_SAVES = 20.0
_DONE = "batches_done"


class Tally(Protocol):
    """Counts that add up."""

    def __add__(self, other: Self, /) -> Self: ...

    def arrays(self) -> Arrays:
        """The counts, to be kept."""

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """The counts as they were kept."""


AnyTally = TypeVar("AnyTally", bound=Tally)
Batch = TypeVar("Batch")


class Ledger:
    """Notes in a directory, thrown away when they are of another run."""

    def __init__(self, directory: Path, run: Mapping[str, object]) -> None:
        self._directory = directory
        self._began = monotonic()
        about, notes = directory / "run.json", json.dumps(run, sort_keys=True, default=str)
        if not about.is_file() or about.read_text() != notes:
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir(parents=True)
            about.write_text(notes)  # half of it is not these notes, and begins anew
        self._seconds = directory / "seconds"
        self._earlier = float(self._seconds.read_text()) if self._seconds.is_file() else 0.0

    @property
    def seconds(self) -> float:
        """Time the run has taken, that of its stopped parts included."""
        return self._earlier + monotonic() - self._began

    def close(self) -> None:
        """The run is over: nothing is left to go on from."""
        shutil.rmtree(self._directory, ignore_errors=True)

    def once(self, part: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a part, made unless they are noted."""
        noted = self._read(part)
        if noted is None:
            noted = make()
            self._write(part, noted)
        return noted

    def tally(
        self,
        part: str,
        kind: type[AnyTally],
        batches: Sequence[Batch],
        count: Callable[[Batch], AnyTally],
        progress: Progress,
    ) -> AnyTally:
        """The sum of `count` over all batches, going on after those that are noted."""
        noted = self._read(part)
        done = 0 if noted is None else int(noted.pop(_DONE)[0])
        total = None if noted is None else kind.from_arrays(noted)
        saved = monotonic()
        for at in range(done, len(batches)):
            progress(part, at, len(batches))
            counted = count(batches[at])
            total = counted if total is None else total + counted
            if monotonic() - saved > SECONDS_BETWEEN_SAVES:
                self._write(part, {**total.arrays(), _DONE: np.array([at + 1])})
                saved = monotonic()
        if total is None:
            raise ValueError(f"{part} has nothing to count")
        self._write(part, {**total.arrays(), _DONE: np.array([len(batches)])})
        progress(part, len(batches), len(batches))
        return total

    def _read(self, part: str) -> Arrays | None:
        path = self._path(part)
        if not path.is_file():
            return None
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}

    def _write(self, part: str, arrays: Arrays) -> None:
        # Under another name first: a run killed meanwhile leaves whole notes, the old or the new.
        path = self._path(part)
        partial = path.with_suffix(".partial.npz")
        np.savez(partial, **arrays)  # type: ignore[arg-type]
        partial.replace(path)
        partial = self._seconds.with_suffix(".partial")
        partial.write_text(str(self.seconds))
        partial.replace(self._seconds)

    def _path(self, part: str) -> Path:
        return self._directory / f"{quote(part, safe='')}.npz"  # a hub's model has a / in its name
