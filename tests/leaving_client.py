"""A client of an ASGI application that closes its connection before it is answered."""

import asyncio
import json
from typing import Any

from starlette.types import Message, Scope


class LeavingClient:
    """What a server receives of a client that leaves, and what it sends back."""

    def __init__(self, question: dict[str, Any]) -> None:
        self.left = asyncio.Event()
        self.sent: list[Message] = []
        self._body: bytes | None = json.dumps(question).encode()

    async def receive(self) -> Message:
        content, self._body = self._body, None
        if content is not None:
            return {"type": "http.request", "body": content, "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)


def scope_of(path: str) -> Scope:
    headers = [(b"host", b"127.0.0.1:8000"), (b"content-type", b"application/json")]
    return {
        **{"type": "http", "method": "POST", "path": path, "raw_path": path.encode()},
        **{"headers": headers, "query_string": b"", "http_version": "1.1", "scheme": "http"},
        **{"root_path": "", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000)},
        **{"asgi": {"version": "3.0"}, "state": {}},
    }
