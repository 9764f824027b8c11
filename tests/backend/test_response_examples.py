"""The answers OpenAPI shows are the answers the server gives."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from backend.response_examples import ATTENTION, ERROR, HEAD, HEALTH, MODELS, TOKENS

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
    long = {"model": "minilm", "text": "word " * 600}
    assert client.post("/api/v1/tokenize", json=long).json() == ERROR


def test_openapi_shows_an_example_of_every_answer(client: TestClient) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    for path, methods in paths.items():
        for described in methods.values():
            content = described["responses"]["200"]["content"]
            shown = content.get("application/json") or content["text/html"]
            assert "example" in shown or path == "/api/v1/config", path
