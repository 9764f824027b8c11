"""The events of a run over the socket: all of them once, as they happen, and an end."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from backend.engine.session import Session
from backend.training.events import follow_run
from backend.training.schemas import EventsRequest, RunMessage, RunRestart
from mha_core.learn.record import LossPoint, StateChange
from mha_core.learn.run_directory import RunDirectory
from mha_core.learn.runs import create_run
from mha_core.learn.settings import RunSettings
from tests.backend.training.conftest import SHORT, start

EVENTS = "ws://127.0.0.1:8000/api/v1/learn/events"


def receive_all(socket: WebSocketTestSession) -> list[dict[str, Any]]:
    """Messages up to the one that ends the answer."""
    received = [socket.receive_json()]
    while received[-1]["type"] not in ("done", "error"):
        received.append(socket.receive_json())
    return received


def ask(client: TestClient, **question: object) -> list[dict[str, Any]]:
    with client.websocket_connect(EVENTS) as socket:
        socket.send_json({"request": 1, **question})
        return receive_all(socket)


def test_a_finished_run_sends_what_is_not_known_yet_and_ends(client: TestClient) -> None:
    record = client.get("/api/v1/learn/runs/repeats").json()
    known = record["n_events"] - 3
    *events, done = ask(client, run="repeats", skip=known)
    assert [it["event"]["kind"] for it in events] == ["loss", "point", "state"]
    assert events[1]["event"] == record["points"][-1]
    assert done == {"type": "done", "request": 1, "state": "done"}
    assert len(ask(client, run="repeats")) == record["n_events"] + 1


def test_what_cannot_be_followed_is_an_error(client: TestClient) -> None:
    [error] = ask(client, run="gone")
    assert error["error"]["code"] == "unknown_run"
    [error] = ask(client, run="repeats", skip=-1)
    assert error["error"]["code"] == "bad_request"


@pytest.mark.processes
def test_a_run_is_followed_from_its_queue_to_its_end(client: TestClient) -> None:
    id = start(client, SHORT)["id"]
    *events, done = ask(client, run=id)
    kinds = [it["event"]["kind"] for it in events]
    states = [it["event"]["state"] for it in events if it["event"]["kind"] == "state"]
    assert states == ["queued", "running", "done"]
    assert kinds.count("point") == SHORT["points"]
    assert done["state"] == "done"
    record = client.get(f"/api/v1/learn/runs/{id}").json()
    assert len(events) == record["n_events"]


def test_a_run_that_goes_on_from_an_earlier_step_says_so(
    session_for: Callable[..., Session], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = create_run(RunSettings.model_validate(SHORT), tmp_path / "mine")
    for step in (1, 2, 3):
        run.append(LossPoint(step=step, loss=1.0, seconds=0.0))
    sent: list[RunMessage] = []

    def write_on(_: float) -> None:
        """What happens between two looks: first the run is resumed, then it ends."""
        if not any(isinstance(it, RunRestart) for it in sent):
            run.forget_after(1)
            run.append(StateChange(state="running", step=1))
        else:
            run.append(StateChange(state="done", step=1))

    monkeypatch.setattr("backend.training.events.sleep", write_on)
    with run.lock():
        run.append(StateChange(state="running", step=3))
        request = EventsRequest(request=1, run="mine")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(RunDirectory, "is_locked", True)
            follow_run(session_for(runs_dir=tmp_path), request, sent.append)
    kinds = [type(it).__name__ for it in sent]
    assert kinds == [*["RunEvent"] * 4, "RunRestart", *["RunEvent"] * 3, "RunDone"]
