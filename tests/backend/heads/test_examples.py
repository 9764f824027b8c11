"""The excerpts OpenAPI shows of answers about heads are parts of the answers the server gives."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from backend.heads.examples import EDGES, FIGURE, HEADS, MAP, METRICS, QUERY_KEY

QUESTION = {"model": "minilm", "text": "Hi"}
CHANGING = {"timing", "device", "id", "revision"}


def is_excerpt(example: Any, answer: Any) -> bool:  # noqa: ANN401
    """Whether names lead to the same, lists begin with it and numbers are it to five digits."""
    if isinstance(example, dict):
        return example.keys() <= answer.keys() and all(
            name in CHANGING or is_excerpt(part, answer[name]) for name, part in example.items()
        )
    if isinstance(example, list):
        return len(example) <= len(answer) and all(map(is_excerpt, example, answer))
    if isinstance(example, float):
        return bool(answer == pytest.approx(example, abs=1e-5))
    return bool(example == answer)


def test_an_excerpt_is_told_from_what_is_not_in_the_answer() -> None:
    answer = {"a": [1.0, {"b": None}], "c": 2}
    assert is_excerpt({"a": [1.000001]}, answer)
    assert not is_excerpt({"a": [1.1]}, answer)
    assert not is_excerpt({"a": [1.0, {"b": 0}]}, answer)
    assert not is_excerpt({"d": 2}, answer)


def test_each_example_on_a_text_is_part_of_what_the_server_answers(client: TestClient) -> None:
    edges = QUESTION | {"queries": [1], "keys": [0]}
    assert is_excerpt(METRICS, client.get("/api/v1/metrics").json())
    assert is_excerpt(HEADS, client.post("/api/v1/heads", json=QUESTION).json())
    assert is_excerpt(EDGES, client.post("/api/v1/edges", json=edges).json())
    mean = QUESTION | {"combine": "mean", "cells": MAP["cells"]}
    assert is_excerpt(MAP, client.post("/api/v1/maps", json=mean).json())
    pair = QUESTION | {"layer": 3, "head": 1, "query": 1, "key": 0}
    assert is_excerpt(QUERY_KEY, client.post("/api/v1/query-key", json=pair).json())
    scatter = client.post("/api/v1/figures", json=QUESTION | {"kind": "scatter"}).json()
    assert is_excerpt(FIGURE, scatter)
