"""Want of memory is told as such, after everything that can be freed was freed."""

import json
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest
import torch
from starlette.testclient import TestClient
from torch import Tensor, nn

from backend.wire.frames import decode
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import Analysis

STREAM = "ws://127.0.0.1:8000/api/v1/stream"
ATTENTION = "/api/v1/attention"
WANT = [
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB.\nAnd much more."),
    RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes."),
    MemoryError(),
]

ClientFor = Callable[..., AbstractContextManager[TestClient]]


def question(text: str = "one two three") -> dict[str, Any]:
    return {"model": "deep", "text": text}


def fail(gated: Any, error: Exception, *, at: int = 3, times: int = 10**6) -> None:  # noqa: ANN401
    """Make the next so many runs raise when they reach a layer."""
    last = len(gated.network.runs) + times

    def before(run: int, layer: int) -> None:
        if layer == at and run < last:
            raise error

    gated.network.before = before


def stream(client: TestClient, text: str) -> Iterator[str | int]:
    """The kinds of the messages of a streamed answer; of a frame and of metrics the layer."""
    with client.websocket_connect(STREAM) as socket:
        socket.send_json({"request": 1, **question(text)})
        while True:
            message = socket.receive()
            if message.get("bytes"):
                yield decode(message["bytes"]).layer
                continue
            told = json.loads(message["text"])
            yield f"metrics {told['layer']}" if told["type"] == "metrics" else told["type"]
            if told["type"] in ("done", "error"):
                return


def layers(number: int) -> list[str | int]:
    """All layers of a short text, which are measured together."""
    return [*range(number), *(f"metrics {layer}" for layer in range(number))]


@pytest.mark.parametrize("error", WANT, ids=lambda error: type(error).__name__)
def test_a_run_short_of_memory_is_tried_once_more(gated: Any, error: Exception) -> None:  # noqa: ANN401
    expected = gated.client.post(ATTENTION, json=question("four five")).json()["attention"]
    with_room = gated.client.post(ATTENTION, json=question()).json()["attention"]
    fail(gated, error, times=1)
    answer = gated.client.post(ATTENTION, json=question("six seven"))
    assert answer.status_code == 200
    assert [run.layers for run in gated.network.runs[2:]] == [[0, 1, 2, 3], [0, 1, 2, 3, 4, 5]]
    # What was kept has been let go, so it runs again and gives the same.
    assert gated.client.post(ATTENTION, json=question()).json()["attention"] == with_room
    again = gated.client.post(ATTENTION, json=question("four five")).json()["attention"]
    assert again == expected
    assert len(gated.network.runs) == 6


@pytest.mark.parametrize("error", WANT, ids=lambda error: type(error).__name__)
def test_a_run_that_never_has_the_memory_is_told_with_its_cause(
    gated: Any,  # noqa: ANN401
    error: Exception,
    device: torch.device,
) -> None:
    fail(gated, error)
    answer = gated.client.post(ATTENTION, json=question(), headers={"Accept": "application/x-npz"})
    assert answer.status_code == 503
    body = answer.json()["error"]
    assert body["code"] == "out_of_memory"
    assert body["details"] == {
        **{"device": str(device), "n_tokens": 5},
        "cause": str(error).partition("\n")[0],
    }
    assert "shorten the text" in body["message"]
    assert len(gated.network.runs) == 2
    gated.network.before = lambda run, layer: None
    assert gated.client.post(ATTENTION, json=question()).status_code == 200


def test_another_error_is_not_taken_for_want_of_memory(gated: Any) -> None:  # noqa: ANN401
    fail(gated, RuntimeError("The size of tensor a must match"))
    answer = gated.client.post(ATTENTION, json=question())
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert len(gated.network.runs) == 1


def test_a_second_try_does_not_send_a_layer_twice(gated: Any) -> None:  # noqa: ANN401
    fail(gated, WANT[0], at=4, times=1)
    assert list(stream(gated.client, "one")) == ["start", *layers(6), "done"]
    assert len(gated.network.runs) == 2


def test_a_second_try_measures_every_layer_as_if_it_were_the_first(gated: Any) -> None:  # noqa: ANN401
    """Also those that waited to be measured when the first one failed."""

    def measured() -> list[dict[str, Any]]:
        with gated.client.websocket_connect(STREAM) as socket:
            socket.send_json({"request": 1, **question("one two one")})
            told: list[dict[str, Any]] = []
            while not told or told[-1]["type"] != "done":
                message = socket.receive()
                if not message.get("bytes"):
                    told.append(json.loads(message["text"]))
        return [it for it in told if it["type"] == "metrics"]

    fail(gated, WANT[0], at=4, times=1)
    second_try = measured()
    assert len(gated.network.runs) == 2
    assert second_try == measured()  # of the kept analysis


def test_want_of_memory_ends_a_stream_with_an_error(gated: Any) -> None:  # noqa: ANN401
    fail(gated, WANT[0], at=2)
    assert list(stream(gated.client, "one")) == ["start", 0, 1, "error"]


def test_maps_that_do_not_fit_are_told_as_such(
    gated: Any,  # noqa: ANN401
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def patterns(*_: object) -> Tensor:
        raise MemoryError

    monkeypatch.setattr(Analysis, "patterns", patterns)
    answer = gated.client.post(ATTENTION, json=question())
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "out_of_memory")


def test_the_failed_run_is_gone_before_the_second_try(
    deep_model: LoadedModel, client_for: ClientFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in hand keeps its whole stack alive, with every tensor on it."""

    class Greedy(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first: weakref.ref[Tensor] | None = None
            self.was_gone = False

        def forward(self, **inputs: object) -> object:
            if self.first is None:
                large = torch.ones(1000)
                self.first = weakref.ref(large)
                raise torch.OutOfMemoryError("no room")  # a new one: no other name holds it
            self.was_gone = self.first() is None
            return deep_model.network(**inputs)

    greedy = Greedy()
    held = replace(deep_model, network=greedy)
    monkeypatch.setattr("backend.engine.model_cache.load", lambda entry, **_: held)
    with client_for(extra_models=(str(deep_model.entry.directory),)) as client:
        assert client.post(ATTENTION, json=question()).status_code == 200
    assert greedy.was_gone
