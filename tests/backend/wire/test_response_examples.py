"""The answers OpenAPI shows are the answers the server gives."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from backend.wire.errors import STATUS
from backend.wire.response_examples import ATTENTION, ERRORS, HEAD, HEALTH, MODELS, TOKENS

CHANGING = ("timing", "device", "pattern", "attention", "loaded", "version")


@pytest.fixture(scope="module")
def client(client_for: Callable[..., AbstractContextManager[TestClient]]) -> Any:  # noqa: ANN401
    with client_for() as connected:
        yield connected


def lasting(answer: dict[str, Any]) -> dict[str, Any]:
    """What does not change from run to run, and the names of what does."""
    return {name: value if name not in CHANGING else None for name, value in answer.items()}


def test_each_example_is_what_the_server_answers(client: TestClient) -> None:
    question = {"model": "minilm", "text": "Hi"}
    one = {**question, "layers": [3], "heads": [1]}
    attention = client.post("/api/v1/attention", json=one).json()
    head = client.get(f"/api/v1/analyses/{attention['id']}/heads/3/1").json()
    assert lasting(attention) == lasting(ATTENTION)
    assert lasting(head) == lasting(HEAD)
    assert np.allclose(head["pattern"], HEAD["pattern"], atol=1e-5)
    assert np.allclose(attention["attention"][0]["pattern"], HEAD["pattern"], atol=1e-5)
    assert client.post("/api/v1/tokenize", json=question).json() == TOKENS
    assert lasting(client.get("/api/v1/health").json()) == lasting(HEALTH)
    assert lasting(client.get("/api/v1/models").json()[0]) == lasting(MODELS[0])


def test_each_error_shown_is_one_the_server_gives_with_that_status(client: TestClient) -> None:
    asked: dict[int, tuple[str, dict[str, str], dict[str, str]]] = {
        404: ("tokenize", {"model": "gone", "text": "Hi"}, {}),
        406: ("attention", {"model": "minilm", "text": "Hi"}, {"accept": "image/png"}),
        413: ("tokenize", {"model": "minilm", "text": "word " * 600}, {}),
        422: ("tokenize", {"model": "minilm", "text": " "}, {}),
    }
    for status, (path, question, headers) in asked.items():
        answer = client.post(f"/api/v1/{path}", json=question, headers=headers)
        assert answer.status_code == status
        assert answer.json() == {"error": ERRORS[status]}
    assert {status: STATUS[body["code"]] for status, body in ERRORS.items()} == {
        status: status for status in ERRORS
    }


def test_openapi_shows_an_example_of_every_answer(client: TestClient) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    for path, methods in paths.items():
        for described in methods.values():
            content = described["responses"]["200"]["content"]
            shown = content.get("application/json") or content["text/html"]
            assert "example" in shown or path == "/api/v1/config", path
