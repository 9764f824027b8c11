"""Heads of an encoder-decoder: measured on what each stack reads, ranked where a link lies."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

TEXT, PAIR = "The cat sat on the mat. The cat sat.", "A cat was there, a cat."
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module", params=["bart", "t5"])
def ask(
    request: pytest.FixtureRequest,
    model_directory: Callable[[str], Path],
    client_for: Callable[..., AbstractContextManager[TestClient]],
) -> Iterator[Ask]:
    """A function path, more of the question -> the JSON answer."""
    directory = model_directory(request.param)
    with client_for(extra_models=(str(directory),)) as client:

        def post(path: str, **more: object) -> dict[str, Any]:
            question = {"model": directory.name, "text": TEXT, "text_pair": PAIR, **more}
            body: dict[str, Any] = client.post(f"/api/v1/{path}", json=question).json()
            return body

        yield post


def test_heads_are_those_of_the_encoder_and_then_of_the_decoder(ask: Ask) -> None:
    body = ask("heads", values="weighted")
    places = [(row["stack"], row["layer"], row["head"]) for row in body["heads"]]
    maps = {stack: ask("attention", stack=stack)["attention"] for stack in ("encoder", "decoder")}
    assert places == [(stack, it["layer"], it["head"]) for stack in maps for it in maps[stack]]
    assert all(row["raw"] and row["weighted"] for row in body["heads"])
    assert body["decoder_opportunities"]["duplicate"]["n"] > 0
    assert body["decoder_opportunities"] != body["opportunities"]


@pytest.mark.parametrize("stack", ["encoder", "decoder", "cross"])
def test_a_link_is_ranked_in_the_stack_where_it_lies(ask: Ask, stack: str) -> None:
    tokens = ask("tokenize")["tokens"]
    n_source = sum(token["segment"] == 0 for token in tokens)
    query, key = {
        "encoder": (3, 2),
        "decoder": (len(tokens) - 1, n_source + 1),
        "cross": (len(tokens) - 1, 2),
    }[stack]
    body = ask("edges", queries=[query], keys=[key])
    maps = ask("attention", stack=stack)
    weights = {
        (one["layer"], one["head"]): one["pattern"][query - maps["queries"][0]][
            key - maps["keys"][0]
        ]
        for one in maps["attention"]
    }
    assert {row["stack"] for row in body["heads"]} == {stack}
    assert len(body["heads"]) == len(weights)
    for row in body["heads"]:
        assert row["weight"] == pytest.approx(weights[row["layer"], row["head"]], abs=2e-6)
        assert row["weighted"] is not None
        assert (row["by_position"] is None) == (stack == "cross")
    assert np.all(np.diff([row["weight"] for row in body["heads"]]) <= 0)


def test_a_link_from_the_source_into_the_decoder_is_refused(ask: Ask) -> None:
    tokens = ask("tokenize")["tokens"]
    error = ask("edges", queries=[0], keys=[len(tokens) - 1])["error"]
    assert error["code"] == "not_visible"
    assert "source's" in error["message"]


def test_a_chart_shows_the_heads_of_the_encoder(ask: Ask) -> None:
    figure = ask("figures", kind="scatter")
    points = [tuple(place) for trace in figure["data"] for place in trace["customdata"]]
    heads = [row for row in ask("heads")["heads"] if row["stack"] == "encoder"]
    assert sorted(points) == [(row["layer"], row["head"]) for row in heads]
