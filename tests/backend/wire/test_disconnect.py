"""A request whose client has left is cancelled at the next layer of its run."""

import asyncio
import json
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from backend.wire.disconnect import CancelOnDisconnect

PATIENCE = 60


def scope_of(path: str) -> Scope:
    headers = [(b"host", b"127.0.0.1:8000"), (b"content-type", b"application/json")]
    return {
        **{"type": "http", "method": "POST", "path": path, "raw_path": path.encode()},
        **{"headers": headers, "query_string": b"", "http_version": "1.1", "scheme": "http"},
        **{"root_path": "", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000)},
        **{"asgi": {"version": "3.0"}, "state": {}},
    }


class Client:
    """What a server receives of a client that may leave, and what it sends back."""

    def __init__(self, body: bytes) -> None:
        self.left = asyncio.Event()
        self.sent: list[Message] = []
        self._body: bytes | None = body

    async def receive(self) -> Message:
        body, self._body = self._body, None
        if body is not None:
            return {"type": "http.request", "body": body, "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)


@pytest.mark.parametrize("path", ["heads", "attention", "maps", "edges", "snapshot"])
def test_a_run_stops_when_its_client_has_left(gated: Any, path: str) -> None:  # noqa: ANN401
    more = {"maps": {"combine": "mean"}, "edges": {"queries": [1], "keys": [2]}}.get(path, {})
    body = json.dumps({"model": "deep", "text": f"leaves {path}", **more}).encode()

    async def ask() -> Client:
        client = Client(body)
        asking = asyncio.ensure_future(
            gated.client.app(scope_of(f"/api/v1/{path}"), client.receive, client.send)
        )
        while not gated.network.runs:
            await asyncio.sleep(0.001)
        run = gated.network.runs[0]
        assert await asyncio.to_thread(run.waiting.wait, PATIENCE)
        client.left.set()
        await asyncio.wait_for(asking, PATIENCE)
        run.released.set()
        assert await asyncio.to_thread(run.ended.wait, PATIENCE)
        return client

    gated.network.hold(run=0, layer=2)
    client = gated.client.portal.call(ask)
    assert client.sent == [], "nobody is left to answer"
    assert gated.network.runs[0].layers == [0, 1, 2]


def test_a_request_that_is_answered_sees_no_disconnect() -> None:
    seen: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(await receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"answer"})

    async def ask() -> Client:
        client = Client(b"question")
        await CancelOnDisconnect(app)(scope_of("/"), client.receive, client.send)
        return client

    client = asyncio.run(ask())
    assert [message["type"] for message in seen] == ["http.request"]
    assert client.sent[1]["body"] == b"answer"


def test_an_error_of_a_handler_comes_through() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        raise ZeroDivisionError

    async def ask() -> None:
        client = Client(b"")
        await CancelOnDisconnect(app)(scope_of("/"), client.receive, client.send)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(ask())


def test_a_handler_that_streams_learns_that_its_client_has_left() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await receive()  # as a streaming response waits for the client to leave

    async def ask() -> None:
        client = Client(b"")
        asking = asyncio.ensure_future(
            CancelOnDisconnect(app)(scope_of("/"), client.receive, client.send)
        )
        await asyncio.sleep(0)
        client.left.set()
        await asyncio.wait_for(asking, PATIENCE)

    asyncio.run(ask())
