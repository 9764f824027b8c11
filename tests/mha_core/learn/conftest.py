"""Small runs that are trained in a second or two."""

from pathlib import Path

import pytest

from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runner import train_run
from mha_core.learn.runs import create_run
from mha_core.learn.settings import RunSettings

SMALL = RunSettings.model_validate(
    {"task": "language", "d_model": 16, "n_heads": 2, "d_mlp": 16, "steps": 40, "points": 4,
     "batch": 16, "learning_rate": 0.01}
)  # fmt: skip


@pytest.fixture(scope="session")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    """A finished run; tests must not change it."""
    run = create_run(SMALL, tmp_path_factory.mktemp("runs") / "small")
    assert train_run(run) == "done"
    return run


@pytest.fixture
def new_run(tmp_path: Path) -> RunDirectory:
    """A run that nothing has trained yet."""
    return create_run(SMALL, tmp_path / "new")
