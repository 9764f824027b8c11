"""Partial results of a long run, saved in a directory: a stopped run continues from them.

A part is either a tally, which grows batch by batch, or a result computed in one go.
"""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import TypeVar
from urllib.parse import quote

import numpy as np

from mha_core.atlas.tally import ArrayResult, Arrays, Tally
from mha_core.progress import Progress

SECONDS_BETWEEN_SAVES = 20.0
_DONE = "batches_done"

AnyResult = TypeVar("AnyResult", bound=ArrayResult)
AnyTally = TypeVar("AnyTally", bound=Tally)
Batch = TypeVar("Batch")


class PartialResults:
    """The saved parts of one run; those of any other run are deleted."""

    def __init__(self, directory: Path, run: Mapping[str, object]) -> None:
        self._directory = directory
        self._started = monotonic()
        path, described = directory / "run.json", json.dumps(run, sort_keys=True, default=str)
        if not path.is_file() or path.read_text() != described:
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir(parents=True)
            path.write_text(described)  # a half-written one differs, and the run starts over
        self._seconds = directory / "seconds"
        self._earlier = float(self._seconds.read_text()) if self._seconds.is_file() else 0.0

    @property
    def seconds(self) -> float:
        """Time the run has taken, that of its stopped parts included."""
        return self._earlier + monotonic() - self._started

    def delete(self) -> None:
        """Delete everything: the run is over."""
        shutil.rmtree(self._directory, ignore_errors=True)

    def compute(
        self, part: str, kind: type[AnyResult], compute: Callable[[], AnyResult]
    ) -> AnyResult:
        """The result of a part, computed unless it is saved."""
        saved = self._read(part)
        if saved is not None:
            return kind.from_arrays(saved)
        result = compute()
        self._write(part, result.arrays())
        return result

    def count(
        self,
        part: str,
        kind: type[AnyTally],
        batches: Sequence[Batch],
        count: Callable[[Batch], AnyTally],
        progress: Progress,
    ) -> AnyTally:
        """The sum of `count` over all batches, continued after those that are saved."""
        saved = self._read(part)
        done = 0 if saved is None else int(saved.pop(_DONE)[0])
        total = None if saved is None else kind.from_arrays(saved)
        last_save = monotonic()
        for at in range(done, len(batches)):
            try:
                progress(part, at, len(batches))
                counted = count(batches[at])
            except BaseException:  # also Ctrl+C: whoever stops the run loses no whole batch
                if total is not None:
                    self._write(part, {**total.arrays(), _DONE: np.array([at])})
                raise
            total = counted if total is None else total + counted
            if monotonic() - last_save > SECONDS_BETWEEN_SAVES:
                self._write(part, {**total.arrays(), _DONE: np.array([at + 1])})
                last_save = monotonic()
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
        # Under another name first: a run killed meanwhile leaves whole files, the old or the new.
        path = self._path(part)
        partial = path.with_suffix(".partial.npz")
        np.savez(partial, **arrays)  # type: ignore[arg-type]
        partial.replace(path)
        partial = self._seconds.with_suffix(".partial")
        partial.write_text(str(self.seconds))
        partial.replace(self._seconds)

    def _path(self, part: str) -> Path:
        return self._directory / f"{quote(part, safe='')}.npz"  # ids of hub models have a slash
