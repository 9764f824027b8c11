"""`headscope train` and `headscope runs`: real processes, as people start them."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runs import all_runs, shipped_runs
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import load

pytestmark = pytest.mark.processes

SHORT = ("language", "--d-model", "16", "--heads", "2", "--steps", "30", "--points", "3",
         "--batch", "8")  # fmt: skip


@pytest.fixture
def environment(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    return environment | {"HEADSCOPE_RUNS_DIR": str(tmp_path / "runs")}


def headscope(
    environment: dict[str, str], *arguments: str, code: int = 0
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "backend", *arguments],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr + done.stdout
    return done


def own_runs(tmp_path: Path) -> list[RunDirectory]:
    return all_runs(tmp_path / "runs")[len(shipped_runs()) :]


def test_a_run_is_trained_listed_exported_and_deleted(
    environment: dict[str, str], tmp_path: Path
) -> None:
    said = headscope(environment, "train", *SHORT, "--name", "Mine").stdout
    [run] = own_runs(tmp_path)
    assert "Step 30: loss" in said
    assert "3 checkpoints" in said
    listed = headscope(environment, "runs").stdout
    assert run.id in listed
    assert "Mine" in listed
    assert "30 of 30" in listed
    headscope(environment, "runs", "export", run.id, str(tmp_path / "gpt2"))
    model = load(entry_for(str(tmp_path / "gpt2")), models_dir=tmp_path)
    assert model.architecture.family == "gpt2"
    headscope(environment, "runs", "delete", run.id)
    assert own_runs(tmp_path) == []


def test_a_run_that_is_interrupted_can_be_resumed(
    environment: dict[str, str], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "backend", "train", *SHORT, "--steps", "20000"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        while not (runs := own_runs(tmp_path)) or not runs[0].kept_steps():
            assert process.poll() is None
            sleep(0.05)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate()
        assert process.returncode == 0
    [run] = own_runs(tmp_path)
    assert run.state.state == "stopped"
    assert f"headscope runs resume {run.id}" in said
    # With as few steps left as it has done, so that it ends soon.
    description = json.loads((run.path / "run.json").read_text())
    description["settings"]["steps"] = max(10, run.state.step + 3)
    (run.path / "run.json").write_text(json.dumps(description))
    headscope(environment, "runs", "resume", run.id)
    assert run.state.state == "done"
    error = headscope(environment, "runs", "resume", run.id, code=1).stderr
    assert "is finished" in error


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("train", "chess"), "'markov', 'repeats' or 'language'"),
        (("train", "language", "--heads", "5"), "choose one of 1, 2, 4, 8, 16, 32, 64 heads"),
        (("runs", "resume", "gone"), "There is no training run 'gone'"),
        (("runs", "delete", "repeats"), "comes with HeadScope"),
        (("runs", "export", "repeats-shifted-keys", "somewhere"), "no layer of a GPT-2"),
    ],
)
def test_what_cannot_be_done_is_said_in_words(
    arguments: tuple[str, ...], words: str, environment: dict[str, str]
) -> None:
    error = headscope(environment, *arguments, code=1).stderr
    assert words in error
    assert "Traceback" not in error
