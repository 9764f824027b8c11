"""The excerpt OpenAPI shows of what comes next is part of the answer the server gives."""

import pytest
from starlette.testclient import TestClient

from backend.generate.examples import NEXT
from backend.generate.schemas import CAUSAL_TEXT

CHANGING = ("timing", "device", "candidates", "rest", "entropy")


def test_the_example_is_what_the_server_answers(client: TestClient) -> None:
    question = {"model": "smollm2", "text": CAUSAL_TEXT, "top": len(NEXT["candidates"])}
    answer = client.post("/api/v1/next", json=question).json()
    assert answer.keys() == NEXT.keys()
    for name in answer.keys() - set(CHANGING):
        assert answer[name] == NEXT[name], name
    for name in ("rest", "entropy"):
        assert answer[name] == pytest.approx(NEXT[name], abs=1e-4)
    for told, shown in zip(answer["candidates"], NEXT["candidates"], strict=True):
        assert told == {**shown, "probability": pytest.approx(shown["probability"], abs=1e-4)}
