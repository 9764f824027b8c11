"""What a program gets from the server, for comparison with what the page shows."""

import json
from typing import Any
from urllib.request import Request, urlopen

SENTENCE = "The animal didn't cross the street because it was too tired."


def heads_of(server: str) -> list[dict[str, Any]]:
    """Every metric of every head."""
    return _asked(server, "heads")


def edges_of(server: str, queries: list[int], keys: list[int]) -> list[dict[str, Any]]:
    """All heads ranked by the attention from queries to keys."""
    return _asked(server, "edges", queries=queries, keys=keys)


def _asked(server: str, path: str, **question: list[int]) -> list[dict[str, Any]]:
    """The heads in the answer to a question about the sentence and the default model."""
    body = json.dumps({"model": "minilm", "text": SENTENCE, **question}).encode()
    asked = Request(f"{server}/api/v1/{path}", body, {"Content-Type": "application/json"})
    with urlopen(asked) as answer:
        heads: list[dict[str, Any]] = json.load(answer)["heads"]
    return heads
