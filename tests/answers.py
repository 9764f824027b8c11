"""What tests take out of the server's answers."""

import json
from typing import Any


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
