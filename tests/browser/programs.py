"""What a program gets from the server, for comparison with what the page shows."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from numpy.typing import NDArray

SENTENCE = "The animal didn't cross the street because it was too tired."


@dataclass(frozen=True)
class Map:
    """Weights, queries x keys, and the tokens of both."""

    weights: NDArray[np.float64]
    queries: list[dict[str, Any]]
    keys: list[dict[str, Any]]


def answer_of(server: str, path: str, **question: object) -> dict[str, Any]:
    """The answer to a question, of the sentence and the default model unless it says others."""
    body = json.dumps({"model": "minilm", "text": SENTENCE, **question}).encode()
    asked = Request(f"{server}/api/v1/{path}", body, {"Content-Type": "application/json"})
    with urlopen(asked) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def map_of(
    server: str, *cells: tuple[int, int | None], combine: str = "head", **question: object
) -> Map:
    """The map of one head, or of several as one; without cells of all heads."""
    if cells:
        question["cells"] = [{"layer": layer, "head": head} for layer, head in cells]
    found = answer_of(server, "maps", combine=combine, **question)
    queries, keys = (found["tokens"][slice(*found[end])] for end in ("queries", "keys"))
    return Map(np.array(found["pattern"]), queries, keys)


def heads_of(server: str) -> list[dict[str, Any]]:
    """Every metric of every head."""
    heads: list[dict[str, Any]] = answer_of(server, "heads")["heads"]
    return heads


def edges_of(
    server: str, queries: list[int], keys: list[int], **question: object
) -> list[dict[str, Any]]:
    """All heads ranked by the attention from queries to keys."""
    asked = {"queries": queries, "keys": keys, **question}
    heads: list[dict[str, Any]] = answer_of(server, "edges", **asked)["heads"]
    return heads
