"""What tests take out of the server's answers."""

import json
from typing import Any

from starlette.testclient import WebSocketTestSession

from backend.wire.frames import Frame, decode

Message = dict[str, Any] | Frame

REFUSED = [
    ({"model": "bort"}, 404, "unknown_model"),
    ({"model": "gpt2-medium"}, 503, "model_unavailable"),
    ({"text": " "}, 422, "empty_text"),
    ({"text": "word " * 600}, 413, "text_too_long"),
    ({"model": "smollm2", "text_pair": "two"}, 422, "pair_not_supported"),
    ({"layers": [1]}, 422, "bad_request"),
]
"""What makes a question about a whole text one that cannot be run, and how it is refused."""


def strict(answer: Any) -> dict[str, Any]:  # noqa: ANN401
    """The body, in which no number may be other than JSON knows."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    assert answer.status_code == 200, answer.text[:300]
    body: dict[str, Any] = json.loads(answer.text, parse_constant=refuse)
    return body


def error_of(answer: Any, status: int, code: str) -> dict[str, Any]:  # noqa: ANN401
    """The error of an answer that must be one."""
    assert answer.status_code == status, answer.text[:300]
    error: dict[str, Any] = answer.json()["error"]
    assert error["code"] == code
    return error


def receive(socket: WebSocketTestSession) -> Message:
    """The next message of a socket."""
    message = socket.receive()
    assert message["type"] == "websocket.send", message
    if message.get("bytes") is not None:
        return decode(message["bytes"])
    told: dict[str, Any] = json.loads(message["text"])
    return told
