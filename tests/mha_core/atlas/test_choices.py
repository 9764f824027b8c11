"""Choices of batches are put one after another, in a run that was stopped too."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mha_core.atlas import partial_results as module
from mha_core.atlas.choices import RowChoices
from mha_core.atlas.partial_results import PartialResults
from mha_core.progress import silent


@dataclass(frozen=True, eq=False)
class Chosen(RowChoices):
    words: NDArray[np.int16]  # [N, 2]
    sure: NDArray[np.bool_]  # [N]


def chosen(*rows: int) -> Chosen:
    return Chosen(np.array([(row, -row) for row in rows], np.int16), np.array(rows) > 2)


def test_rows_follow_one_another_and_keep_their_type() -> None:
    both = chosen(1, 2) + chosen(3)
    assert both.words.tolist() == [[1, -1], [2, -2], [3, -3]]
    assert both.sure.tolist() == [False, False, True]
    assert (both.words.dtype, both.sure.dtype) == (np.int16, np.bool_)


def test_a_stopped_run_ends_with_every_row_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SECONDS_BETWEEN_SAVES", 0)
    stopped: list[bool] = []

    def count(batch: list[int]) -> Chosen:
        if batch == [4] and not stopped:
            stopped.append(True)
            raise KeyboardInterrupt
        return chosen(*batch)

    def run() -> Chosen:
        batches = [[1], [2, 3], [4], [5, 6]]
        return PartialResults(tmp_path / "partial", {}).count("all", Chosen, batches, count, silent)

    with pytest.raises(KeyboardInterrupt):
        run()
    assert run().words[:, 0].tolist() == [1, 2, 3, 4, 5, 6]
