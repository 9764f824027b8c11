"""What a socket refuses, under which number, and that a refusal stops nothing."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from backend.stream.schemas import StreamRequest
from backend.wire import conversation

ADDRESS = "ws://127.0.0.1:8000/api/v1"
PATIENCE = 60
QUESTION = {"request": 7, "model": "minilm", "text": "one"}
UNREADABLE = ["", "garbage", "{", "[]", "null", "17", '{"cancel": false}', "[" * 100_000]


@pytest.fixture(params=["stream", "generate"])
def socket(request: pytest.FixtureRequest, client: TestClient) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(f"{ADDRESS}/{request.param}") as socket:
        yield socket


def told(socket: WebSocketTestSession) -> dict[str, Any]:
    """The next message but progress and frames."""
    while True:
        message = socket.receive()
        if message.get("bytes") is None:
            body: dict[str, Any] = json.loads(message["text"])
            if body["type"] != "progress":
                return body


@pytest.mark.parametrize("as_bytes", [False, True])
@pytest.mark.parametrize("message", UNREADABLE)
def test_a_message_that_is_no_question_is_told_so_in_words(
    message: str, as_bytes: bool, socket: WebSocketTestSession
) -> None:
    if as_bytes:
        socket.send_bytes(message.encode())
    else:
        socket.send_text(message)
    error = told(socket)
    assert (error["type"], error["request"]) == ("error", None)
    assert error["error"]["code"] == "bad_request"
    assert ": :" not in error["error"]["message"]
    assert all(fault["field"] != "" for fault in error["error"]["details"]["fields"])


@pytest.mark.parametrize(
    ("change", "number"),
    [
        ({"text": 3}, 7),
        ({"seed": "x", "values": "x"}, 7),
        ({"text": None}, 7),
        ({"\ud83d": 1}, 7),
        ({"request": "x"}, None),
        ({"request": True, "text": 3}, None),
        ({"request": 7.5}, None),
    ],
)
def test_a_refused_question_is_answered_under_its_number_where_it_has_one(
    change: dict[str, object], number: int | None, socket: WebSocketTestSession
) -> None:
    socket.send_text(json.dumps(QUESTION | change))
    error = told(socket)
    assert (error["type"], error["request"]) == ("error", number)
    assert error["error"]["code"] == "bad_request"


def test_half_of_a_surrogate_pair_is_refused_as_over_http(
    socket: WebSocketTestSession, client: TestClient
) -> None:
    question = json.dumps(QUESTION | {"text": "a \ud800 b"})
    socket.send_text(question)
    error = told(socket)
    assert error["request"] == 7
    asked = {name: value for name, value in json.loads(question).items() if name != "request"}
    headers = {"content-type": "application/json"}
    answer = client.post("/api/v1/tokenize", content=json.dumps(asked), headers=headers)
    assert error["error"] == answer.json()["error"]
    assert error["error"]["code"] == "bad_input"


def test_what_is_refused_lets_the_running_question_go_on(gated: Any) -> None:  # noqa: ANN401
    refused = [*UNREADABLE, json.dumps(QUESTION | {"values": "x"})]
    with gated.client.websocket_connect(f"{ADDRESS}/stream") as socket:
        gated.network.hold(run=0, layer=2)
        socket.send_json(QUESTION | {"model": "deep"})
        assert told(socket)["type"] == "start"
        assert socket.receive()["bytes"]
        run = gated.network.runs[0]
        assert run.waiting.wait(PATIENCE)
        for message in refused:
            socket.send_text(message)
            assert told(socket)["type"] == "error"
        run.released.set()
        rest = [told(socket) for _ in range(7)]
    assert [message["type"] for message in rest] == [*["metrics"] * 6, "done"]
    assert run.layers == list(range(gated.n_layers))


class StuckSocket:
    """A socket whose client reads nothing: whatever is sent waits for ever."""

    def __init__(self) -> None:
        self.closed: list[tuple[int, str]] = []
        self._messages = [{"type": "websocket.receive", "text": json.dumps(QUESTION)}]

    async def accept(self) -> None: ...

    async def receive(self) -> dict[str, Any]:
        while not self._messages and not self.closed:
            await asyncio.sleep(0.001)
        return (
            self._messages.pop()
            if self._messages
            else {"type": "websocket.disconnect", "code": 1008}
        )

    async def send_bytes(self, data: bytes) -> None:
        await asyncio.Event().wait()

    async def close(self, code: int, reason: str) -> None:
        self.closed.append((code, reason))


def test_a_client_that_reads_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "SEND_SECONDS", 0.01)
    socket, ended = StuckSocket(), asyncio.Event()

    async def answers(_: StreamRequest) -> AsyncGenerator[bytes, None]:
        try:
            yield b"a frame"
        finally:
            ended.set()

    async def talk() -> None:
        talking = conversation.converse(socket, StreamRequest, answers)  # type: ignore[arg-type]
        await asyncio.wait_for(talking, PATIENCE)

    asyncio.run(talk())
    assert socket.closed == [(1008, "slow_reader")]
    assert ended.is_set(), "the run was given up"
