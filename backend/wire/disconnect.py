"""Cancels requests whose client has disconnected."""

import asyncio
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class CancelOnDisconnect:
    """ASGI middleware: an HTTP request is cancelled as soon as its client closes the connection.

    Once the body has arrived, a server has nothing more to say until the client leaves: that
    message is awaited here, beside the handler.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body_read, gone = asyncio.Event(), asyncio.Event()

        async def receive_body() -> Message:
            if body_read.is_set():
                await gone.wait()
                return {"type": "http.disconnect"}
            message = await receive()
            if not message.get("more_body", False):
                body_read.set()
            return message

        async def wait_until_gone() -> None:
            await body_read.wait()
            while (await receive())["type"] != "http.disconnect":
                pass
            gone.set()

        handling = asyncio.ensure_future(self._app(scope, receive_body, send))
        watching = asyncio.ensure_future(wait_until_gone())
        try:
            await asyncio.wait((handling, watching), return_when=asyncio.FIRST_COMPLETED)
            if not handling.done():
                handling.cancel()
                with suppress(asyncio.CancelledError):
                    await handling
            else:
                handling.result()
        finally:
            watching.cancel()
            handling.cancel()
