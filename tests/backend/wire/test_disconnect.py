"""A request whose client has left is cancelled; one that is answered is not disturbed."""

import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from backend.wire.disconnect import CancelOnDisconnect
from tests.leaving_client import LeavingClient, scope_of

PATIENCE = 60


def test_a_request_that_is_answered_sees_no_disconnect() -> None:
    seen: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(await receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"answer"})

    async def ask() -> LeavingClient:
        client = LeavingClient({})
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
        client = LeavingClient({})
        await CancelOnDisconnect(app)(scope_of("/"), client.receive, client.send)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(ask())


def test_a_handler_that_streams_learns_that_its_client_has_left() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await receive()  # as a streaming response waits for the client to leave

    async def ask() -> None:
        client = LeavingClient({})
        asking = asyncio.ensure_future(
            CancelOnDisconnect(app)(scope_of("/"), client.receive, client.send)
        )
        await asyncio.sleep(0)
        client.left.set()
        await asyncio.wait_for(asking, PATIENCE)

    asyncio.run(ask())
