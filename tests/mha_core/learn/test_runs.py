"""All runs: found by name, listed, deleted, and finished ones usable as models."""

import shutil
from pathlib import Path

import pytest

from mha_core.errors import RunBusy, UnknownModel, UnknownRun, UnknownWord
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runs import (
    SHIPPED,
    all_runs,
    create_run,
    delete_run,
    find_model,
    find_run,
    new_run,
    run_models,
    shipped_runs,
)
from mha_core.learn.settings import RunSettings
from mha_core.learn.shipped_runs import RUNS
from mha_core.models.loading import load
from tests.mha_core.learn.conftest import SMALL

MOST_BYTES = 20_000_000


@pytest.fixture
def runs_dir(small_run: RunDirectory, tmp_path: Path) -> Path:
    shutil.copytree(small_run.path, tmp_path / "runs" / "mine")
    return tmp_path / "runs"


def test_new_runs_come_first_after_those_that_are_shipped(runs_dir: Path) -> None:
    run = new_run(SMALL, runs_dir, name="A name of my own")
    ids = [it.id for it in all_runs(runs_dir)]
    assert ids[: len(RUNS)] == [it.id for it in shipped_runs()]
    assert set(ids[len(RUNS) :]) == {run.id, "mine"}
    assert find_run(run.id, runs_dir).description.name == "A name of my own"


def test_an_unknown_run_is_an_error_that_names_those_there_are(runs_dir: Path) -> None:
    with pytest.raises(UnknownRun, match="mine") as error:
        find_run("gone", runs_dir)
    assert "mine" in error.value.details["available"]
    with pytest.raises(UnknownRun):
        find_run("../runs/mine", runs_dir)


def test_a_run_can_be_deleted_unless_it_is_shipped_or_trained(runs_dir: Path) -> None:
    with find_run("mine", runs_dir).lock(), pytest.raises(RunBusy, match="stop it first"):
        delete_run("mine", runs_dir)
    delete_run("mine", runs_dir)
    assert not (runs_dir / "mine").exists()
    with pytest.raises(RunBusy, match="comes with HeadScope"):
        delete_run("repeats", runs_dir)


def test_a_finished_run_and_each_of_its_steps_is_a_model(runs_dir: Path) -> None:
    assert "mine" in [entry.id for entry in run_models(runs_dir)]
    last, early = (load(find_model(id, runs_dir), models_dir=runs_dir) for id in ("mine", "mine@0"))
    assert last.revision != early.revision
    assert [it.text for it in last.tokenize("The king runs.").tokens][1:] == [
        "The", "king", "runs", "."
    ]  # fmt: skip
    with pytest.raises(UnknownWord, match="does not know “zebra”"):
        last.tokenize("the zebra runs")
    with pytest.raises(UnknownModel, match="It has: 0,"):
        find_model("mine@17", runs_dir)


def test_a_run_that_is_not_finished_is_no_model_yet(runs_dir: Path) -> None:
    run = create_run(SMALL, runs_dir / "later")
    assert run.id not in [entry.id for entry in run_models(runs_dir)]
    with pytest.raises(UnknownModel, match="not finished"):
        find_model("later", runs_dir)


@pytest.mark.parametrize("id", RUNS)
def test_a_shipped_run_is_the_one_its_settings_name(id: str) -> None:
    run = find_run(id, Path("/nowhere"))
    name, settings = RUNS[id]
    assert run.description.name == name
    assert run.description.settings == RunSettings.model_validate(settings)
    assert run.state.state == "done"
    assert run.kept_steps() == [*run.description.settings.point_steps]


def test_what_is_shipped_is_small() -> None:
    assert sum(file.stat().st_size for file in SHIPPED.rglob("*")) < MOST_BYTES
    assert {it.name for it in SHIPPED.iterdir()} == set(RUNS)
