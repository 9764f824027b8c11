"""What a program gets from the server, for comparison with what the page shows."""

import json
from dataclasses import dataclass
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from numpy.typing import NDArray

from tests.browser.sample_texts import SENTENCE


@dataclass(frozen=True)
class Map:
    """Weights, queries x keys, and the tokens of both."""

    weights: NDArray[np.float64]
    queries: list[dict[str, Any]]
    keys: list[dict[str, Any]]


def post(server: str, path: str, **body: object) -> dict[str, Any]:
    """Post a JSON body to the API and return the JSON of the answer."""
    request = Request(
        f"{server}/api/v1/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urlopen(request) as response:
        answer: dict[str, Any] = json.load(response)
    return answer


def ask_server(server: str, path: str, **question: object) -> dict[str, Any]:
    """Ask of the sentence and the default model unless the question names others."""
    return post(server, path, **{"model": "minilm", "text": SENTENCE, **question})


def fetch_map(
    server: str, *cells: tuple[int, int | None], combine: str = "head", **question: object
) -> Map:
    """Fetch the map of one head, or of several as one; without cells of all heads."""
    if cells:
        question["cells"] = [{"layer": layer, "head": head} for layer, head in cells]
    found = ask_server(server, "maps", combine=combine, **question)
    queries, keys = (found["tokens"][slice(*found[end])] for end in ("queries", "keys"))
    return Map(np.array(found["pattern"]), queries, keys)


def fetch_heads(server: str, **question: object) -> list[dict[str, Any]]:
    """Fetch every metric of every head."""
    heads: list[dict[str, Any]] = ask_server(server, "heads", **question)["heads"]
    return heads


def fetch_ranking(
    server: str, queries: list[int], keys: list[int], **question: object
) -> list[dict[str, Any]]:
    """Fetch all heads, ranked by the attention from queries to keys."""
    asked = {"queries": queries, "keys": keys, **question}
    heads: list[dict[str, Any]] = ask_server(server, "edges", **asked)["heads"]
    return heads


def fetch_comparison(server: str, one: tuple[str, str], other: tuple[str, str]) -> dict[str, Any]:
    """Fetch the comparison of two sides, each a model and a text."""
    sides = [{"model": model, "text": text} for model, text in (one, other)]
    return post(server, "compare", one=sides[0], other=sides[1])
