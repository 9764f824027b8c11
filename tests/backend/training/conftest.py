"""A client of an application with a directory of runs of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.backend.conftest import PATIENCE, ClientFor

SHORT = {"task": "language", "d_model": 16, "n_heads": 2, "d_mlp": 16, "steps": 30, "points": 3,
         "batch": 8}  # fmt: skip
LONG = SHORT | {"steps": 20_000}


@pytest.fixture
def own_runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def client(client_for: ClientFor, own_runs: Path) -> Iterator[TestClient]:
    """Its processes end with it."""
    with client_for(runs_dir=own_runs) as client:
        yield client


def wait_until(holds: Callable[[], Any]) -> Any:  # noqa: ANN401 (whatever holds)
    """What a condition gives once it holds; a process takes seconds to start."""
    end = monotonic() + PATIENCE
    while monotonic() < end:
        if found := holds():
            return found
        sleep(0.05)
    raise AssertionError("it did not come to hold in time")


def start(client: TestClient, settings: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/api/v1/learn/runs", json=settings)
    assert answer.status_code == 202, answer.text
    started: dict[str, Any] = answer.json()
    return started


def state_of(client: TestClient, id: str) -> dict[str, Any]:
    """The run as it is listed."""
    listed = client.get("/api/v1/learn/runs").json()
    [run] = [it for it in listed if it["id"] == id]
    assert isinstance(run, dict)
    return run
