"""Training a run: measured at every point, stopped and resumed without a trace, failures told."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import torch

from mha_core.errors import RunBusy
from mha_core.learn.record import Event, LossPoint, Point, StateChange
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runner import train_run
from mha_core.learn.trainer import Trainer
from mha_core.transformer import load_transformer
from tests.mha_core.learn.conftest import SMALL


def _reached(asked: Iterator[int], step: int) -> bool:
    return next(asked) == step


def points_of(run: RunDirectory) -> list[Point]:
    return [it for it in run.events() if isinstance(it, Point)]


def test_a_run_is_measured_and_its_weights_kept_at_every_point(small_run: RunDirectory) -> None:
    assert [it.step for it in points_of(small_run)] == [*SMALL.point_steps]
    assert small_run.kept_steps() == [*SMALL.point_steps]
    assert small_run.state.state == "done"
    first, *_, last = points_of(small_run)
    assert last.loss < first.loss
    losses = [it.step for it in small_run.events() if isinstance(it, LossPoint)]
    assert losses == sorted(set(losses))
    assert losses[-1] == SMALL.steps


def test_a_run_that_was_stopped_ends_as_if_it_had_not(
    new_run: RunDirectory, small_run: RunDirectory
) -> None:
    for step in (0, 7, 25):
        asked = count(new_run.state.step)
        assert (
            train_run(new_run, stop=lambda asked=asked, step=step: next(asked) == step) == "stopped"
        )  # type: ignore[misc]
        assert new_run.state == StateChange(state="stopped", step=step)
    assert train_run(new_run) == "done"
    assert points_of(new_run) == points_of(small_run)
    for one, other in zip(*(
        load_transformer(run.weights_file(SMALL.steps)).parameters() for run in (new_run, small_run)
    ), strict=True):  # fmt: skip
        assert torch.equal(one, other)
    assert not new_run.state_file.exists()


def test_a_run_whose_process_died_goes_on_from_its_last_point(
    new_run: RunDirectory, small_run: RunDirectory
) -> None:
    class Killed(BaseException):
        pass

    def die(event: Event) -> None:
        if event.step == SMALL.point_steps[2] + 1 and isinstance(event, LossPoint):
            raise Killed

    with pytest.raises(Killed):
        train_run(new_run, on_event=die)
    assert new_run.state.state == "stopped"
    assert train_run(new_run) == "done"
    assert points_of(new_run) == points_of(small_run)
    losses = [it.step for it in new_run.events() if isinstance(it, LossPoint)]
    assert losses == sorted(set(losses)), "what was forgotten is not told twice"


def test_a_failure_is_kept_with_its_reason(
    new_run: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Trainer) -> float:
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(Trainer, "advance", fail)
    with pytest.raises(RuntimeError, match="disk is full"):
        train_run(new_run)
    assert new_run.state == StateChange(state="failed", step=0, message="the disk is full")


def test_two_processes_cannot_train_one_run(new_run: RunDirectory) -> None:
    with new_run.lock(), pytest.raises(RunBusy, match="being trained already"):
        train_run(RunDirectory(new_run.path))


def test_a_finished_run_is_not_trained_again(small_run: RunDirectory, tmp_path: Path) -> None:
    copy = RunDirectory(shutil.copytree(small_run.path, tmp_path / "copy"))
    with pytest.raises(RunBusy, match="start a new one"):
        train_run(copy)
    assert copy.events() == small_run.events()
